import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { createId } from '../../src/lib/ids.ts';
import { allowPolicy } from '../support/server.ts';

/** A node of an installation, as its clients see it. */
export interface LoadedNode {
  name: string;
  origin: string;
}

/** An installation that several nodes serve. */
export interface LoadedInstallation {
  accountId: string;
  token: string;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON from outside has no static type here
  json: any;
}

/** What was acknowledged and may therefore not be lost, over all nodes. */
export interface Acknowledged {
  /** By resource: the last count that was acknowledged, and the last that was sent. */
  tags: Map<string, { acknowledged: number; sent: number }>;
  /** The ids of those that were made and not revoked, and of those that were. */
  tokens: Set<string>;
  revoked: string[];
  logIds: string[];
}

const ANSWER_TIMEOUT_MS = 20_000;
// While nothing works, once in a while is often enough.
const PAUSE_MS = 25;
const CHANGES_PER_RESOURCE = 20;

/**
 * Writers on every node at once, each of which changes tags, makes and revokes tokens, and calls a model.
 * What fails must say that the service is not there now, and nothing else.
 */
export class NodeLoad {
  readonly acknowledged: Acknowledged = {
    tags: new Map(),
    tokens: new Set(),
    revoked: [],
    logIds: [],
  };
  /** Refusals with 503, over all nodes. */
  refusals = 0;
  /** Per node: when it last acknowledged a change, as `performance.now()` tells it. */
  readonly lastChangeMs = new Map<string, number>();
  readonly #installation: LoadedInstallation;
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #stopped = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  readonly #changesByNode = new Map<string, number>();

