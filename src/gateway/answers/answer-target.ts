import type { ErrorDefinition } from '../../http/errors.ts';
import { type AnswerUse, type Head, isEventStream } from './answer.ts';
import { KeepAlive } from './keep-alive.ts';
import type { Recording } from '../cache/response-cache.ts';
import type { KeptBody } from '../logs/capture/kept-body.ts';
import type { Dialect } from '../exchange.ts';
import { errorEvent } from '../ingress/error-body.ts';
import type { Outlet } from '../outlet.ts';
import type { Usage } from '../usage/usage.ts';

/** The client's end of an answer. */
export class AnswerTarget {
  readonly head: Head;
  readonly #outlet: Outlet;
  readonly #use: AnswerUse;
  readonly #dialect: Dialect;
  #recording: Recording | undefined;
  #kept: KeptBody | undefined;
  #keepAlive: KeepAlive | undefined;

  constructor(outlet: Outlet, head: Head, use: AnswerUse, dialect: Dialect) {
    this.head = head;
    this.#outlet = outlet;
    this.#use = use;
    this.#dialect = dialect;
  }

  /** Returns the body of an error of the gateway, in the format of the client. */
  errorBody(error: ErrorDefinition): object {
    return this.#use.errorBody(error);
  }

  begin(): void {
    if (this.#outlet.hasBegun) return;
    const { status, headers, contentType } = this.head;
    if (isStorable(status)) this.#recording = this.#use.record?.(this.head);
    this.#kept = this.#use.keep?.(headers);
    const isStream = isEventStream(contentType);
    this.#outlet.begin(status, headers, isStream);
    // A ping within a compressed stream would damage it.
    if (!isStream || headers['content-encoding'] !== undefined) return;
    this.#keepAlive = new KeepAlive(this.#outlet, this.#dialect, this.#use.pingIntervalMs);
  }

  write(chunk: Buffer): boolean {
    this.begin();
    this.#recording?.feed(chunk);
    this.#kept?.feed(chunk);
    this.#keepAlive?.note(chunk);
    return this.#outlet.write(chunk);
  }

  /** Sends a ping, in an event stream that has begun. */
  ping(): void {
    this.#keepAlive?.ping();
  }

  /** Everything that is left, and the end. */
  end(chunk?: Buffer): void {
    this.begin();
    this.#keepAlive?.stop();
    if (chunk !== undefined) {
      this.#recording?.feed(chunk);
      this.#kept?.feed(chunk);
    }
    this.#outlet.end(chunk);
  }

  complete(usage: Usage): void {
    this.#recording?.commit(usage);
  }

  abandon(): void {
    this.#keepAlive?.stop();
    this.#recording?.discard();
  }

  /** The status is out: an event stream can still say what happened, anything else is cut. */
  fail(definition: ErrorDefinition): void {
    this.#keepAlive?.stop();
    this.#recording?.discard();
    const isStream = isEventStream(this.head.contentType);
    const event = isStream ? errorEvent(this.#dialect, definition) : undefined;
    if (event !== undefined) this.#kept?.feed(Buffer.from(event));
    this.#outlet.breakOff(definition, event);
  }
}

/** Decides if the cache keeps a response: it is a success, and not a part of one (RFC 9111 section 3). */
function isStorable(status: number): boolean {
  return status >= 200 && status < 300 && status !== 206;
}
