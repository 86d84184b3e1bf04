import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CachedAnswer } from './cache/answer-cache.ts';
import { type CacheUse, cacheUseOf } from './cache/cache-use.ts';
import { type Admission, countsApart } from './authenticate.ts';
import { callProvider } from './call-provider.ts';
import { LastingOutlet } from './deferred/lasting-outlet.ts';
import { type Exchange, refuse } from './exchange.ts';
import type { GatewayServices } from './gateway-services.ts';
import { CLIENT_GONE, LogEntry } from './logs/capture/log-entry.ts';
import { chosenKeyOf, lendKey } from './provider-key.ts';
import { type LocalRoute, isLocal } from './resolve-route.ts';
import { StepCharge } from './step-charge.ts';
import { type StepRefusal, limitReached } from './step-refusal.ts';
import { stepsOf } from './step.ts';
import { type Turn, admitStep, begin, gatewayHeaders, giveUp, storeOf } from './turn.ts';

/**
 * Handles one admitted request (see authenticate.ts) with its body: takes the rate limit, plans the steps, then for each
 * step looks in the cache, reserves budget, calls the provider and records the outcome. Waits for the database only to
 * lease more quota.
 */
export async function forward(services: GatewayServices, exchange: Exchange): Promise<void> {
  const { outlet, admission } = exchange;
  // Before the body is parsed, so that a request that is rejected for its body counts too.
  if (exchange.isCounted !== true) {
    const limited = await countRequest(services, admission);
    if (limited !== undefined) return refuse(exchange, limited.definition, limited.headers);
  }
  const steps = await stepsOf(services, exchange);
  if ('code' in steps) return refuse(exchange, steps);
  for (const [index, step] of steps.entries()) {
    // The client has disconnected: a call would cost tokens for no response.
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
 * Counts a request against the rate limit of its gateway. Never fails.
 * @returns the refusal, if the limit is reached
 */
export async function countRequest(
  { limits }: GatewayServices,
  admission: Admission,
): Promise<StepRefusal | undefined> {
  const taken = await limits.takeRequest(admission.gateway, countsApart(admission));
  return taken.isTaken ? undefined : limitReached(taken.resetMs);
}

/** @returns true if the client has its response. Otherwise the next step follows */
async function takeStep(turn: Turn): Promise<boolean> {
  const { services, exchange, step } = turn;
  const chosen = await chosenKeyOf(services, exchange.admission, step);
  const cache = await cacheUseOf(exchange, step, chosen);
  const cached = cache && storeOf(turn).find(cache.key);
  if (cached !== undefined) {
    await turn.charge.readBudget();
    return replay(turn, cached);
  }

  const refusal = await admitStep(turn);
  if (refusal !== undefined) return giveUp(turn, refusal);
  const { route } = step;
  if (isLocal(route)) return answerLocally(turn, route, cache);
  if ('definition' in chosen) return giveUp(turn, chosen);
  const key = await lendKey(services, chosen);
  if ('definition' in key) return giveUp(turn, key);
  return callProvider(turn, route, key, cache);
}

/** Responds from the cache. */
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
    // The last chunk goes with the end: one write for most responses.
    if (chunk !== last) outlet.write(chunk);
  }
  outlet.end(last);
  // A cached response has a known cost of zero.
  entry.end(usage, 0, nowMs, { usageSource: 'provider' });
  return true;
}

// So many pieces take a few milliseconds.
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
