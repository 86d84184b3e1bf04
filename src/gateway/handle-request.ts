import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CachedAnswer } from './response/cache/response-cache.ts';
import { type CachePlan, planCache } from './response/cache/plan-cache.ts';
import { type Admission, countsApart } from './ingress/admit.ts';
import { callProvider } from './execution/call-provider.ts';
import { DetachedResponse } from './execution/detached-response.ts';
import type { Exchange } from './gateway-request.ts';
import { GatewayError, asGatewayError } from './gateway-error.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { errorResponse, sendError } from './response/error-body.ts';
import { rateLimitError } from './limits/limit-errors.ts';
import { CLIENT_GONE, LogEntry } from './logs/capture/log-entry.ts';
import { ProviderCallError } from './execution/provider-call-error.ts';
import { selectProviderKey, acquireProviderKey } from './execution/select-key.ts';
import { type LocalRoute, isLocal } from './routing/resolve-route.ts';
import { StepCharge } from './execution/step-charge.ts';
import { type ProviderStep, planSteps } from './routing/plan-steps.ts';
import { type StepContext, begin, gatewayHeaders, storeOf } from './execution/step-context.ts';
import { UNKNOWN_USAGE } from './usage/usage.ts';

/**
 * Handles one admitted request (see authenticate.ts) with its body: takes the rate limit, plans the steps and runs them.
 * Waits for the database only to lease more quota. Never rejects: an error becomes the response.
 */
export async function handleRequest(services: GatewayServices, exchange: Exchange): Promise<void> {
  try {
    // Before the body is parsed, so that a request that is rejected for its body counts too.
    if (exchange.isCounted !== true) await countRequest(services, exchange.admission);
    await runSteps(services, exchange, await planSteps(services, exchange));
  } catch (error) {
    if (!(error instanceof GatewayError)) exchange.log.error({ err: error }, 'the gateway failed');
    sendError(exchange, asGatewayError(error));
  }
}

/**
 * Counts a request against the rate limit of its gateway.
 * @throws GatewayError 2003 if the limit is reached
 */
export async function countRequest(
  { limits }: GatewayServices,
  admission: Admission,
): Promise<void> {
  const { isTaken, resetMs } = await limits.takeRequest(admission.gateway, countsApart(admission));
  if (!isTaken) throw rateLimitError(resetMs);
}

/** Runs the steps until one of them serves the request: each is the fallback of the one before. */
async function runSteps(
  services: GatewayServices,
  exchange: Exchange,
  steps: readonly ProviderStep[],
): Promise<void> {
  const { client } = exchange;
  for (const [index, step] of steps.entries()) {
    // The client has disconnected: a call would cost tokens for no response.
    if (client.isClosed) return;
    const entry = new LogEntry(services, exchange, step, index);
    const charge = new StepCharge(services, exchange, step);
    const isLast = index === steps.length - 1;
    const stepExchange = charge.isLasting
      ? { ...exchange, client: new DetachedResponse(client) }
      : exchange;
    const context = { services, exchange: stepExchange, step, entry, charge, index, isLast };
    try {
      return await runStep(context);
    } catch (error) {
      const isFinal = isLast || !(error instanceof GatewayError && error.isRetryable);
      endFailed(context, error, isFinal);
      if (isFinal) throw error;
    } finally {
      charge.close();
    }
  }
}

/**
 * Looks for a response in the cache, or else reserves budget and calls the provider.
 * @throws GatewayError if the client has received nothing
 */
async function runStep(context: StepContext): Promise<void> {
  const { services, exchange, step, charge } = context;
  const { route } = step;
  const chosen = await selectProviderKey(services, exchange.admission, step);
  const cache = await planCache(exchange, step, chosen);
  const cached = cache && storeOf(context).find(cache.key);
  if (cached !== undefined) {
    await charge.readBudget();
    return replay(context, cached);
  }
  await charge.reserve();
  if (isLocal(route)) return answerLocally(context, route, cache);
  const key = await acquireProviderKey(services, chosen);
  return callProvider(context, route, key, cache);
}

/**
 * Writes the log row of a step that failed, if a provider was called, and charges what the call may cost.
 * @param isFinal the client receives this error
 */
function endFailed(
  { exchange, entry, charge }: StepContext,
  error: unknown,
  isFinal: boolean,
): void {
  if (!(error instanceof GatewayError) || !entry.hasAttempt) return entry.abandon();
  if (isFinal && !exchange.client.isClosed) {
    const { headers, body } = errorResponse(exchange, error);
    entry.capture(headers)?.onChunk(Buffer.from(body));
  }
  const call = error instanceof ProviderCallError ? error : undefined;
  const end = call?.mayBeBilled === true ? 'unanswered' : 'unbilled';
  charge.settle(entry, call?.usage ?? UNKNOWN_USAGE, end, error.status);
}

/** Responds from the cache. */
function replay(context: StepContext, { status, headers, chunks, usage }: CachedAnswer): void {
  const { services, exchange, entry } = context;
  const { client } = exchange;
  const nowMs = services.clock.now();
  entry.begin(status, nowMs, true);
  const length = String(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  const replayed = gatewayHeaders(context, 'HIT', { ...headers, 'content-length': length });
  const captured = entry.capture(replayed);
  client.begin(status, replayed, false);
  const last = chunks.at(-1);
  for (const chunk of chunks) {
    captured?.onChunk(chunk);
    // The last chunk goes with the end: one write for most responses.
    if (chunk !== last) client.write(chunk);
  }
  client.end(last);
  // A cached response has a known cost of zero.
  entry.end(usage, 0, nowMs, { usageSource: 'provider' });
}

// So many pieces take a few milliseconds.
const PIECES_PER_TURN = 256;

async function answerLocally(
  context: StepContext,
  { provider, method, path, body }: LocalRoute,
  cache: CachePlan | undefined,
): Promise<void> {
  const { services, exchange, entry, charge, isLast } = context;
  const { client } = exchange;
  entry.attempt(1);
  const local = provider.respond({ method, path, body, nowMs: services.clock.now() });
  const { status, usage } = local;
  if (status >= 400 && !isLast) {
    const captured = entry.capture({ 'content-type': local.contentType });
    if (typeof local.body === 'string') captured?.onChunk(Buffer.from(local.body));
    const definition = { ...gatewayErrors.upstreamFailed, status };
    throw new ProviderCallError(definition, { isSent: true, isRejection: true, usage });
  }
  const isWhole = typeof local.body === 'string';
  const sink = begin(context, cache, false, status, {
    'content-type': local.contentType,
    ...(isWhole ? { 'content-length': String(Buffer.byteLength(local.body as string)) } : {}),
  });
  let pieces = 0;
  for (const chunk of isWhole ? [local.body as string] : local.body) {
    if (client.isClosed) break;
    // Lets the event loop serve other requests.
    if (++pieces % PIECES_PER_TURN === 0) await nextTurn();
    if (!sink.write(Buffer.from(chunk))) await client.drained(services.upstreamIdleTimeoutMs);
  }
  const isClosed = client.isClosed;
  if (isClosed) sink.abandon();
  const failure = isClosed ? CLIENT_GONE : sink.end()?.status;
  charge.settle(entry, usage, 'whole', failure);
}
