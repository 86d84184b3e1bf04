import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type ErrorDefinition, httpErrors } from '../../http/errors.ts';
import { endedUnanswered } from '../../http/used-connections.ts';
import type { ResponseSink } from '../response/response-sink.ts';
import type { BodyDecoder } from '../../lib/body-decoder.ts';
import type { EmbeddedError } from '../response/embedded-error.ts';
import { NO_ERROR, type ResponseProbe, type Verdict } from '../response/response-probe.ts';
import { decodeResponse } from '../response/response-decoder.ts';
import type { SecretMask } from './secret-mask.ts';
import { type ActiveCall, clientClosed, firstByteTimeout, shuttingDown } from './active-calls.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { RejectedCapture } from '../capture/rejected-capture.ts';
import { ProviderCallError } from './provider-call-error.ts';
import type { ClientResponse } from '../gateway-request.ts';

/** The end of a call of a provider whose response has begun, or whose client has disconnected. */
export interface Outcome {
  /** The client disconnected before the end of the response. */
  isClosed: boolean;
  /** The provider may have received the request. */
  isSent: boolean;
  /** The response is not complete. */
  failure?: ErrorDefinition | undefined;
}

/** Dependencies and decisions of one call. */
export interface CallControl {
  client: ClientResponse;
  /** Aborts the call. */
  call: ActiveCall;
  /** Longest time without progress of a slow client. */
  idleTimeoutMs: number;
  /** Longest time for which the first bytes of a response are held to decide about it. */
  maxHoldMs: number;
  /** Creates a probe for a response whose first bytes decide if it is accepted; undefined: its status does. */
  probe(status: number, headers: IncomingHttpHeaders): ResponseProbe | undefined;
  /**
   * The response begins.
   * @param error in a response with a success status
   * @throws ProviderCallError if the client does not get the response
   */
  accept(
    status: number,
    headers: IncomingHttpHeaders,
    error: EmbeddedError | undefined,
  ): ResponseSink;
  /** Receives the rest of a discarded response. */
  discarded?(): RejectedCapture | undefined;
  /** Removes the key that the gateway sent from the response. */
  mask?: SecretMask | undefined;
  /** Reports an error to the operator. */
  report(error: Error): void;
}

/**
 * Calls a provider once.
 * @throws ProviderCallError if the client has received nothing
 */
export function callUpstream(
  agent: Dispatcher,
  options: Dispatcher.DispatchOptions,
  control: CallControl,
): Promise<Outcome> {
  const call = new UpstreamCall(agent, options, control);
  call.begin();
  return call.outcome;
}

const discarded = new Error('the response is no longer needed');

// The connection of a discarded response can be reused if the response ends within so many bytes.
const MAX_DISCARDED_BYTES = 64 * 1024;

// The news of a closed connection takes at most one round trip. A later end may be the reaction to this request.
const STALE_WITHIN_MS = 500;
// After a restart of the provider, several connections are stale.
const MAX_STALE = 3;

// The process cannot open more connections (see LATCHKEY_MAX_CONNECTIONS).
const NO_ROOM_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const stoppingError: ErrorDefinition = {
  ...httpErrors.unavailable,
  message: `${httpErrors.unavailable.message}: the server is stopping`,
};

function definitionOf(error: Error): ErrorDefinition {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error === shuttingDown) return stoppingError;
  if (error === firstByteTimeout || TIMEOUT_CODES.has(code)) return gatewayErrors.upstreamTimedOut;
  if (NO_ROOM_CODES.has(code)) return httpErrors.unavailable;
  // An invalid header or path: undici did not send the request.
  if (code === 'UND_ERR_INVALID_ARG') return httpErrors.malformedRequest;
  return gatewayErrors.upstreamFailed;
}

/** Removes the bytes of the response from errors of the HTTP parser, so that they do not reach the log. */
function withoutAnswer(error: Error): Error {
  if ('data' in error) error.data = undefined;
  return error;
}

