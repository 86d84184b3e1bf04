import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { type MaybePromise, whenKnown } from '../lib/maybe-promise.ts';
import type { Answer, Head, StartKeeping } from './answers/answer.ts';
import { type CacheUse, cacheUseOf } from './cache/cache-use.ts';
import type { AnswerCache, CachedAnswer } from './cache/answer-cache.ts';
import { createAnswer } from './answers/create-answer.ts';
import { type Admission, countsApart } from './authenticate.ts';
import { type Exchange, addOwnHeaders, refuse } from './exchange.ts';
import { LastingOutlet } from './deferred/lasting-outlet.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { firstOf } from './headers.ts';
import { downstreamHeaders } from './response-headers.ts';
import { CLIENT_GONE, LogEntry } from './logs/capture/log-entry.ts';
import type { RefusedAnswer } from './logs/capture/refused-answer.ts';
import { type CallEnd, StepCharge } from './step-charge.ts';
import type { ResponseHeaders } from './outlet.ts';
import { type ProviderKey, chosenKeyOf, lendKey } from './provider-key.ts';
import { requestHeaders } from './request-headers.ts';
import type { HeaderPairs } from './providers/provider.ts';
import { type LocalRoute, type UpstreamRoute, isLocal } from './resolve-route.ts';
import { leavesWithin, retryAfterOf, retryPolicyOf, waitBefore } from './retry.ts';
import { type StepRefusal, limitReached, spendRefusal } from './step-refusal.ts';
import { addBudgetHeaders } from './limits/budget-headers.ts';
import { type Step, stepsOf } from './step.ts';
import { type Failure, type Outcome, callUpstream } from './upstream-call.ts';
import { UNKNOWN_USAGE } from './usage/usage.ts';

/**
 * The gateway's request path, top to bottom, from where the caller has been admitted (see
 * authenticate.ts) and the body has arrived: what is asked for, is there room for it within the
 * limits, is it known already, pass it on, pass the answer back as it comes, log it. It never waits
 * for the database, but where a node needs a further slice of a limit.
 */
export async function forward(services: GatewayServices, exchange: Exchange): Promise<void> {
  const { outlet, admission } = exchange;
  // Before the body is parsed, so that a request that is rejected for its body counts too.
  if (exchange.isCounted !== true) {
    const counting = countRequest(services, admission);
    const limited = counting instanceof Promise ? await counting : counting;
    if (limited !== undefined) return refuse(exchange, limited.definition, limited.headers);
  }
  const asking = stepsOf(services, exchange);
  const steps = asking instanceof Promise ? await asking : asking;
  if ('code' in steps) return refuse(exchange, steps);
  for (const [index, step] of steps.entries()) {
    // Nobody is left to answer: a call now would cost tokens that no one sees.
    if (outlet.isGone) return;
    const isLast = index === steps.length - 1;
    const entry = new LogEntry(services, exchange, step, index);
    const charge = new StepCharge(services, exchange, step);
    const turnExchange = charge.isLasting
      ? { ...exchange, outlet: new LastingOutlet(outlet) }
      : exchange;
    try {
      const turn = { services, exchange: turnExchange, step, entry, charge, index, isLast };
      if (await takeStep(turn)) return;
    } catch (error) {
      entry.abandon();
      throw error;
    } finally {
      charge.close();
    }
  }
}

/**
 * Counts a request against the rate limit of its gateway. It never fails.
 * @returns the refusal, when the limit is reached
 */
export function countRequest(
  services: GatewayServices,
  admission: Admission,
): MaybePromise<StepRefusal | undefined> {
  const taking = services.limits.takeRequest(admission.gateway, countsApart(admission));
  return whenKnown(taking, ({ isTaken, resetMs }) => (isTaken ? undefined : limitReached(resetMs)));
}

