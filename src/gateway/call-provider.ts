import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { createResponseProbe } from './answers/response-probe.ts';
import type { CacheUse } from './cache/cache-use.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { CLIENT_GONE } from './logs/capture/log-entry.ts';
import { type ChosenKey, type ProviderKey, lendKey } from './provider-key.ts';
import type { HeaderPairs } from './providers/provider.ts';
import { requestHeaders } from './request-headers.ts';
import type { UpstreamRoute } from './resolve-route.ts';
import { ReceivedResponse, endWithout } from './received-response.ts';
import { leavesWithin, retryPolicyOf, waitBefore } from './retry.ts';
import { SecretMask, sentSecrets } from './secret-mask.ts';
import type { StepRefusal } from './step-refusal.ts';
import { type Turn, admitStep, gatewayHeaders, giveUp } from './turn.ts';
import { type Failure, type Outcome, callUpstream } from './upstream-call.ts';
import { UNKNOWN_USAGE } from './usage/usage.ts';

/** Calls the provider of a step until it responds, or the last attempt fails. */
export async function callProvider(
  turn: Turn,
  route: UpstreamRoute,
  key: ChosenKey,
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
    const refusal = await prepareAttempt(turn, key, outcome);
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

/**
 * Counts the next attempt against the limit of the key, if the provider has received the last one. A failed attempt that
 * the provider may bill is charged, and the cost of the next one reserved.
 */
async function prepareAttempt(
  turn: Turn,
  key: ChosenKey,
  failure: Failure,
): Promise<StepRefusal | undefined> {
  const isBilled = failure.kind === 'failed' && failure.isSent;
  if (failure.kind === 'failed' && !isBilled) return undefined;
  if (isBilled) await turn.charge.addAttempt(isBilled);
  const lent = await lendKey(turn.services, key);
  if ('definition' in lent) return lent;
  return isBilled ? admitStep(turn) : undefined;
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

/** Calls a provider once. Logs the result if the client received a part of the response. */
async function callOnce(
  turn: Turn,
  route: UpstreamRoute,
  key: ProviderKey,
  cache: CacheUse | undefined,
  waitOf: (failure: Failure) => number | undefined,
): Promise<Outcome> {
  const { services, exchange, step, charge } = turn;
  const { provider } = route;
  const firstByteTimeoutMs = charge.isLasting ? undefined : step.options.requestTimeoutMs;
  const report = (error: unknown) =>
    exchange.log.warn({ err: error, provider: provider.name }, 'the provider failed');
  let headers: HeaderPairs;
  try {
    headers = await requestHeaders(step, route, key, services.clock.now());
  } catch (error) {
    report(error);
    return { kind: 'failed', failure: gatewayErrors.upstreamFailed, isSent: false };
  }
  const options = dispatchOptions(services, route, headers, step.options.requestTimeoutMs);
  const received = new ReceivedResponse({
    turn,
    route,
    cache,
    holdsHead: firstByteTimeoutMs !== undefined,
    waitOf,
  });
  charge.send(headers);
  const secrets = sentSecrets(key.secret, headers, provider.credentialHeaders);
  const outcome = await callUpstream(
    provider.isTrusted ? services.agent : services.guardedAgent,
    options,
    {
      outlet: exchange.outlet,
      calls: services.calls,
      idleTimeoutMs: services.upstreamIdleTimeoutMs,
      firstByteTimeoutMs,
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
      unwanted: {
        feed: (chunk) => received.unwanted?.feed(chunk),
        end: () => received.unwanted?.end(),
      },
      mask: secrets.length > 0 ? new SecretMask(secrets) : undefined,
      report,
    },
  );
  services.upstreamErrors.noteOutcome(provider, outcome);
  if (outcome.kind === 'answered' || outcome.kind === 'gone') received.settle(outcome);
  return outcome;
}