  constructor(nodes: readonly LoadedNode[], installation: LoadedInstallation, connections = 16) {
    this.#installation = installation;
    this.#pools = new Map(
      nodes.map(({ name, origin }) => [name, new Pool(origin, { connections, pipelining: 1 })]),
    );
  }

  /** How many changes were acknowledged so far. */
  get changes(): number {
    return this.#changesByNode.values().reduce((sum, changes) => sum + changes, 0);
  }

  start(writersPerNode: number): void {
    const writers = [...this.#pools.keys()].flatMap((node) =>
      Array.from({ length: writersPerNode }, () => this.#write(node)),
    );
    this.#work = Promise.all(writers);
    // Its owner waits for it in the end.
    this.#work.catch(() => this.#stopped.abort());
  }

  /** Ends the load; what is under way is answered before. @throws when an answer was none that may be */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#work;
  }

  async close(): Promise<void> {
    await this.stop().catch(() => {});
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  /** Waits until each node has acknowledged so many more changes. */
  async progress(changesPerNode: number, limitMs: number): Promise<void> {
    const deadlineMs = performance.now() + limitMs;
    const wanted = new Map(
      [...this.#pools.keys()].map((node) => [node, this.#changesOf(node) + changesPerNode]),
    );
    for (const [node, changes] of wanted) {
      while (this.#changesOf(node) < changes) {
        if (this.#stopped.signal.aborted) await this.#work;
        if (performance.now() > deadlineMs)
          throw new Error(this.#describeStandstill(node, limitMs));
        await delay(5);
      }
    }
  }

  #changesOf(node: string): number {
    return this.#changesByNode.get(node) ?? 0;
  }

  #describeStandstill(node: string, limitMs: number): string {
    const quietMs = Math.round(performance.now() - (this.lastChangeMs.get(node) ?? 0));
    return `${node} has not come far enough in ${limitMs} ms: ${this.#changesOf(node)} changes, the last ${quietMs} ms ago`;
  }

  /** One request; undefined when the answer did not come, or was that there is no service. */
  async call(
    node: string,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    { body, token = this.#installation.token, headers = {} }: CallOptions = {},
  ): Promise<Answer | undefined> {
    const response = await this.#pool(node)
      .request({
        method,
        path,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headersTimeout: ANSWER_TIMEOUT_MS,
      })
      .catch((error: unknown) => {
        if (this.#stopped.signal.aborted) return undefined;
        throw error;
      });
    if (response === undefined) return undefined;
    const text = await response.body.text();
    if (response.statusCode === 503) {
      this.refusals++;
      return undefined;
    }
    const json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: response.statusCode, headers: response.headers, json };
  }

  #pool(node: string): Pool {
    const pool = this.#pools.get(node);
    assert.ok(pool);
    return pool;
  }

  get #account(): string {
    return `/client/v4/accounts/${this.#installation.accountId}`;
  }

  async #write(node: string): Promise<void> {
    let resource = createId();
    for (let turn = 1; !this.#stopped.signal.aborted; turn++) {
      if (turn % CHANGES_PER_RESOURCE === 0) resource = createId();
      const isDone =
        turn % 8 === 0
          ? await this.#createToken(node)
          : turn % 8 === 4
            ? await this.#revokeToken(node)
            : turn % 4 === 2
              ? await this.#callModel(node)
              : await this.#tag(node, resource, turn);
      if (!isDone) await delay(PAUSE_MS);
    }
  }

  #changed(node: string): true {
    const now = performance.now();
    this.lastChangeMs.set(node, now);
    this.#changesByNode.set(node, this.#changesOf(node) + 1);
    return true;
  }

  async #tag(node: string, id: string, count: number): Promise<boolean> {
    const { tags } = this.acknowledged;
    const known = tags.get(id) ?? { acknowledged: 0, sent: 0 };
    tags.set(id, known);
    known.sent = count;
    const body = { resource_type: 'worker', resource_id: id, tags: { count: String(count) } };
    const answer = await this.call(node, 'PUT', `${this.#account}/tags`, { body });
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    known.acknowledged = count;
    return this.#changed(node);
  }

  async #createToken(node: string): Promise<boolean> {
    const { accountId } = this.#installation;
    const body = {
      name: 'made under load',
      policies: [allowPolicy(accountId, ['api-tokens.read'])],
    };
    const answer = await this.call(node, 'POST', `${this.#account}/tokens`, { body });
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    this.acknowledged.tokens.add(answer.json.result.id);
    return this.#changed(node);
  }

  async #revokeToken(node: string): Promise<boolean> {
    const { tokens, revoked } = this.acknowledged;
    const [id] = tokens.keys();
    if (id === undefined) return true;
    // Whether one that is not acknowledged was revoked, nobody knows.
    tokens.delete(id);
    const answer = await this.call(node, 'DELETE', `${this.#account}/tokens/${id}`);
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    revoked.push(id);
    return this.#changed(node);
  }

  async #callModel(node: string): Promise<boolean> {
    const body = { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] };
    const answer = await this.call(node, 'POST', `${this.#account}/ai/v1/chat/completions`, {
      body,
    });
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    this.acknowledged.logIds.push(String(answer.headers['cf-aig-log-id']));
    return true;
  }

  /** What one node knows of everything that was acknowledged. @throws when something is missing */
  async assertKept(node: string): Promise<Map<string, string>> {
    const { tags, tokens, revoked } = this.acknowledged;
    const seen = new Map<string, string>();
    await inTurns([...tags], async ([id, { acknowledged, sent }]) => {
      const path = `${this.#account}/tags?resource_type=worker&resource_id=${id}`;
      const answer = await this.call(node, 'GET', path);
      assert.ok(answer, `${node} has no service`);
      const count = Number(answer.json?.result?.tags?.count ?? 0);
      const told = `${node}: ${id} has ${count}, acknowledged ${acknowledged}, sent ${sent}`;
      assert.ok(count >= acknowledged && count <= sent, told);
      seen.set(id, String(count));
    });
    const statusOf = async (id: string): Promise<number | undefined> =>
      (await this.call(node, 'GET', `${this.#account}/tokens/${id}`))?.status;
    await inTurns([...tokens], async (id) => assert.equal(await statusOf(id), 200));
    await inTurns(revoked, async (id) => assert.equal(await statusOf(id), 404));
    return seen;
  }
}

interface CallOptions {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

const READERS = 8;

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