/** One step of an exchange, and what is needed to take it. */
interface Turn {
  services: GatewayServices;
  exchange: Exchange;
  step: Step;
  entry: LogEntry;
  charge: StepCharge;
  index: number;
  /** There is no other step to fall back on. */
  isLast: boolean;
}

/** @returns whether the client has its answer; otherwise the next step is to be taken */
async function takeStep(turn: Turn): Promise<boolean> {
  const { services, exchange, step } = turn;
  const choosing = chosenKeyOf(services, exchange.admission, step);
  const chosen = choosing instanceof Promise ? await choosing : choosing;
  const looking = cacheUseOf(exchange, step, chosen);
  const cache = looking instanceof Promise ? await looking : looking;
  const cached = cache && storeOf(turn).find(cache.key);
  if (cached !== undefined) {
    const reading = turn.charge.readBudget();
    if (reading instanceof Promise) await reading;
    return replay(turn, cached);
  }

  const admitting = admitStep(turn);
  const refusal = admitting instanceof Promise ? await admitting : admitting;
  if (refusal !== undefined) return giveUp(turn, refusal);
  const { route } = step;
  if (isLocal(route)) return answerLocally(turn, route, cache);
  if ('definition' in chosen) return giveUp(turn, chosen);
  const lending = lendKey(services, chosen);
  const key = lending instanceof Promise ? await lending : lending;
  if ('definition' in key) return giveUp(turn, key);
  return callProvider(turn, route, key, cache);
}

/**
 * @param keep for the log, of a step that is logged
 * @returns whether the client has its answer: the refusal, unless there is another step
 */
function giveUp(
  { exchange, isLast }: Turn,
  { definition, headers }: StepRefusal,
  keep?: StartKeeping,
): boolean {
  if (isLast) refuse(exchange, definition, headers, keep);
  return isLast;
}

/** Reserves what the next call of the step may cost. */
function admitStep({ charge }: Turn): MaybePromise<StepRefusal | undefined> {
  return whenKnown(charge.reserve(), (refused) => refused && spendRefusal(refused));
}

/**
 * The headers by which the gateway tells what it did.
 * @param headers of the answer itself, to which they are added
 */
