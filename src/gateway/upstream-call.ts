import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type ErrorDefinition, httpErrors } from '../http/errors.ts';
import { endedUnanswered } from '../http/used-connections.ts';
import type { Answer } from './answers/answer.ts';
import type { EmbeddedError } from './answers/embedded-error.ts';
import { NO_ERROR, type ResponseProbe, type Verdict } from './answers/response-probe.ts';
import type { SecretMask } from './secret-mask.ts';
import { type CallsUnderWay, type Stoppable, stoppingError } from './calls-under-way.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { Outlet } from './outlet.ts';
import { ProviderCallError } from './provider-call-error.ts';

/** The end of a call of a provider whose response has begun, or whose client has disconnected. */
export interface Outcome {
  /** The client disconnected before the end of the response. */
  isGone: boolean;
  /** The provider may have received the request. */
  isSent: boolean;
  /** The response is not complete. */
  failure?: ErrorDefinition | undefined;
}

/** The decisions about a call of a provider, and its surroundings. */
export interface CallControl {
  outlet: Outlet;
  /** Ends all calls when the server stops. */
  calls: CallsUnderWay;
  /** Longest that a client may take nothing. */
  idleTimeoutMs: number;
  /** Time to the first byte of the body; undefined: any. */
  firstByteTimeoutMs: number | undefined;
  /** Longest that the first bytes of a response are held back to judge it. */
  maxHoldMs: number;
  /** Creates a probe for a response whose first bytes decide if it is accepted; undefined: its status does. */
  probe(status: number, headers: IncomingHttpHeaders): ResponseProbe | undefined;
  /**
   * The response begins.
   * @param error in a response with a success status
   * @throws ProviderCallError if the client does not get the response
   */
  accept(status: number, headers: IncomingHttpHeaders, error: EmbeddedError | undefined): Answer;
  /** Takes what still comes of an answer that is not wanted. */
  unwanted?: { feed(chunk: Buffer): void; end(): void } | undefined;
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

const GONE = new Error('the client disconnected');
const TOO_LATE = Object.assign(new Error('no byte arrived in time'), {
  code: 'UND_ERR_HEADERS_TIMEOUT',
});
const STOPPING = new Error('the server is stopping');
const UNWANTED = new Error('the response is no longer needed');

// Reads so much of an unused response, so that its connection can be reused.
const MAX_UNWANTED_BYTES = 64 * 1024;

// A provider that ends a connection which it has kept open tells so within a round trip, around the world at
// most. Whatever takes longer may have been its answer to this very request.
const STALE_WITHIN_MS = 500;
// Several of them may be stale, after a restart of the provider.
const MAX_STALE = 3;

// This process may open no more; see LATCHKEY_MAX_CONNECTIONS.
const NO_ROOM_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function definitionOf(error: Error): ErrorDefinition {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error === STOPPING) return stoppingError;
  if (TIMEOUT_CODES.has(code)) return gatewayErrors.upstreamTimedOut;
  if (NO_ROOM_CODES.has(code)) return httpErrors.unavailable;
  // A header or a path that no HTTP request can have: it was not sent.
  if (code === 'UND_ERR_INVALID_ARG') return httpErrors.malformedRequest;
  return gatewayErrors.upstreamFailed;
}

/** Removes the bytes of the response that errors of the HTTP parser contain, so that logs do not contain them. */
function withoutAnswer(error: Error): Error {
  if ('data' in error) error.data = undefined;
  return error;
}

/** A response whose first bytes have not been judged. */
interface HeldResponse {
  status: number;
  headers: IncomingHttpHeaders;
  probe: ResponseProbe;
  chunks: Buffer[];
  timer: NodeJS.Timeout;
}

/** One call of a provider. Forwards the response chunk by chunk. */
class UpstreamCall implements Dispatcher.DispatchHandler, Stoppable {
  readonly outcome: Promise<Outcome>;
  place: number | undefined;
  readonly #agent: Dispatcher;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #reject: (error: Error) => void;
  readonly #control: CallControl;
  #staleConnections = 0;
  #sentAtMs = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: Answer | undefined;
  #held: HeldResponse | undefined;
  #hasBytes = false;
  #isUnwanted = false;
  #unwantedBytes = 0;
  #isGone = false;
  /** Why the call is given up, from before it has begun. */
  #givenUp: Error | undefined;
  #isOver = false;
  #isSent = false;
  #firstByteTimer: NodeJS.Timeout | undefined;

  constructor(agent: Dispatcher, options: Dispatcher.DispatchOptions, control: CallControl) {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#agent = agent;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#control = control;
    control.outlet.onGone(() => {
      this.#isGone = true;
      this.#giveUp(GONE);
    });
    if (control.firstByteTimeoutMs !== undefined) {
      this.#firstByteTimer = setTimeout(() => this.#giveUp(TOO_LATE), control.firstByteTimeoutMs);
    }
  }

