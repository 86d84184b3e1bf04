import { type Json, request } from '../../support/server.ts';
import { type NoAnswer, type WireAnswer, WireConnection } from './connection.ts';
import { type Draft, cloneDraft, describeDraft, newDraft, wireBytes } from './draft.ts';
import { type Mutation, pickMutation } from './mutations.ts';
import { type Operation, documentedOperations, otherOperations } from './operations.ts';
import { Random } from '../random.ts';
import { type Fault, Judge } from './verdict.ts';
import { socketBytes, wildBytes } from './wild.ts';
import { type Caller, type Facts, World } from './world.ts';

/** One fault, with the smallest request that was found to show it. */
export interface FoundFault extends Fault {
  request: string;
  mutations: string[];
  /** How many requests have shown it. */
  count: number;
}

/** What came of the requests so far. */
export interface Tally {
  sent: number;
  statuses: Map<number, number>;
  /** Operations that have answered 2xx or 3xx, by name. */
  succeeded: Set<string>;
  operations: number;
  faults: FoundFault[];
  /** The slowest answers, by operation, with what was asked. */
  slowest: Map<string, { durationMs: number; draft: Draft }>;
  /** Durations in ms by their power of two. */
  durations: number[];
}

export interface DriverOptions {
  origin: string;
  facts: Facts;
  seed: number;
  requests: number;
  connections: number;
  /** Told of each distinct fault once. */
  onFault?: (fault: FoundFault) => void;
  /** Called every so often; nothing is sent until it is done. */
  everySome?: (tally: Tally) => Promise<void>;
}

const ANSWER_TIMEOUT_MS = 60_000;
// The server may rightly wait for what never comes.
const BROKEN_TIMEOUT_MS = 300;
// Passwords are hashed for longer than that.
const SLOW_MS = 250;
const SLOW_ROUNDS = 3;
// The more rows the longer, on a thread of their own, and with a limit of their own.
const LOG_READS = /\/(logs|analytics)/;
const TEND_EVERY = 500;
const MAX_SHRINKS = 60;
const MAX_REQUESTS_PER_CONNECTION = 500;

interface Case {
  operation: Operation;
  base: Draft;
  mutations: Mutation[];
}

/** Sends odd requests until all are sent, and judges each answer. */
export class InputDriver {
  readonly #options: DriverOptions;
  readonly #random: Random;
  readonly #world: World;
  readonly #judge: Judge;
  readonly #operations: Operation[];
  readonly #totalWeight: number;
  readonly #byKey = new Map<string, FoundFault>();
  readonly tally: Tally;
  #tending: Promise<void> | undefined;

