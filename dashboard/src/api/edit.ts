import { ApiFailure } from './failure.ts';

/** A member that another user has changed since the form was opened. */
export interface ForeignChange {
  /** The name in the API. */
  member: string;
  before: unknown;
  after: unknown;
}

/** Nothing was saved or deleted, because another user has changed the record since the form was opened. */
export class EditConflict extends Error {
  override name = 'EditConflict';
  readonly changes: readonly ForeignChange[];

  constructor(changes: readonly ForeignChange[]) {
    super('the record has changed');
    this.changes = changes;
  }
}

/** An answer of `api.GET` for one record. */
export type RecordAnswer<R> = Promise<{ data?: { result: R }; response: Response }>;

/** The precondition of a change. */
export type IfMatch = Record<'if-match', string>;

type Send<R, Result> = (headers: IfMatch, current: R) => Promise<Result>;

/** Members that change without a user. */
const MAINTAINED: ReadonlySet<string> = new Set([
  'client_uri_verification',
  'last_used_on',
  'modified_at',
  'modified_on',
  'secrets',
  'updated_at',
]);

const PRECONDITION_FAILED = 412;
const MAX_ATTEMPTS = 5;

/**
 * An edit of a record, which begins with what the form shows. It saves nothing over the change of another user, unless
 * the form has shown that change.
 */
export class Edit<R extends object> {
  #seen: R;
  readonly #read: () => RecordAnswer<R>;

  /**
   * @param seen the record as the form shows it
   * @param read reads the record from the server
   */
  constructor(seen: R, read: () => RecordAnswer<R>) {
    this.#seen = seen;
    this.#read = read;
  }

  /**
   * Saves a change if no other user has changed the same members. Other members may have changed.
   * @param members the members that the change replaces
   * @throws EditConflict if another user has; the next call replaces that change
   * @throws ApiFailure as `send` does
   */
  async save(members: readonly (keyof R & string)[], send: Send<R, R>): Promise<R> {
    this.#seen = await this.#send(members, send);
    return this.#seen;
  }

  /**
   * Deletes the record if no other user has changed it.
   * @throws EditConflict if another user has; the next call deletes it nevertheless
   * @throws ApiFailure as `send` does
   */
  async remove(send: Send<R, unknown>): Promise<void> {
    const members = Object.keys(this.#seen).filter((name) => !MAINTAINED.has(name));
    await this.#send(members as (keyof R & string)[], send);
  }

  async #send<Result>(
    members: readonly (keyof R & string)[],
    send: Send<R, Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const { data, response } = await this.#read();
      const current = data?.result;
      if (current === undefined) throw new ApiFailure(0, [{ code: 0, message: 'No record' }]);
      const changes = members
        .filter((member) => !isSame(this.#seen[member], current[member]))
        .map((member) => ({ member, before: this.#seen[member], after: current[member] }));
      this.#seen = current;
      if (changes.length > 0) throw new EditConflict(changes);
      try {
        return await send({ 'if-match': response.headers.get('etag') ?? '*' }, current);
      } catch (error) {
        // Another user was faster by milliseconds.
        const isOutdated = error instanceof ApiFailure && error.status === PRECONDITION_FAILED;
        if (!isOutdated || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
