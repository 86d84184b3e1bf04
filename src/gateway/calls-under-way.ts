import { type ErrorDefinition, httpErrors } from '../http/errors.ts';

/** What callers hear whose provider had not answered when the time to stop was over. */
export const stoppingError: ErrorDefinition = {
  ...httpErrors.unavailable,
  message: `${httpErrors.unavailable.message}: the server is stopping`,
};

/** Something that ends when the server stops. */
export interface Stoppable {
  /** Must not throw; may leave what it is in. */
  stop(): void;
  /** Where it stands among the others; theirs to set. */
  place?: number | undefined;
}

/**
 * The calls of providers that are under way. Not in a Set: when its table is full it gets a new one, and
 * an old table, dead but not yet collected, keeps the next one alive with all calls that stood in it. So
 * every call of the past would be kept, and moved, until the next collection of the whole heap.
 */
export class CallsUnderWay {
  /** As many as there are come first; the places of those that left are empty, and taken again. */
  readonly #calls: (Stoppable | undefined)[] = [];
  #count = 0;
  #isStopping = false;

  /** All calls were ended: another attempt would be too. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** A call begins. One that comes too late is ended before it is made. */
  enter(call: Stoppable): void {
    call.place = this.#count;
    this.#calls[this.#count++] = call;
    if (this.#isStopping) call.stop();
  }

  /** A call is over. Nothing happens when it has left before. */
  leave(call: Stoppable): void {
    const { place } = call;
    if (place === undefined) return;
    call.place = undefined;
    this.#count--;
    const last = this.#calls[this.#count];
    this.#calls[this.#count] = undefined;
    if (last === undefined || last === call) return;
    last.place = place;
    this.#calls[place] = last;
  }

  /**
   * Ends all calls, so that their callers hear of it and their rows say why.
   * @returns whether there were any
   */
  stop(): boolean {
    this.#isStopping = true;
    const calls = this.#calls.slice(0, this.#count);
    for (const call of calls) call?.stop();
    return calls.length > 0;
  }
}
