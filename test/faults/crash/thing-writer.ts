import assert from 'node:assert/strict';
import { createId } from '../../../src/lib/ids.ts';
import type { Json } from '../../support/server.ts';
import { type Load, NoAnswer, Tally, type Writer, assertAnswered, byName } from './load.ts';

/** A request of the management API, below the account. */
export interface Call {
  method: string;
  path: string;
  body?: unknown;
}

/** A kind of thing with an id and one mark, by which a client tells one version of it from the next. */
export interface ThingKind {
  readonly name: string;
  /** So many there are at most. */
  readonly room: number;
  /** The mark of version `n`; that of `n + 1` is another one. */
  mark(n: number): string;
  create(mark: string): Call;
  change(id: string, mark: string): Call;
  remove(id: string): Call;
  idOf(result: Json): string;
  /** The marks of all that its writer has made, by id. */
  list(load: Load): Promise<Map<string, string>>;
}

/** A change without an answer. */
interface Doubt {
  id: string;
  /** Undefined: it was removed. */
  after: string | undefined;
}

interface Creation {
  call: Call;
  key: string;
  mark: string;
  /** The answer, once there is one. */
  text?: string;
}

/** Creates, changes and removes things of one kind, each by one lane at a time. */
export class ThingWriter implements Writer {
  readonly tally = new Tally();
  readonly lanes: number;
  readonly #kind: ThingKind;
  readonly #marks = new Map<string, string>();
  readonly #busy = new Set<string>();
  #changes: Doubt[] = [];
  #creations: Creation[] = [];
  #lastCreation: Creation | undefined;
  #count = 0;

  constructor(kind: ThingKind, lanes = 2) {
    this.#kind = kind;
    this.lanes = lanes;
  }

  get name(): string {
    return this.#kind.name;
  }

  async write(load: Load): Promise<void> {
    const free = [...this.#marks.keys()].filter((id) => !this.#busy.has(id));
    const isFull = this.#marks.size + this.lanes > this.#kind.room;
    const dice = load.chance.fraction();
    if (free.length === 0 || (!isFull && dice < 0.4)) return this.#create(load);
    const id = load.chance.pick(free);
    this.#busy.add(id);
    try {
      await (isFull || dice > 0.8 ? this.#remove(load, id) : this.#change(load, id));
    } finally {
      this.#busy.delete(id);
    }
  }

  async #create(load: Load): Promise<void> {
    const mark = this.#kind.mark(++this.#count);
    const call = this.#kind.create(mark);
    const creation: Creation = { call, key: createId(), mark };
    await this.#orDoubt(
      async () => {
        const headers = { 'idempotency-key': creation.key };
        const answer = await load.change(call.method, call.path, { body: call.body, headers });
        this.#marks.set(this.#kind.idOf(answer.json.result), mark);
        this.#lastCreation = { ...creation, text: answer.text };
      },
      () => this.#creations.push(creation),
    );
  }

  async #change(load: Load, id: string): Promise<void> {
    // Of two in a row no two have the same.
    let after = this.#kind.mark(++this.#count);
    if (after === this.#marks.get(id)) after = this.#kind.mark(++this.#count);
    const { method, path, body } = this.#kind.change(id, after);
    await this.#orDoubt(
      async () => {
        await load.change(method, path, { body });
        this.#marks.set(id, after);
      },
      () => this.#changes.push({ id, after }),
    );
  }

  async #remove(load: Load, id: string): Promise<void> {
    const { method, path, body } = this.#kind.remove(id);
    await this.#orDoubt(
      async () => {
        await load.change(method, path, { body });
        this.#marks.delete(id);
      },
      () => this.#changes.push({ id, after: undefined }),
    );
  }

  async #orDoubt(write: () => Promise<void>, doubt: () => unknown): Promise<void> {
    try {
      await write();
      this.tally.acknowledged++;
    } catch (error) {
      if (error instanceof NoAnswer && error.wasSent) {
        this.tally.inDoubt++;
        doubt();
      }
      throw error;
    }
  }

  async settle(load: Load): Promise<void> {
    for (const creation of this.#creations.splice(0)) await this.#createAgain(load, creation);
    await this.#replayLast(load);
    const found = await this.#kind.list(load);
    for (const { id, after } of this.#changes.splice(0)) {
      const actual = found.get(id);
      if (actual !== after) continue;
      this.tally.made++;
      load.audit.wasMade(id);
      if (after === undefined) this.#marks.delete(id);
      else this.#marks.set(id, after);
    }
    const sort = (marks: Map<string, string>) => [...marks].toSorted(byName);
    assert.deepEqual(sort(found), sort(this.#marks), `not what was answered: ${this.name}`);
  }

  /** With its key it is made once, whether or not it had been made before. */
  async #createAgain(load: Load, { call, key, mark }: Creation): Promise<void> {
    const headers = { 'idempotency-key': key };
    const answer = await load.call(call.method, call.path, { body: call.body, headers });
    assertAnswered(answer, call.method, call.path);
    const id = this.#kind.idOf(answer.json.result);
    if (answer.headers.has('idempotency-replayed')) {
      this.tally.made++;
      load.audit.wasMade(id);
    } else {
      load.audit.acknowledge(answer);
    }
    this.#marks.set(id, mark);
  }

  /** What a client was answered before the crash, it is answered again. */
  async #replayLast(load: Load): Promise<void> {
    if (this.#lastCreation === undefined) return;
    const { call, key, text } = this.#lastCreation;
    const headers = { 'idempotency-key': key };
    const again = await load.call(call.method, call.path, { body: call.body, headers });
    assert.equal(again.text, text, `another answer for the same key: ${this.name}`);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  }
}
