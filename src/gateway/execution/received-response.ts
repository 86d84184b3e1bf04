import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from '../../lib/retry-after.ts';
import { CLIENT_GONE } from '../capture/log-entry.ts';
import type { RejectedCapture } from '../capture/rejected-capture.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { UpstreamRoute } from '../gateway-request.ts';
import { type ResponseHeaders, firstOf } from '../http-headers.ts';
import { addBudgetHeaders } from '../limits/budget-headers.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import type { EmbeddedError } from '../response/embedded-error.ts';
import { errorBody } from '../response/error-body.ts';
import { buildPipeline } from '../response/pipeline.ts';
import { addOwnHeaders, downstreamHeaders } from '../response/response-headers.ts';
import { type Head, type ResponseSink, isEventStream } from '../response/response-sink.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { ProviderCallError } from './provider-call-error.ts';
import { shouldRetryOf } from './retry.ts';
import type { CallEnd } from './step-charge.ts';
import type { StepContext } from './step-context.ts';
import type { Outcome } from './upstream-call.ts';

/** One attempt of a provider call. */
interface Attempt {
  readonly context: StepContext;
  readonly route: UpstreamRoute;
  readonly plan: CachePlan | undefined;
  /** The response begins when its first byte arrives. */
  readonly holdsHead: boolean;
  /** Returns the milliseconds until the next attempt; undefined if none follows. */
  readonly waitOf: (error: ProviderCallError) => number | undefined;
}

/**
 * The status that the client gets for a success that contains an error. Its body passes unchanged, so events and
 * complete objects, such as a failed response, keep the status under which clients understand them.
 */
function shownStatus(
  { translation }: UpstreamRoute,
  received: number,
  headers: IncomingHttpHeaders,
  { status, isObject, isIncomplete }: EmbeddedError,
): number {
  if (isIncomplete) return received;
  const isUnderstood = isObject || isEventStream(firstOf(headers['content-type']));
  return translation === undefined && isUnderstood ? received : status;
}

/** The error for a response with an error status, or with an error in it. */
function rejection(
  status: number,
  head: IncomingHttpHeaders,
  error: EmbeddedError | undefined,
  nowMs: number,
): ProviderCallError {
  return new ProviderCallError(
    { ...gatewayErrors.upstreamFailed, status },
    {
      isSent: true,
      isRejection: true,
      retryAfterMs: parseRetryAfter(head, nowMs) ?? error?.retryAfterMs,
      shouldRetry: shouldRetryOf(head) ?? (error?.isPermanent === true ? false : undefined),
    },
  );
}

/** The response to one call of a provider: decides if the client gets it, and settles its cost. */
export class ReceivedResponse {
  /** For the log: a response that the client does not get. */
  discarded: RejectedCapture | undefined;
  readonly #attempt: Attempt;
  #sink: ResponseSink | undefined;
  #error: EmbeddedError | undefined;
  /** The provider bills it. */
  #isAccepted = false;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  /**
   * Returns the response that the client gets.
   * @throws ProviderCallError if another attempt or step follows
   */
  accept(
    receivedStatus: number,
    head: IncomingHttpHeaders,
    error: EmbeddedError | undefined,
  ): ResponseSink {
    const { context, route, plan, holdsHead, waitOf } = this.#attempt;
    const { runtime, entry, isLast } = context;
    const status = receivedStatus >= 400 ? receivedStatus : (error?.status ?? receivedStatus);
    const isIncomplete = error?.isIncomplete === true;
    this.#error = receivedStatus >= 400 ? undefined : error;
    runtime.upstreamErrors.countStatus(route.provider, status);
    if (status >= 400) {
      const failure = isIncomplete
        ? new ProviderCallError(gatewayErrors.upstreamFailed, { isSent: true })
        : rejection(status, head, error, runtime.clock.now());
      if (!isLast || waitOf(failure) !== undefined) {
        this.discarded = entry.captureRejected(downstreamHeaders(head));
        throw failure;
      }
    }
    this.#isAccepted = status < 400 || isIncomplete;
    const shown =
      this.#error === undefined ? status : shownStatus(route, receivedStatus, head, this.#error);
    this.#sink = beginResponse(context, plan, { status: shown, headers: head, holdsHead });
    return this.#sink;
  }