  /** Call it once. */
  begin(): void {
    this.#control.calls.enter(this);
    if (!this.#isOver) this.#dispatch();
  }

  #dispatch(): void {
    try {
      this.#agent.dispatch(this.#options, this);
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  stop(): void {
    this.#giveUp(STOPPING);
  }

  #settle(outcome: Outcome): void {
    this.#control.calls.leave(this);
    this.#resolve(outcome);
  }

  #refuse(error: ProviderCallError): void {
    this.#control.calls.leave(this);
    this.#reject(error);
  }

  #giveUp(reason: Error): void {
    if (this.#controller !== undefined) return this.#controller.abort(reason);
    // There is no connection yet. When there is one, the request must not be sent any more.
    this.#givenUp = reason;
    this.#fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAtMs = performance.now();
    if (this.#givenUp !== undefined) return controller.abort(this.#givenUp);
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
      if (waitedMs > (this.#options.headersTimeout ?? Infinity)) controller.abort(TOO_LATE);
      return;
    }
    const headers = this.#control.mask?.maskHeaders(received) ?? received;
    const probe = this.#control.probe(status, headers);
    if (probe === undefined) return this.#accept(status, headers, undefined);
    const timer = setTimeout(() => {
      this.#release(controller, NO_ERROR);
      this.#answer?.ping?.();
    }, this.#control.maxHoldMs);
    this.#held = { status, headers, probe, chunks: [], timer };
  }

  #accept(status: number, headers: IncomingHttpHeaders, error: EmbeddedError | undefined): void {
    try {
      this.#answer = this.#control.accept(status, headers, error);
    } catch (rejection) {
      if (!(rejection instanceof ProviderCallError)) throw rejection;
      this.#isUnwanted = true;
      clearTimeout(this.#firstByteTimer);
      this.#refuse(rejection);
    }
  }

  /** Passes on what was held of a response that is judged, or was held long enough. */
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
      clearTimeout(this.#firstByteTimer);
    }
    const chunk = this.#control.mask?.feed(received) ?? received;
    if (chunk.length > 0) this.#take(controller, chunk);
  }

  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held === undefined) return this.#pass(controller, chunk);
    this.#held.chunks.push(chunk);
    const verdict = this.#held.probe.feed(chunk);
    if (verdict !== undefined) this.#release(controller, verdict);
  }

  #pass(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isUnwanted) {
      this.#unwantedBytes += chunk.length;
      this.#control.unwanted?.feed(chunk);
      if (this.#unwantedBytes > MAX_UNWANTED_BYTES) controller.abort(UNWANTED);
      return;
    }
    if (this.#answer?.feed(chunk) !== false) return;
    // A slow client slows the provider down instead of filling our memory.
    controller.pause();
    const { outlet, idleTimeoutMs } = this.#control;
    void outlet.drained(idleTimeoutMs).then(() => controller.resume());
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#firstByteTimer);
    const rest = this.#control.mask?.end();
    if (rest !== undefined && rest.length > 0) this.#take(controller, rest);
    if (this.#held !== undefined) this.#release(controller, this.#held.probe.end());
    if (this.#isUnwanted) return this.#control.unwanted?.end();
    void this.#endAnswer();
  }

  async #endAnswer(): Promise<void> {
    try {
      const failure = await this.#answer?.end();
      this.#settle({ isGone: false, isSent: true, failure });
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#isUnwanted) this.#control.unwanted?.end();
    else if (this.#isStale(error)) this.#sendAgain();
    else this.#fail(error);
  }

  /**
   * The provider ended a connection that it had kept open, most likely before the request got there. It
   * may have seen it nevertheless: nobody can know, and those who call a model a second time lose less than
   * those who get no answer. Browsers do the same (RFC 9110 section 9.2.2 would rather have it refused).
   */
  #isStale(error: Error): boolean {
    return (
      !this.#isGone &&
      this.#staleConnections < MAX_STALE &&
      endedUnanswered(error, this.#sentAtMs) &&
      performance.now() - this.#sentAtMs < STALE_WITHIN_MS
    );
  }

  #sendAgain(): void {
    this.#staleConnections++;
    this.#controller = undefined;
    // The agent is still busy with the connection that broke.
    queueMicrotask(() => {
      if (!this.#isOver) this.#dispatch();
    });
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#firstByteTimer);
    clearTimeout(this.#held?.timer);
    this.#held = undefined;
    const isSent = this.#isSent;
    if (this.#isGone) return this.#settle({ isGone: true, isSent });
    this.#control.report(withoutAnswer(error));
    const failure = definitionOf(error);
    if (!this.#control.outlet.hasBegun) {
      return this.#refuse(new ProviderCallError(failure, { isSent }));
    }
    this.#answer?.fail(failure);
    this.#settle({ isGone: false, isSent, failure });
  }
}
