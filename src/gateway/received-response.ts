import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, isEventStream } from './answers/answer.ts';
import type { EmbeddedError } from './answers/embedded-error.ts';
import type { CacheUse } from './cache/cache-use.ts';
import { gatewayErrors } from './gateway-errors.ts';
import { firstOf } from './headers.ts';
import { CLIENT_GONE } from './logs/capture/log-entry.ts';
import type { RefusedAnswer } from './logs/capture/refused-answer.ts';
import type { UpstreamRoute } from './resolve-route.ts';
import { downstreamHeaders } from './response-headers.ts';
import { retryAfterOf, shouldRetryOf } from './retry.ts';
import type { CallEnd } from './step-charge.ts';
import { type Turn, begin } from './turn.ts';
import type { Failure, Outcome } from './upstream-call.ts';
import { UNKNOWN_USAGE } from './usage/usage.ts';

/** One call of a provider. */
interface ProviderCall {
  readonly turn: Turn;
  readonly route: UpstreamRoute;
  readonly cache: CacheUse | undefined;
  /** The response begins only when its first byte is there. */
  readonly holdsHead: boolean;
  /** Milliseconds until the next attempt; undefined when there is none. */
  readonly waitOf: (failure: Failure) => number | undefined;
}

/** The end of a call without a response. */
export function endWithout(isSent: boolean): CallEnd {
  return isSent ? 'unanswered' : 'unbilled';
}

/** The end of a call with a response. */
function endOf(isAccepted: boolean, failure: number | undefined): CallEnd {
  if (!isAccepted) return 'unbilled';
  return failure === undefined ? 'whole' : 'broken';
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

/** The failure of a response with an error status, or with an error in it. */
function rejection(
  status: number,
  head: IncomingHttpHeaders,
  error: EmbeddedError | undefined,
  nowMs: number,
): Failure {
  const shouldRetry = shouldRetryOf(head) ?? (error?.isPermanent === true ? false : undefined);
  return {
    kind: 'rejected',
    status,
    retryAfterMs: retryAfterOf(head, nowMs) ?? error?.retryAfterMs,
    ...(shouldRetry === undefined ? {} : { shouldRetry }),
  };
}

/** The response to one call of a provider: decides if the client gets it, and settles its cost. */
export class ReceivedResponse {
  /** For the log: a response that the client does not get. */
  unwanted: RefusedAnswer | undefined;
  readonly #call: ProviderCall;
  #answer: Answer | undefined;
  #error: EmbeddedError | undefined;
  /** The provider bills it. */
  #isAccepted = false;

  constructor(call: ProviderCall) {
    this.#call = call;
  }

  /** Returns the response that the client gets, or the failure that another attempt or step follows. */
  accept(
    receivedStatus: number,
    head: IncomingHttpHeaders,
    error: EmbeddedError | undefined,
  ): Answer | Failure {
    const { turn, route, cache, holdsHead, waitOf } = this.#call;
    const { services, entry, isLast } = turn;
    const status = receivedStatus >= 400 ? receivedStatus : (error?.status ?? receivedStatus);
    const isIncomplete = error?.isIncomplete === true;
    this.#error = receivedStatus >= 400 ? undefined : error;
    services.upstreamErrors.noteStatus(route.provider, status);
    if (status >= 400) {
      const failure: Failure = isIncomplete
        ? { kind: 'failed', failure: gatewayErrors.upstreamFailed, isSent: true }
        : rejection(status, head, error, services.clock.now());
      if (!isLast || waitOf(failure) !== undefined) {
        this.unwanted = entry.keepRefused(downstreamHeaders(head));
        return failure;
      }
    }
    this.#isAccepted = status < 400 || isIncomplete;
    const shown =
      this.#error === undefined ? status : shownStatus(route, receivedStatus, head, this.#error);
    this.#answer = begin(turn, cache, holdsHead, shown, head);
    return this.#answer;
  }

  /**
   * Another attempt depends on the body: it may say that the error is permanent, or ask for a wait.
   * @param status of a refusal
   */
  mayRetry(status: number, head: IncomingHttpHeaders): boolean {
    const { turn, waitOf } = this.#call;
    return waitOf(rejection(status, head, undefined, turn.services.clock.now())) !== undefined;
  }

  #failureOf(outcome: Outcome): number | undefined {
    return (
      this.#error?.status ?? (outcome.kind === 'answered' ? outcome.failure?.status : undefined)
    );
  }

  /** Settles the cost of the call once its response has ended. */
  settle(outcome: Extract<Outcome, { kind: 'answered' | 'gone' }>): void {
    const { entry, charge } = this.#call.turn;
    if (outcome.kind === 'gone') this.#answer?.abandon();
    const isGone = outcome.kind === 'gone' && this.#answer?.isComplete?.() !== true;
    const failure = isGone ? CLIENT_GONE : this.#failureOf(outcome);
    const isSent = outcome.kind === 'gone' && outcome.isSent;
    const end = this.#answer === undefined ? endWithout(isSent) : endOf(this.#isAccepted, failure);
    charge.settle(entry, this.#answer?.usage() ?? UNKNOWN_USAGE, end, failure);
  }
}
