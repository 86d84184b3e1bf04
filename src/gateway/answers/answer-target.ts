import type { ErrorDefinition } from '../../http/errors.ts';
import { type AnswerUse, type Head, isEventStream } from './answer.ts';
import { KeepAlive } from './keep-alive.ts';
import type { Recording } from '../cache/response-cache.ts';
import type { KeptBody } from '../logs/capture/kept-body.ts';
import type { Dialect } from '../exchange.ts';
import { errorEvent } from '../ingress/error-body.ts';
import type { ClientResponse } from '../client-response.ts';
import type { Usage } from '../usage/usage.ts';

/** Sends a response to the client, with copies for cache and log. */
export class AnswerTarget {
  readonly head: Head;
  readonly #client: ClientResponse;
  readonly #use: AnswerUse;
  readonly #dialect: Dialect;
  #recording: Recording | undefined;
  #kept: KeptBody | undefined;
  #keepAlive: KeepAlive | undefined;

  constructor(client: ClientResponse, head: Head, use: AnswerUse, dialect: Dialect) {
    this.head = head;
    this.#client = client;
    this.#use = use;
    this.#dialect = dialect;
  }

  /** Returns the body of an error of the gateway, in the format of the client. */
  errorBody(error: ErrorDefinition): object {
    return this.#use.errorBody(error);
  }

  begin(): void {
    if (this.#client.hasBegun) return;
    const { status, headers, contentType } = this.head;
    if (isStorable(status)) this.#recording = this.#use.record?.(this.head);
    this.#kept = this.#use.keep?.(headers);
    const isStream = isEventStream(contentType);
    this.#client.begin(status, headers, isStream);
    // A ping within a compressed stream would damage it.
    if (!isStream || headers['content-encoding'] !== undefined) return;
    this.#keepAlive = new KeepAlive(this.#client, this.#dialect, this.#use.pingIntervalMs);
  }

  write(chunk: Buffer): boolean {
    this.begin();
    this.#recording?.feed(chunk);
    this.#kept?.feed(chunk);
    this.#keepAlive?.note(chunk);
    return this.#client.write(chunk);
  }

  /** Sends a ping, in an event stream that has begun. */
  ping(): void {
    this.#keepAlive?.ping();
  }

  /** Sends the rest, and ends the response. */
  end(chunk?: Buffer): void {
    this.begin();
    this.#keepAlive?.stop();
    if (chunk !== undefined) {
      this.#recording?.feed(chunk);
      this.#kept?.feed(chunk);
    }
    this.#client.end(chunk);
  }

  complete(usage: Usage): void {
    this.#recording?.commit(usage);
  }

  abandon(): void {
    this.#keepAlive?.stop();
    this.#recording?.discard();
  }

  /** Ends a response that has begun: an event stream with an error event, any other by closing the connection. */
  fail(definition: ErrorDefinition): void {
    this.#keepAlive?.stop();
    this.#recording?.discard();
    const isStream = isEventStream(this.head.contentType);
    const event = isStream ? errorEvent(this.#dialect, definition) : undefined;
    if (event !== undefined) this.#kept?.feed(Buffer.from(event));
    this.#client.abort(definition, event);
  }
}

/** Decides if the cache keeps a response: it is a success, and not a part of one (RFC 9111 section 3). */
function isStorable(status: number): boolean {
  return status >= 200 && status < 300 && status !== 206;
}