function gatewayHeaders(
  { exchange, step, entry, charge, index }: Turn,
  cacheStatus: 'HIT' | 'MISS' | undefined,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  const { route, options } = step;
  addOwnHeaders(headers, exchange);
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

/** What a header can hold. */
function printable(text: string): string {
  return UNPRINTABLE.test(text) ? text.replaceAll(/[^\x20-\x7e]/g, '') : text;
}

/** Selects the cache: unauthenticated clients have a separate one. */
function storeOf({ services, exchange }: Turn): AnswerCache {
  return exchange.admission.caller === undefined ? services.openCache : services.cache;
}

/** Answers with what the cache has. */
function replay(turn: Turn, { status, headers, chunks, usage }: CachedAnswer): true {
  const { services, exchange, entry } = turn;
  const { outlet } = exchange;
  const nowMs = services.clock.now();
  entry.begin(status, nowMs, true);
  const length = String(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  const replayed = gatewayHeaders(turn, 'HIT', { ...headers, 'content-length': length });
  const kept = entry.keep(replayed);
  outlet.begin(status, replayed, false);
  const last = chunks.at(-1);
  for (const chunk of chunks) {
    kept?.feed(chunk);
    // The last one goes with the end: one write for most answers.
    if (chunk !== last) outlet.write(chunk);
  }
  outlet.end(last);
  // It costs nothing, which is known.
  entry.end(usage, 0, nowMs, { usageSource: 'provider' });
  return true;
}

// The number of pieces that take a few milliseconds.
const PIECES_PER_TURN = 256;

async function answerLocally(
  turn: Turn,
  { provider, method, path, body }: LocalRoute,
  cache: CacheUse | undefined,
): Promise<boolean> {
  const { services, exchange, entry, charge, isLast } = turn;
  const { outlet } = exchange;
  const local = provider.respond({ method, path, body, nowMs: services.clock.now() });
  if (local.status >= 400 && !isLast) {
    const kept = entry.keep({ 'content-type': local.contentType });
    if (typeof local.body === 'string') kept?.feed(Buffer.from(local.body));
    charge.settle(entry, local.usage, 'whole', local.status);
    return false;
  }
  const isWhole = typeof local.body === 'string';
  const answer = begin(turn, cache, false, local.status, {
    'content-type': local.contentType,
    ...(isWhole ? { 'content-length': String(Buffer.byteLength(local.body as string)) } : {}),
  });
  let pieces = 0;
  for (const chunk of isWhole ? [local.body as string] : local.body) {
    if (outlet.isGone) break;
    // Lets the event loop serve other requests.
    if (++pieces % PIECES_PER_TURN === 0) await nextTurn();
    if (!answer.feed(Buffer.from(chunk))) await outlet.drained(services.upstreamIdleTimeoutMs);
  }
  const isGone = outlet.isGone;
  if (isGone) answer.abandon();
  const failure = isGone ? CLIENT_GONE : (await answer.end())?.status;
  charge.settle(entry, local.usage, 'whole', failure);
  return true;
}

/** An answer begins: what the client, the log and the cache get of it. */
function begin(
  turn: Turn,
  cache: CacheUse | undefined,
  holdsHead: boolean,
  status: number,
  received: Readonly<IncomingHttpHeaders>,
): Answer {
  const { services, exchange, step, entry, charge } = turn;
  const contentType = firstOf(received['content-type']);
  charge.begin(contentType);
  entry.begin(status, services.clock.now());
  const cacheStatus = cache === undefined ? undefined : 'MISS';
  const headers = gatewayHeaders(turn, cacheStatus, downstreamHeaders(received));
  const record =
    cache === undefined
      ? undefined
      : (head: Head) => storeOf(turn).record(cache.key, cache.ttlMs, head);
  return createAnswer(
    exchange.outlet,
    step.route,
    { status, headers, contentType },
    holdsHead,
    record,
    entry.keep,
  );
}

/** Calls the provider of a step until it answers, or has failed often enough. */
async function callProvider(
  turn: Turn,
  route: UpstreamRoute,
  key: ProviderKey,
  cache: CacheUse | undefined,
): Promise<boolean> {
  const { services, exchange, step, entry, charge, isLast } = turn;
  const retry = retryPolicyOf(exchange.admission.gateway, step.options);
  for (let attempt = 1; ; attempt++) {
    entry.attempt(attempt);
    const waitOf = (failure: Failure) =>
      services.calls.isStopping ? undefined : waitBefore(retry, attempt, failure);
    const outcome = await callOnce(turn, route, key, cache, waitOf);
    if (outcome.kind === 'answered' || outcome.kind === 'gone') return true;
    const waitMs = waitOf(outcome);
    const isSent = outcome.kind === 'failed' && outcome.isSent;
    if (waitMs === undefined) {
      const { status } = outcome.kind === 'failed' ? outcome.failure : outcome;
      if (outcome.kind === 'failed') {
        const headers = gatewayHeaders(turn, cache === undefined ? undefined : 'MISS');
        giveUp(turn, { definition: outcome.failure, headers }, entry.keep);
      }
      charge.settle(entry, UNKNOWN_USAGE, endWithout(isSent), status);
      return outcome.kind === 'failed' && isLast;
    }
    const refusal = await prepareAttempt(turn, isSent);
    if (refusal !== undefined) {
      charge.settle(entry, UNKNOWN_USAGE, 'unbilled', refusal.definition.status);
      return giveUp(turn, refusal, entry.keep);
    }
    if (await leavesWithin(exchange.outlet, waitMs, services.calls)) {
      charge.settle(entry, UNKNOWN_USAGE, 'unbilled', CLIENT_GONE);
      return true;
    }
  }
}

/** Charges an attempt that has failed where the provider may bill it, and reserves the next one. */
async function prepareAttempt(turn: Turn, isSent: boolean): Promise<StepRefusal | undefined> {
  if (!isSent) return undefined;
  await turn.charge.addAttempt(isSent);
  return admitStep(turn);
}

function endWithout(isSent: boolean): CallEnd {
  return isSent ? 'unanswered' : 'unbilled';
}

/** How far a call came whose answer has begun. */
function endOf(isAccepted: boolean, failure: number | undefined): CallEnd {
  if (!isAccepted) return 'unbilled';
  return failure === undefined ? 'whole' : 'broken';
}

function dispatchOptions(
  { upstreamHeadersTimeoutMs, upstreamIdleTimeoutMs }: GatewayServices,
  { endpoint, method, body }: UpstreamRoute,
  headers: HeaderPairs,
): Dispatcher.DispatchOptions {
  return {
    origin: endpoint.origin,
    path: endpoint.path,
    method,
    headers,
    body: body.length > 0 ? body : null,
    headersTimeout: upstreamHeadersTimeoutMs,
    bodyTimeout: upstreamIdleTimeoutMs,
  };
}

/** Calls a provider once; what became of its answer is logged, unless nothing of it was sent. */
async function callOnce(
  turn: Turn,
  route: UpstreamRoute,
  key: ProviderKey,
  cache: CacheUse | undefined,
  waitOf: (failure: Failure) => number | undefined,
): Promise<Outcome> {
  const { services, exchange, step, entry, charge, isLast } = turn;
  const { provider } = route;
  const firstByteTimeoutMs = charge.isLasting ? undefined : step.options.requestTimeoutMs;
  const report = (error: unknown) =>
    exchange.log.warn({ err: error, provider: provider.name }, 'the provider failed');
  let headers: HeaderPairs;
  try {
    const signing = requestHeaders(step, route, key, services.clock.now());
    headers = signing instanceof Promise ? await signing : signing;
  } catch (error) {
    report(error);
    return { kind: 'failed', failure: gatewayErrors.upstreamFailed, isSent: false };
  }
  const options = dispatchOptions(services, route, headers);
  let answer: Answer | undefined;
  let unwanted: RefusedAnswer | undefined;
  let isAccepted = false;
  charge.send(headers);
  const outcome = await callUpstream(
    provider.isTrusted ? services.agent : services.guardedAgent,
    options,
    {
      outlet: exchange.outlet,
      calls: services.calls,
      idleTimeoutMs: services.upstreamIdleTimeoutMs,
      firstByteTimeoutMs,
      accept(status, received) {
        services.upstreamErrors.noteStatus(provider, status);
        if (status >= 400) {
          const retryAfterMs = retryAfterOf(received, services.clock.now());
          const failure: Failure = { kind: 'rejected', status, retryAfterMs };
          if (!isLast || waitOf(failure) !== undefined) {
            unwanted = entry.keepRefused(downstreamHeaders(received));
            return failure;
          }
        }
        isAccepted = status < 400;
        answer = begin(turn, cache, firstByteTimeoutMs !== undefined, status, received);
        return answer;
      },
      unwanted: {
        feed: (chunk) => unwanted?.feed(chunk),
        end: () => unwanted?.end(),
      },
      report,
    },
  );
  services.upstreamErrors.noteOutcome(provider, outcome);
  if (outcome.kind === 'answered' || outcome.kind === 'gone') {
    const isGone = outcome.kind === 'gone';
    if (isGone) answer?.abandon();
    const failure = isGone ? CLIENT_GONE : outcome.failure?.status;
    const isSent = isGone && outcome.isSent;
    const end = answer === undefined ? endWithout(isSent) : endOf(isAccepted, failure);
    charge.settle(entry, answer?.usage() ?? UNKNOWN_USAGE, end, failure);
  }
  return outcome;
}
