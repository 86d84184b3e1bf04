import type { IncomingHttpHeaders } from 'node:http';
import { type ResponseSink, isEventStream } from '../response/response-sink.ts';
import type { EmbeddedError } from '../response/embedded-error.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { parseRetryAfter } from '../../lib/retry-after.ts';
import { firstOf } from '../http-headers.ts';
import { CLIENT_GONE } from '../capture/log-entry.ts';
import type { RejectedCapture } from '../capture/rejected-capture.ts';
import { ProviderCallError } from './provider-call-error.ts';
import { downstreamHeaders } from '../response/response-headers.ts';
import { shouldRetryOf } from './retry.ts';
import type { CallEnd } from './step-charge.ts';
import { type StepContext, begin } from './step-context.ts';
import type { Outcome } from './upstream-call.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import type { UpstreamRoute } from '../gateway-request.ts';

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
    this.#sink = begin(context, plan, { status: shown, headers: head, holdsHead });
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
