import type { AbortableCall, ClientResponse } from '../gateway-request.ts';

/** Abort reason: the client disconnected before the end of the response. */
export const clientClosed = new Error('the client disconnected');

/** Abort reason: the shutdown timeout of the server is over. */
export const shuttingDown = new Error('the server is stopping');

/** Abort reason: the provider sent no byte in time. */
export const firstByteTimeout = new Error('the provider sent no byte in time');

/** The response to a client. It aborts its call when the client disconnects. */
export type CallOwner = Pick<ClientResponse, 'isClosed' | 'activeCall'>;

/** One call of a provider, or the wait for the next one. */
export class ActiveCall implements AbortableCall {
  readonly #controller = new AbortController();
  readonly #owner: CallOwner;
  readonly #onClose: (call: ActiveCall) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Index in the list of all calls; undefined: closed. */
  index: number | undefined;

  /** Use {@link ActiveCalls.open}. */
  constructor(
    owner: CallOwner,
    firstByteTimeoutMs: number | undefined,
    onClose: (call: ActiveCall) => void,
  ) {
    this.#owner = owner;
    this.#onClose = onClose;
    owner.activeCall = this;
    if (firstByteTimeoutMs !== undefined) {
      this.#timer = setTimeout(() => this.abort(firstByteTimeout), firstByteTimeoutMs);
    }
    if (owner.isClosed) this.abort(clientClosed);
  }

  /** Aborted with one of the reasons above. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** The first byte has arrived in time. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the call. Later calls have no effect. */
  close(): void {
    if (this.index === undefined) return;
    this.stopTimer();
    this.#owner.activeCall = undefined;
    this.#onClose(this);
  }
}

/**
 * The calls of providers in progress, so that the server can abort them when it stops. An array, not a `Set`: a `Set` that
 * grows discards its old table, and V8 keeps all calls in it alive until the next full collection.
 */
export class ActiveCalls {
  /** The first `#count` elements are set. */
  readonly #calls: (ActiveCall | undefined)[] = [];
  #count = 0;
  #isStopping = false;

  /** The server has aborted all calls, and would abort another attempt. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Opens a call. If the server is stopping, the signal of the call is already aborted.
   * @param owner has no other open call
   * @param firstByteTimeoutMs undefined: no limit
   * @returns the call; close it at the end
   */
  open(owner: CallOwner, firstByteTimeoutMs?: number): ActiveCall {
    const call = new ActiveCall(owner, firstByteTimeoutMs, this.#remove);
    call.index = this.#count;
    this.#calls[this.#count++] = call;
    if (this.#isStopping) call.abort(shuttingDown);
    return call;
  }

  readonly #remove = (call: ActiveCall): void => {
    const { index } = call;
    if (index === undefined) return;
    call.index = undefined;
    this.#count--;
    const last = this.#calls[this.#count];
    this.#calls[this.#count] = undefined;
    if (last === undefined || last === call) return;
    last.index = index;
    this.#calls[index] = last;
  };

  /**
   * Aborts all calls, so that their clients and log rows get the reason.
   * @returns false if there were none
   */
  abortAll(): boolean {
    this.#isStopping = true;
    const calls = this.#calls.slice(0, this.#count);
    for (const call of calls) call?.abort(shuttingDown);
    return calls.length > 0;
  }
}
