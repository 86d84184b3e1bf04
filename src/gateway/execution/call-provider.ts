import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { createResponseProbe } from '../response/response-probe.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { CLIENT_GONE } from '../logs/capture/log-entry.ts';
import { ProviderCallError } from './provider-call-error.ts';
import { type SelectedKey, type ProviderKey, acquireProviderKey } from './select-key.ts';
import type { HeaderPairs, UpstreamProvider } from '../providers/provider.ts';
import { requestHeaders } from './request-headers.ts';
import type { UpstreamRoute } from '../routing/resolve-route.ts';
import { ReceivedResponse } from './received-response.ts';
import { delayOrAbort, retryPolicyOf, retryDelayMs } from './retry.ts';
import { SecretMask, sentSecrets } from './secret-mask.ts';
import { type StepContext, gatewayHeaders } from './step-context.ts';
import { type Outcome, callUpstream } from './upstream-call.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';

/**
 * Calls the provider of a step until it responds, or the last attempt fails.
 * @throws GatewayError if the client has received nothing
 */
export async function callProvider(
  context: StepContext,
  route: UpstreamRoute,
  key: SelectedKey,
  cache: CachePlan | undefined,
): Promise<void> {
  const { services, exchange, step, entry, charge } = context;
  const retry = retryPolicyOf(exchange.admission.gateway, step.options);
  for (let attempt = 1; ; attempt++) {
    entry.attempt(attempt);
    const waitOf = (error: ProviderCallError) =>
      services.calls.isStopping ? undefined : retryDelayMs(retry, attempt, error);
    try {
      return await callOnce(context, route, key, cache, waitOf);
    } catch (error) {
      if (!(error instanceof ProviderCallError)) throw error;
      const waitMs = waitOf(error);
      if (waitMs === undefined) {
        Object.assign(
          error.headers,
          gatewayHeaders(context, cache === undefined ? undefined : 'MISS'),
        );
        throw error;
      }
      await prepareAttempt(context, key, error);
      await delayOrAbort(waitMs, services.calls, exchange.client);
      if (exchange.client.isClosed)
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
  { services, charge }: StepContext,
  key: SelectedKey,
  { isSent, mayBeBilled }: ProviderCallError,
): Promise<void> {
  if (!isSent) return;
  if (mayBeBilled) await charge.addAttempt();
  await acquireProviderKey(services, key);
  if (mayBeBilled) await charge.reserve();
}

/** @param requestTimeoutMs longest wait that the client asks for; the settings may allow more */
function dispatchOptions(
  { upstreamHeadersTimeoutMs, upstreamIdleTimeoutMs }: GatewayServices,
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

/**
 * Calls a provider once. Logs the result if the client received a part of the response.
 * @throws ProviderCallError if the client has received nothing
 */
async function callOnce(
  context: StepContext,
  route: UpstreamRoute,
  key: ProviderKey,
  cache: CachePlan | undefined,
  waitOf: (error: ProviderCallError) => number | undefined,
): Promise<void> {
  const { services, exchange, step, charge } = context;
  const { provider } = route;
  const firstByteTimeoutMs = charge.isLasting ? undefined : step.options.requestTimeoutMs;
  const report = (error: unknown) =>
    exchange.log.warn({ err: error, provider: provider.name }, 'the provider failed');
  let headers: HeaderPairs;
  try {
    headers = await requestHeaders(step, route, key, services.clock.now());
  } catch (error) {
    report(error);
    throw new ProviderCallError(gatewayErrors.upstreamFailed, { isSent: false });
  }
  const options = dispatchOptions(services, route, headers, step.options.requestTimeoutMs);
  const received = new ReceivedResponse({
    context,
    route,
    cache,
    holdsHead: firstByteTimeoutMs !== undefined,
    waitOf,
  });
  charge.send(headers);
  const secrets = sentSecrets(key.secret, headers, provider.credentialHeaders);
  const call = services.calls.open(exchange.client, firstByteTimeoutMs);
  const agent = provider.isTrusted ? services.agent : services.guardedAgent;
  const calling = callUpstream(agent, options, {
    client: exchange.client,
    call,
    idleTimeoutMs: services.upstreamIdleTimeoutMs,
    maxHoldMs: services.streamPingIntervalMs,
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
  try {
    received.settle(await counted(calling, services, provider));
  } finally {
    call.close();
  }
}

/** Counts a call that failed, for the metrics. A rejection was counted by its status. */
async function counted(
  call: Promise<Outcome>,
  { upstreamErrors }: GatewayServices,
  provider: UpstreamProvider,
): Promise<Outcome> {
  try {
    const outcome = await call;
    if (outcome.failure !== undefined) upstreamErrors.countFailure(provider, outcome.failure);
    return outcome;
  } catch (error) {
    if (error instanceof ProviderCallError && !error.isRejection) {
      upstreamErrors.countFailure(provider, error);
    }
    throw error;
  }
}