  /**
   * Returns true if the body decides about another attempt: it may contain a permanent error, or ask for a wait.
   * @param status of an error
   */
  mayRetry(status: number, head: IncomingHttpHeaders): boolean {
    const { context, waitOf } = this.#attempt;
    return waitOf(rejection(status, head, undefined, context.runtime.clock.now())) !== undefined;
  }

  /** Settles the cost of the call once its response has ended. */
  settle({ isClosed, isSent, failure }: Outcome): void {
    const { entry, charge } = this.#attempt.context;
    const sink = this.#sink;
    if (isClosed) sink?.abandon();
    const isCut = isClosed && sink?.isComplete() !== true;
    const status = isCut ? CLIENT_GONE : (this.#error?.status ?? failure?.status);
    const usage = sink?.usage() ?? UNKNOWN_USAGE;
    charge.settle(entry, usage, this.#endOf(isSent, status), status);
  }

  #endOf(isSent: boolean, failure: number | undefined): CallEnd {
    if (this.#sink === undefined) return isSent ? 'unanswered' : 'unbilled';
    if (!this.#isAccepted) return 'unbilled';
    return failure === undefined ? 'whole' : 'broken';
  }
}

/**
 * Adds the headers of the gateway: provider, model, step, log entry and cache status.
 * @param headers headers of the response
 */
export function gatewayHeaders(
  { request, step, entry, charge, index }: StepContext,
  cacheStatus: 'HIT' | 'MISS' | undefined,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  const { route, options } = step;
  addOwnHeaders(headers, request.id);
  headers['cf-aig-provider'] = route.provider.name;
  headers['cf-aig-step'] = String(index);
  headers['cf-aig-event-id'] = options.eventId ?? entry.id;
  const model = printable(route.model);
  if (model !== '') headers['cf-aig-model'] = model;
  if (entry.isKept) headers['cf-aig-log-id'] = entry.id;
  if (cacheStatus !== undefined) headers['cf-aig-cache-status'] = cacheStatus;
  const { budget } = charge;
  return budget === undefined ? headers : addBudgetHeaders(headers, budget);
}

const UNPRINTABLE = /[^\x20-\x7e]/;

/** Removes characters that a header cannot contain. */
function printable(text: string): string {
  return UNPRINTABLE.test(text) ? text.replaceAll(/[^\x20-\x7e]/g, '') : text;
}

/** The provider's response to begin with. */
interface BegunResponse {
  status: number;
  headers: Readonly<IncomingHttpHeaders>;
  /** The response begins when its first byte arrives. */
  holdsHead: boolean;
}

/**
 * Begins the response to the client, with copies for log and cache.
 * @param plan undefined: the response is not cached
 */
export function beginResponse(
  context: StepContext,
  plan: CachePlan | undefined,
  { status, headers: received, holdsHead }: BegunResponse,
): ResponseSink {
  const { runtime, request, step, entry, charge, cache } = context;
  const contentType = firstOf(received['content-type']);
  charge.begin(contentType);
  entry.begin(status, runtime.clock.now());
  const cacheStatus = plan === undefined ? undefined : 'MISS';
  const headers = gatewayHeaders(context, cacheStatus, downstreamHeaders(received));
  // RFC 9110 section 8.6.
  if (status === 204) delete headers['content-length'];
  return buildPipeline(
    request.client,
    step.route,
    { status, headers, contentType },
    {
      holdsHead,
      pingIntervalMs: runtime.streamPingIntervalMs,
      errorBody: (error) => errorBody(request.target, error),
      record: plan && ((head: Head) => cache.record(plan.key, plan.ttlMs, head)),
      capture: entry.capture,
    },
  );
}