/** A response whose first bytes do not suffice for a decision yet. */
interface HeldResponse {
  status: number;
  headers: IncomingHttpHeaders;
  probe: ResponseProbe;
  chunks: Buffer[];
  timer: NodeJS.Timeout;
}

/** One call of a provider. Forwards the response chunk by chunk. */
class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Outcome>;
  readonly #agent: Dispatcher;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #reject: (error: Error) => void;
  readonly #control: CallControl;
  #staleConnections = 0;
  #sentAtMs = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: ResponseSink | undefined;
  #held: HeldResponse | undefined;
  #hasBytes = false;
  #decoder: BodyDecoder | undefined;
  /** The client reads slowly. */
  #isWaiting = false;
  #isDiscarded = false;
  #discardedBytes = 0;
  #isOver = false;
  #isSent = false;

  constructor(agent: Dispatcher, options: Dispatcher.DispatchOptions, control: CallControl) {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#agent = agent;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#control = control;
    const { signal } = control.call;
    signal.addEventListener('abort', () => this.#cancel(signal.reason as Error));
  }

  /** Call it once. */
  begin(): void {
    const { signal } = this.#control.call;
    if (signal.aborted) this.#fail(signal.reason as Error);
    else this.#dispatch();
  }

  #dispatch(): void {
    try {
      this.#agent.dispatch(this.#options, this);
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  #cancel(reason: Error): void {
    if (this.#controller === undefined) return this.#fail(reason);
    this.#controller.abort(reason);
    // The compressed response may be complete, so that the connection has nothing to abort.
    if (this.#decoder !== undefined) this.onResponseError(this.#controller, reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAtMs = performance.now();
    const { signal } = this.#control.call;
    // The call was aborted while it waited for a connection.
    if (signal.aborted) return controller.abort(signal.reason as Error);
    this.#isSent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    received: IncomingHttpHeaders,
  ): void {
    // 103 and similar statuses announce a response. They do not extend the timeout.
    if (status < 200) {
      const waitedMs = performance.now() - this.#sentAtMs;
      if (waitedMs > (this.#options.headersTimeout ?? Infinity)) controller.abort(firstByteTimeout);
      return;
    }
    const decoded = this.#decode(controller, status, received);
    const headers = this.#control.mask?.maskHeaders(decoded) ?? decoded;
    const probe = this.#control.probe(status, headers);
    if (probe === undefined) return this.#accept(status, headers, undefined);
    const timer = setTimeout(() => {
      this.#release(controller, NO_ERROR);
      this.#sink?.ping();
    }, this.#control.maxHoldMs);
    this.#held = { status, headers, probe, chunks: [], timer };
  }

  /** Returns the headers of the decoded response. */
  #decode(
    controller: Dispatcher.DispatchController,
    status: number,
    received: IncomingHttpHeaders,
  ): IncomingHttpHeaders {
    if (received['content-encoding'] === undefined) return received;
    const fail = (error: Error): void => {
      controller.abort(error);
      // The request may be over already.
      this.onResponseError(controller, error);
    };
    // An error that is thrown in an event of the decoder would end the process.
    const safely = (handle: () => void): void => {
      try {
        handle();
      } catch (error) {
        fail(error as Error);
      }
    };
    const decoded = decodeResponse(status, received, {
      onChunk: (chunk) => safely(() => this.#receive(controller, chunk)),
      onEnd: () => safely(() => this.#finish(controller)),
      onError: fail,
      onDrain: () => {
        if (!this.#isWaiting) controller.resume();
      },
    });
    this.#decoder = decoded?.decoder;
    return decoded?.headers ?? received;
  }

  #accept(status: number, headers: IncomingHttpHeaders, error: EmbeddedError | undefined): void {
    try {
      this.#sink = this.#control.accept(status, headers, error);
    } catch (rejection) {
      if (!(rejection instanceof ProviderCallError)) throw rejection;
      this.#isDiscarded = true;
      this.#control.call.stopTimer();
      this.#reject(rejection);
    }
  }

  /** Forwards the held bytes after the decision, or after the longest time. */
  #release(controller: Dispatcher.DispatchController, verdict: Verdict): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    clearTimeout(held.timer);
    const { contentType } = held.probe;
    const headers =
      contentType === undefined ? held.headers : { ...held.headers, 'content-type': contentType };
    this.#accept(held.status, headers, verdict === NO_ERROR ? undefined : verdict);
    for (const chunk of held.chunks) this.#pass(controller, chunk);
  }

  onResponseData(controller: Dispatcher.DispatchController, received: Buffer): void {
    if (!this.#hasBytes) {
      this.#hasBytes = true;
      this.#control.call.stopTimer();
    }
    if (this.#decoder === undefined) this.#receive(controller, received);
    else if (!this.#decoder.write(received)) controller.pause();
  }

  #receive(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    const chunk = this.#control.mask?.feed(bytes) ?? bytes;
    if (chunk.length > 0) this.#take(controller, chunk);
  }

  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held === undefined) return this.#pass(controller, chunk);
    this.#held.chunks.push(chunk);
    const verdict = this.#held.probe.feed(chunk);
    if (verdict !== undefined) this.#release(controller, verdict);
  }

  #pass(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDiscarded) {
      this.#discardedBytes += chunk.length;
      this.#control.discarded?.()?.onChunk(chunk);
      if (this.#discardedBytes > MAX_DISCARDED_BYTES) controller.abort(discarded);
      return;
    }
    if (this.#sink?.write(chunk) !== false) return;
    if (!this.#isWaiting) void this.#waitForClient(controller);
  }

  /** Backpressure: a slow client slows the provider down. */
  async #waitForClient(controller: Dispatcher.DispatchController): Promise<void> {
    this.#isWaiting = true;
    controller.pause();
    this.#decoder?.pause();
    const { client, idleTimeoutMs } = this.#control;
    await client.drained(idleTimeoutMs);
    this.#isWaiting = false;
    this.#decoder?.resume();
    controller.resume();
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#control.call.stopTimer();
    if (this.#decoder === undefined) this.#finish(controller);
    else this.#decoder.end();
  }

  #finish(controller: Dispatcher.DispatchController): void {
    const rest = this.#control.mask?.end();
    if (rest !== undefined && rest.length > 0) this.#take(controller, rest);
    if (this.#held !== undefined) this.#release(controller, this.#held.probe.end());
    if (this.#isDiscarded) return this.#control.discarded?.()?.onEnd();
    try {
      const failure = this.#sink?.end();
      this.#resolve({ isClosed: false, isSent: true, failure });
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#decoder?.destroy();
    if (this.#isDiscarded) this.#control.discarded?.()?.onEnd();
    else if (this.#isStale(error)) this.#sendAgain();
    else this.#fail(error);
  }

  /**
   * Returns true if the provider closed a reused connection, probably before it read the request. The gateway repeats the
   * call, at most three times: a second call of a model costs less than a failed request, and browsers do the same. (RFC
   * 9110 section 9.2.2 advises against it for methods that are not idempotent.)
   */
  #isStale(error: Error): boolean {
    return (
      !this.#control.call.signal.aborted &&
      this.#staleConnections < MAX_STALE &&
      endedUnanswered(error, this.#sentAtMs) &&
      performance.now() - this.#sentAtMs < STALE_WITHIN_MS
    );
  }

  #sendAgain(): void {
    this.#staleConnections++;
    this.#controller = undefined;
    // The agent has not yet removed the broken connection.
    queueMicrotask(() => {
      if (!this.#isOver) this.#dispatch();
    });
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#control.call.stopTimer();
    clearTimeout(this.#held?.timer);
    this.#held = undefined;
    const isSent = this.#isSent;
    if (this.#control.call.signal.reason === clientClosed)
      return this.#resolve({ isClosed: true, isSent });
    this.#control.report(withoutAnswer(error));
    const failure = definitionOf(error);
    if (!this.#control.client.hasBegun) {
      return this.#reject(new ProviderCallError(failure, { isSent }));
    }
    this.#sink?.fail(failure);
    this.#resolve({ isClosed: false, isSent, failure });
  }
}
