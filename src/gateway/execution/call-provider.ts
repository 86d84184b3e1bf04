import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { gatewayErrors } from '../gateway-errors.ts';
import type { ProviderStep, UpstreamRoute } from '../gateway-request.ts';
import type { GatewayRuntime } from './gateway-runtime.ts';
import { hasHeader, upstreamHeaders } from '../http-headers.ts';
import { CLIENT_GONE } from '../capture/log-entry.ts';
import type { HeaderPairs } from '../providers/provider.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import { createResponseProbe } from '../response/response-probe.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { ProviderCallError } from './provider-call-error.ts';
import { ReceivedResponse, gatewayHeaders } from './received-response.ts';
import { delayOrAbort, retryDelayMs, retryPolicyOf } from './retry.ts';
import { SecretMask, sentSecrets } from './secret-mask.ts';
import { type SelectedKey, acquireProviderKey, isRateLimited } from './select-key.ts';
import type { StepContext } from './step-context.ts';
import { callUpstream } from './upstream-call.ts';

/** A call of a provider, with its retries. */
interface ProviderCall {
  route: UpstreamRoute;
  /** Counted against its limit for the first attempt. */
  key: SelectedKey;
  /** Undefined: the response is not cached. */
  plan: CachePlan | undefined;
}

/** Returns the milliseconds until the next attempt; undefined if none follows. */
type WaitOf = (error: ProviderCallError) => number | undefined;

/**
 * Calls the provider of a step until it responds, or the last attempt fails.
 * @throws GatewayError if the client has received nothing
 */
export async function callProvider(context: StepContext, call: ProviderCall): Promise<void> {
  const { runtime, request, step, entry, charge } = context;
  const retry = retryPolicyOf(request.gateway, step.options);
  for (let attempt = 1; ; attempt++) {
    entry.attempt(attempt);
    const waitOf: WaitOf = (error) =>
      runtime.activeCalls.isStopping ? undefined : retryDelayMs(retry, attempt, error);
    try {
      return await callOnce(context, call, waitOf);
    } catch (error) {
      if (!(error instanceof ProviderCallError)) throw error;
      const waitMs = waitOf(error);
      if (waitMs === undefined) {
        const cacheStatus = call.plan === undefined ? undefined : 'MISS';
        Object.assign(error.headers, gatewayHeaders(context, cacheStatus));
        throw error;
      }
      await prepareAttempt(context, call.key, error);
      await delayOrAbort(waitMs, runtime.activeCalls, request.client);
      if (request.client.isClosed)
        return charge.settle(entry, UNKNOWN_USAGE, 'unbilled', CLIENT_GONE);
    }
  }
}

/**
 * Counts the next attempt against the limit of the key, if the provider has received the last one. A failed attempt that
 * the provider may bill is charged, and the cost of the next one reserved.
 * @throws GatewayError if a limit is reached
 */
async function prepareAttempt(
  { runtime, charge }: StepContext,
  key: SelectedKey,
  { isSent, mayBeBilled }: ProviderCallError,
): Promise<void> {
  if (!isSent) return;
  if (mayBeBilled) await charge.addAttempt();
  if (isRateLimited(key)) await acquireProviderKey(runtime.charging.limits, key);
  if (mayBeBilled) await charge.reserve();
}

/**
 * Calls a provider once. Logs the result if the client received a part of the response.
 * @throws ProviderCallError if the client has received nothing
 */
async function callOnce(
  context: StepContext,
  { route, key, plan }: ProviderCall,
  waitOf: WaitOf,
): Promise<void> {
  const { runtime, request, step, charge } = context;
  const { upstreamErrors } = runtime;
  const { provider } = route;
  const firstByteTimeoutMs = charge.isLasting ? undefined : step.options.requestTimeoutMs;
  const report = (error: unknown) =>
    request.log.warn({ err: error, provider: provider.name }, 'the provider failed');
  const { method, endpoint, body } = route;
  const { secret } = key;
  let headers: string[];
  try {
    headers = requestHeaders(step, route, secret !== undefined);
    if (secret !== undefined) {
      const nowMs = runtime.clock.now();
      headers.push(...(await provider.authorize(secret, { method, endpoint, body, nowMs })));
    }
  } catch (error) {
    report(error);
    throw new ProviderCallError(gatewayErrors.upstreamFailed, { isSent: false });
  }
  const options = dispatchOptions(runtime, route, headers, step.options.requestTimeoutMs);
  const holdsHead = firstByteTimeoutMs !== undefined;
  const received = new ReceivedResponse({ context, route, plan, holdsHead, waitOf });
  charge.send(headers);
  const secrets = sentSecrets(secret, headers, provider.credentialHeaders);
  const call = runtime.activeCalls.open(request.client, firstByteTimeoutMs);
  try {
    const outcome = await callUpstream(runtime.providers.agentFor(provider), options, {
      client: request.client,
      call,
      idleTimeoutMs: runtime.upstreamIdleTimeoutMs,
      maxHoldMs: runtime.streamPingIntervalMs,
      probe: (status, head) =>
        isJudged(route, received, status, head)
          ? createResponseProbe(
              head,
              isSuccess(status) && route.operation !== undefined,
              route.streamed !== undefined,
            )
          : undefined,
      accept: (status, head, error) => received.accept(status, head, error),
      discarded: () => received.discarded,
      mask: secrets.length > 0 ? new SecretMask(secrets) : undefined,
      report,
    });
    if (outcome.failure !== undefined) upstreamErrors.countFailure(provider, outcome.failure);
    received.settle(outcome);
  } catch (error) {
    // A rejection was counted by its status.
    if (error instanceof ProviderCallError && !error.isRejection) {
      upstreamErrors.countFailure(provider, error);
    }
    throw error;
  } finally {
    call.close();
  }
}

/**
 * Returns the headers of the client that a provider gets.
 * @param hasKey a key of this server replaces the credentials of the client
 */
function requestHeaders(
  step: ProviderStep,
  { provider, translation }: UpstreamRoute,
  hasKey: boolean,
): string[] {
  const keepsCredentials = step.bringsCredentials && !hasKey;
  const headers = upstreamHeaders(step.rawHeaders, !keepsCredentials, provider.credentialHeaders);
  if (translation !== undefined && !hasHeader(headers, 'content-type')) {
    headers.push('content-type', 'application/json');
  }
  for (const [name, value] of Object.entries(provider.defaultHeaders ?? {})) {
    if (!hasHeader(headers, name)) headers.push(name, value);
  }
  return headers;
}

/** @param requestTimeoutMs longest wait that the client asks for; the settings may allow more */
function dispatchOptions(
  { upstreamHeadersTimeoutMs, upstreamIdleTimeoutMs }: GatewayRuntime,
  { endpoint, method, body }: UpstreamRoute,
  headers: HeaderPairs,
  requestTimeoutMs = 0,
): Dispatcher.DispatchOptions {
  return {
    origin: endpoint.origin,
    path: endpoint.path,
    method,
    headers,
    body: body.length > 0 ? body : null,
    headersTimeout: Math.max(upstreamHeadersTimeoutMs, requestTimeoutMs),
    bodyTimeout: Math.max(upstreamIdleTimeoutMs, requestTimeoutMs),
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The body of a response decides about retries and fallback. */
function isJudged(
  { method }: UpstreamRoute,
  received: ReceivedResponse,
  status: number,
  head: IncomingHttpHeaders,
): boolean {
  return isSuccess(status) ? method === 'POST' : received.mayRetry(status, head);
}
