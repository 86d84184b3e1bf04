import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { type LocalRoute, isLocal } from '../gateway-request.ts';
import { CLIENT_GONE } from '../capture/log-entry.ts';
import { type CachePlan, cacheKeyOfStep, cacheTtlMs } from '../response/cache/plan-cache.ts';
import type { CachedAnswer } from '../response/cache/response-cache.ts';
import { errorResponse } from '../response/error-body.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { callProvider } from './call-provider.ts';
import { ProviderCallError } from './provider-call-error.ts';
import { acquireProviderKey, isRateLimited, selectProviderKey } from './select-key.ts';
import { beginResponse, gatewayHeaders } from './received-response.ts';
import type { StepContext } from './step-context.ts';

/**
 * Looks for a response in the cache, or else reserves budget and calls the provider.
 * @throws GatewayError if the client has received nothing
 */
export async function runStep(context: StepContext): Promise<void> {
  const { runtime, request, step, charge, cache } = context;
  const { route } = step;
  const selected = selectProviderKey(request, step);
  const ttlMs = cacheTtlMs(request, step);
  const plan =
    ttlMs > 0 ? { key: await cacheKeyOfStep(request, step, selected), ttlMs } : undefined;
  const cached = plan && cache.find(plan.key);
  if (cached !== undefined) {
    await charge.readBudget();
    return replay(context, cached);
  }
  if (charge.isLimited) await charge.reserve();
  if (isLocal(route)) return await respondLocally(context, route, plan);
  if (isRateLimited(selected)) await acquireProviderKey(runtime.charging.limits, selected);
  await callProvider(context, { route, key: selected, plan });
}

/**
 * Writes the log row of a step that failed, if a provider was called, and charges what the call may cost.
 * @param isFinal the client receives this error
 */
export function endFailedStep(
  { request, entry, charge }: StepContext,
  error: unknown,
  isFinal: boolean,
): void {
  if (!(error instanceof GatewayError) || !entry.hasAttempt) return entry.abandon();
  if (isFinal && !request.client.isClosed) {
    const { headers, body } = errorResponse(request, error);
    entry.capture(headers)?.onChunk(Buffer.from(body));
  }
  const call = error instanceof ProviderCallError ? error : undefined;
  const end = call?.mayBeBilled === true ? 'unanswered' : 'unbilled';
  charge.settle(entry, call?.usage ?? UNKNOWN_USAGE, end, error.status);
}

/** Responds from the cache. */
function replay(context: StepContext, { status, headers, chunks, usage }: CachedAnswer): void {
  const { runtime, request, entry } = context;
  const { client } = request;
  const nowMs = runtime.clock.now();
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

/** Responds with a model of this server. */
async function respondLocally(
  context: StepContext,
  { provider, method, path, body }: LocalRoute,
  plan: CachePlan | undefined,
): Promise<void> {
  const { runtime, request, entry, charge, isLast } = context;
  const { client } = request;
  entry.attempt(1);
  const local = provider.respond({ method, path, body, nowMs: runtime.clock.now() });
  const { status, usage } = local;
  if (status >= 400 && !isLast) {
    const captured = entry.capture({ 'content-type': local.contentType });
    if (typeof local.body === 'string') captured?.onChunk(Buffer.from(local.body));
    const definition = { ...gatewayErrors.upstreamFailed, status };
    throw new ProviderCallError(definition, { isSent: true, isRejection: true, usage });
  }
  const isWhole = typeof local.body === 'string';
  const length = isWhole && { 'content-length': String(Buffer.byteLength(local.body as string)) };
  const headers = { 'content-type': local.contentType, ...length };
  const sink = beginResponse(context, plan, { status, headers, holdsHead: false });
  let pieces = 0;
  for (const chunk of isWhole ? [local.body as string] : local.body) {
    if (client.isClosed) break;
    // Lets the event loop serve other requests.
    if (++pieces % PIECES_PER_TURN === 0) await nextTurn();
    if (!sink.write(Buffer.from(chunk))) await client.drained(runtime.upstreamIdleTimeoutMs);
  }
  const isClosed = client.isClosed;
  if (isClosed) sink.abandon();
  const failure = isClosed ? CLIENT_GONE : sink.end()?.status;
  charge.settle(entry, usage, 'whole', failure);
}
