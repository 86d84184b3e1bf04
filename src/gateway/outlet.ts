import type { ServerResponse } from 'node:http';
import type { ErrorDefinition } from '../http/errors.ts';

export type ResponseHeaders = Record<string, string | string[]>;

/** The connection to the client, for all protocols. */
export interface Outlet {
  /** The client left before the end of its answer. */
  readonly isGone: boolean;
  readonly hasBegun: boolean;
  /** The client reads slowly: data waits in the buffer. */
  readonly isFull: boolean;
  /** Calls the listener at most once, when the client leaves; at once if it has already left. */
  onGone(listener: () => void): void;
  /** @param isStream the head must not wait for the first bytes of the body */
  begin(status: number, headers: ResponseHeaders, isStream: boolean): void;
  /**
   * Sends an error of the gateway as the whole response.
   * @param body the error in the format of the endpoint, as JSON
   */
  refuse(error: ErrorDefinition, headers: ResponseHeaders, body: string): void;
  /** @returns false if the client reads slowly: wait for `drained` before the next write */
  write(chunk: Buffer | string): boolean;
  /** Waits until the client has read what was written. Cuts the connection after that time without progress. */
  drained(timeoutMs: number): Promise<void>;
  end(chunk?: Buffer | string): void;
  /**
   * The answer ends before it is complete.
   * @param event the last event of an event stream; undefined for other responses
   */
  breakOff(definition: ErrorDefinition, event: string | undefined): void;
  /** Breaks the connection, so that no client takes the response for a complete one. */
  cut(): void;
}

const EVENT_STREAM = /^text\/event-stream/i;

/** Makes nginx pass each chunk at once instead of collecting the response in its buffers. */
const UNBUFFERED = { 'x-accel-buffering': 'no' } as const;

/** The response to an HTTP request. */
export class HttpOutlet implements Outlet {
  readonly #response: ServerResponse;
  /** Called when the client leaves. Each try of each provider adds one. */
  readonly #goneListeners: (() => void)[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
    // Fires before the answer has begun, in mid-stream and after its end alike.
    response.once('close', () => {
      if (response.writableFinished) return;
      for (const listener of this.#goneListeners) listener();
    });
  }

  get isGone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  onGone(listener: () => void): void {
    if (this.isGone) listener();
    else this.#goneListeners.push(listener);
  }

  begin(status: number, headers: ResponseHeaders, isStream: boolean): void {
    // Providers stream in many content types, and clients use the parts before the end.
    const isIncremental =
      headers['content-length'] === undefined || EVENT_STREAM.test(String(headers['content-type']));
    this.#response.writeHead(status, isIncremental ? { ...headers, ...UNBUFFERED } : headers);
    if (isStream) this.#response.flushHeaders();
  }

  refuse({ status }: ErrorDefinition, headers: ResponseHeaders, body: string): void {
    this.begin(status, headers, false);
    this.end(body);
  }

  write(chunk: Buffer | string): boolean {
    return this.#response.write(chunk) || this.#response.destroyed;
  }

  async drained(timeoutMs: number): Promise<void> {
    const response = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cut = setTimeout(() => response.destroy(), timeoutMs);
    response.once('drain', resolve);
    response.once('close', resolve);
    await promise;
    clearTimeout(cut);
    response.off('drain', resolve);
    response.off('close', resolve);
  }

  end(chunk?: Buffer | string): void {
    this.#response.end(chunk);
  }

  breakOff(_definition: ErrorDefinition, event: string | undefined): void {
    if (event === undefined) this.cut();
    else this.end(event);
  }

  cut(): void {
    this.#response.destroy();
  }
}