  private constructor(options: DriverOptions, document: Json) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#world = new World(options.facts);
    this.#judge = new Judge(document, options.facts.secrets);
    this.#operations = [...documentedOperations(document), ...otherOperations()];
    this.#totalWeight = this.#operations.reduce((sum, { weight }) => sum + weight, 0);
    this.tally = {
      sent: 0,
      statuses: new Map(),
      succeeded: new Set(),
      operations: this.#operations.length,
      faults: [],
      slowest: new Map(),
      durations: [],
    };
  }

  /** Asks the server for its own description first. */
  static async create(options: DriverOptions): Promise<InputDriver> {
    const { json } = await request('GET', `${options.origin}/openapi.json`);
    return new InputDriver(options, json);
  }

  async run(): Promise<Tally> {
    const workers = Array.from({ length: this.#options.connections }, () => this.#work());
    await Promise.all(workers);
    return this.tally;
  }

  /**
   * Asks the slowest again, one by one: what is slow then too holds up everybody else.
   * @returns what took too long
   */
  async timeSlowest(): Promise<string[]> {
    const slow: string[] = [];
    for (const [name, { durationMs, draft }] of this.tally.slowest) {
      if (durationMs < SLOW_MS || LOG_READS.test(name)) continue;
      const times: number[] = [];
      for (let round = 0; round < SLOW_ROUNDS; round++) {
        const connection = new WireConnection(this.#options.origin);
        const startMs = performance.now();
        connection.write(wireBytes(draft));
        await connection.answer(draft.method === 'HEAD', ANSWER_TIMEOUT_MS);
        times.push(performance.now() - startMs);
        connection.close();
      }
      const leastMs = Math.min(...times);
      if (leastMs >= SLOW_MS) {
        slow.push(`${name} takes ${leastMs.toFixed(0)} ms alone\n  ${describeDraft(draft)}`);
      }
    }
    return slow;
  }

  /** Operations of which no request has been answered 2xx or 3xx. */
  neverSucceeded(): string[] {
    const names = this.#operations.map(({ method, path }) => `${method} ${path}`);
    return names.filter((name) => !this.tally.succeeded.has(name));
  }

  async #work(): Promise<void> {
    const { origin, requests } = this.#options;
    let connection: WireConnection | undefined;
    while (this.tally.sent < requests) {
      await this.#tend();
      const number = this.tally.sent++;
      if (number % 97 === 96) {
        await this.#sendWild();
        continue;
      }
      const made = this.#makeCase();
      const draft = mutated(made, made.mutations);
      if (
        connection === undefined ||
        !connection.isUsable ||
        connection.answers >= MAX_REQUESTS_PER_CONNECTION ||
        draft.framing === 'broken'
      ) {
        connection?.close();
        connection = new WireConnection(origin);
      }
      const fault = await this.#send(connection, made.operation, draft, true);
      if (fault !== undefined) await this.#report(fault, made);
    }
    connection?.close();
  }

  /** Sees to it that callers go on having good credentials, whatever was done to them. */
  async #tend(): Promise<void> {
    if (this.#tending === undefined && this.tally.sent % TEND_EVERY === TEND_EVERY - 1) {
      this.#tending = this.#tendAll();
      await this.#tending;
      this.#tending = undefined;
      this.tally.sent++;
    }
    await this.#tending;
  }

  async #tendAll(): Promise<void> {
    for (const caller of this.#options.facts.callers) await this.#tendCaller(caller);
    await this.#options.everySome?.(this.tally);
  }

  async #tendCaller({ credentials, probe }: Caller): Promise<void> {
    while (credentials.length > 1) {
      const headers = Object.fromEntries(credentials.at(-1) ?? []);
      const { status } = await request('GET', this.#options.origin + probe, { headers });
      if (status === 200) return;
      credentials.pop();
    }
  }

  #makeCase(): Case {
    const random = new Random(this.#random.bits());
    let left = random.below(1_000_000) * (this.#totalWeight / 1_000_000);
    const operation =
      this.#operations.find(({ weight }) => (left -= weight) < 0) ?? this.#operations[0];
    if (operation === undefined) throw new Error('the document has no operations');
    const base = this.#world.validDraft(operation, random);
    const count = random.pick([0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 5]);
    const facts = { body: operation.body, someText: (of: Random) => this.#world.someText(of) };
    const mutations = Array.from({ length: count }, () => pickMutation(base, random, facts));
    return { operation, base, mutations };
  }

  async #send(
    connection: WireConnection,
    operation: Operation,
    draft: Draft,
    isCounted: boolean,
  ): Promise<Fault | undefined> {
    const isBroken = draft.framing === 'broken';
    const bytes = wireBytes(draft);
    const startMs = performance.now();
    connection.write(bytes);
    const timeoutMs = isBroken ? BROKEN_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
    const answer = await connection.answer(draft.method === 'HEAD', timeoutMs);
    if (isCounted) this.#count(operation, draft, answer, performance.now() - startMs);
    const fault = this.#judge.judge(operation, draft, answer);
    if (
      typeof answer === 'string' ||
      isBroken ||
      answer.headers.get('connection') === 'close' ||
      answer.status === 101
    )
      connection.close();
    else if (fault === undefined && connection.hasMore) {
      connection.close();
      return { key: `${operation.method} ${operation.path}: more than one answer`, detail: '' };
    }
    return fault;
  }

  #count(
    operation: Operation,
    draft: Draft,
    answer: WireAnswer | NoAnswer,
    durationMs: number,
  ): void {
    const { statuses, succeeded, slowest, durations } = this.tally;
    const status = typeof answer === 'string' ? 0 : answer.status;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const bucket = Math.max(0, Math.ceil(Math.log2(durationMs)));
    durations[bucket] = (durations[bucket] ?? 0) + 1;
    const name = `${operation.method} ${operation.path}`;
    if (draft.framing !== 'broken' && durationMs > (slowest.get(name)?.durationMs ?? 0)) {
      slowest.set(name, { durationMs, draft });
    }
    if (typeof answer === 'string' || status >= 400 || draft.isElsewhere) return;
    succeeded.add(name);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    if (operation.kind !== 'management' || !isJson) return;
    try {
      this.#world.learn(operation, JSON.parse(answer.body.toString()), this.#random);
    } catch {
      // The judge has said so.
    }
  }

  async #report(fault: Fault, made: Case): Promise<void> {
    const known = this.#byKey.get(fault.key);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const found: FoundFault = { ...fault, request: '', mutations: [], count: 1 };
    this.#byKey.set(fault.key, found);
    this.tally.faults.push(found);
    const smallest = await this.#shrink(fault.key, made);
    found.mutations = smallest.mutations.map(({ name }) => name);
    found.request = describeDraft(mutated(smallest, smallest.mutations));
    this.#options.onFault?.(found);
  }

  /** Leaves out what the fault does not need: mutations first, then parts of the request. */
  async #shrink(key: string, made: Case): Promise<Case> {
    let smallest = made;
    let tries = 0;
    const attempt = async (candidate: Case): Promise<void> => {
      if (tries++ >= MAX_SHRINKS) return;
      const connection = new WireConnection(this.#options.origin);
      const draft = spared(mutated(candidate, candidate.mutations), this.#options.facts);
      const fault = await this.#send(connection, candidate.operation, draft, false);
      connection.close();
      if (fault?.key === key) smallest = candidate;
    };
    for (const mutation of made.mutations) {
      await attempt({
        ...smallest,
        mutations: smallest.mutations.filter((other) => other !== mutation),
      });
    }
    for (const pair of made.base.headers) {
      await attempt(
        changedBase(
          smallest,
          (base) => (base.headers = base.headers.filter(([name]) => name !== pair[0])),
        ),
      );
    }
    for (const pair of made.base.query) {
      await attempt(
        changedBase(
          smallest,
          (base) =>
            (base.query = base.query.filter(
              ([name, value]) => name !== pair[0] || value !== pair[1],
            )),
        ),
      );
    }
    const { json } = made.base;
    for (const name of typeof json === 'object' && json !== null ? Object.keys(json) : []) {
      await attempt(
        changedBase(smallest, (base) => void Reflect.deleteProperty(base.json as object, name)),
      );
    }
    return smallest;
  }

  /** Bytes that are hardly HTTP, or none at all. Nothing is asked of the answers but that they are some. */
  async #sendWild(): Promise<void> {
    const random = new Random(this.#random.bits());
    const made = this.#makeCase();
    const { facts } = this.#options;
    const bytes = random.chance(0.3)
      ? socketBytes(random, facts)
      : wildBytes(wireBytes(mutated(made, made.mutations)), random, facts);
    const connection = new WireConnection(this.#options.origin);
    connection.write(bytes);
    connection.end();
    const operation = {
      ...made.operation,
      method: 'wild',
      path: 'bytes',
      kind: 'plain',
      responses: undefined,
    } as const;
    // Which answers have a body is unknown: among the requests may be HEAD.
    const draft = {
      ...newDraft('HEAD', '/'),
      bytes,
      isElsewhere: true,
      framing: 'broken' as const,
    };
    for (let answers = 0; answers < 5; answers++) {
      const answer = await connection.answer(false, BROKEN_TIMEOUT_MS);
      if (typeof answer === 'string' && answer !== 'malformed') break;
      const fault = this.#judge.judge(operation, draft, answer);
      // A body may follow that HEAD does not have, and the other way round.
      if (fault !== undefined && answer !== 'malformed' && answer !== undefined) {
        await this.#reportWild(fault, bytes);
      }
      if (typeof answer === 'string') break;
    }
    connection.close();
  }

  async #reportWild(fault: Fault, bytes: Buffer): Promise<void> {
    if (this.#byKey.has(fault.key)) return;
    const found = { ...fault, request: bytes.toString('latin1'), mutations: [], count: 1 };
    this.#byKey.set(fault.key, found);
    this.tally.faults.push(found);
    this.#options.onFault?.(found);
  }
}

function mutated({ base }: Case, mutations: readonly Mutation[]): Draft {
  const draft = cloneDraft(base);
  for (const mutation of mutations) mutation.apply(draft);
  return draft;
}

function changedBase(made: Case, change: (base: Draft) => void): Case {
  const base = cloneDraft(made.base);
  change(base);
  return { ...made, base };
}

/** Some things outlive everything, or there would be nobody left to ask, and nothing to ask for. */
function spared(draft: Draft, { accountId, otherAccountId, clientId }: Facts): Draft {
  if (draft.method !== 'DELETE') return draft;
  const whole = (draft.target ?? draft.path).toLowerCase().split(/[?#;]/, 1)[0] ?? '';
  const last = whole.split('/').findLast((part) => part !== '') ?? '';
  const isKept = [accountId, otherAccountId, clientId, 'default', 'open'].includes(last);
  return isKept ? { ...draft, method: 'GET', isElsewhere: true } : draft;
}
