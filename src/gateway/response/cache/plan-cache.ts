import { cacheKeyOf } from './cache-key.ts';
import {
  type GatewayRequest,
  type RequestTarget,
  type Route,
  isLocal,
  type ProviderStep,
} from '../../gateway-request.ts';
import { CREDENTIAL_HEADERS, holdsOwnSecret, hopHeadersOf } from '../../http-headers.ts';
import { callerIds } from '../../admitted-caller.ts';

/** The cache entry of a request. */
export interface CachePlan {
  key: string;
  ttlMs: number;
}

/**
 * Returns the lifetime of a response in the cache, according to the request or else its gateway.
 * @returns milliseconds; 0 if the cache is not used
 */
export function cacheTtlMs(
  { gateway, caller }: GatewayRequest,
  { route, options }: ProviderStep,
): number {
  if (options.skipCache === true || route.method !== 'POST') return 0;
  const ofGateway = gateway.cacheTtlSeconds ?? 0;
  const wantedTtl = options.cacheTtlSeconds ?? ofGateway;
  // Unauthenticated clients share their entries, so that the gateway limits the lifetime.
  return (caller === undefined ? Math.min(wantedTtl, ofGateway) : wantedTtl) * 1_000;
}

/**
 * Returns the key of a step in the cache.
 * @param chosen the key that the provider is called with
 */
export function cacheKeyOfStep(
  { gateway, caller, target }: GatewayRequest,
  step: ProviderStep,
  chosen: { secret: string | undefined },
): Promise<string> {
  const { route, options } = step;
  const { tokenId, userId } = callerIds(caller);
  return cacheKeyOf({
    accountId: gateway.accountId,
    gatewayId: gateway.id,
    generation: gateway.cacheGeneration,
    identity: { caller: { tokenId, userId }, providerKey: chosen.secret },
    provider: route.provider.name,
    method: route.method,
    path: isLocal(route) ? route.path : route.endpoint.origin + route.endpoint.path,
    shape: shapeOf(target, route),
    headers: isLocal(route) ? [] : tellingHeaders(step, route.provider.credentialHeaders),
    body: route.body,
    customKey: options.cacheKey,
  });
}

/** Names the form of a response. A custom key replaces the body, so the form contains what the body says about it. */
function shapeOf(target: RequestTarget, route: Route): string {
  const { operation, streamed, asksUsage, inputForm } = route;
  const isNamed = target.entry === 'rest' || target.entry === 'compat';
  return [
    isNamed ? target.operation : `${target.entry} ${operation ?? ''} ${inputForm ?? ''}`,
    ...(streamed === undefined ? [] : [streamed.includesUsage ? 'stream with usage' : 'stream']),
    ...(asksUsage ? ['without usage'] : []),
  ].join(' ');
}

// Headers that clients, browsers, proxies and tracing add. Some have a new value in each request.
const PLAIN_HEADER = new RegExp(
  `^(?:${[
    'host|connection|keep-alive|te|trailer|upgrade|expect|via|forwarded|cookie|date|priority|dnt',
    'user-agent|accept-encoding|content-length|cache-control|pragma|idempotency-key|sec-.*',
    'x-stainless-.*|x-forwarded-.*|x-real-ip|cdn-loop',
    'cf-(?:aig-.*|ray|visitor|connecting-ip|ipcountry)',
    'traceparent|tracestate|baggage|sentry-trace|b3|x-b3-.*|x-datadog-.*|x-amzn-trace-id',
    'x-cloud-trace-context|x-request-id|x-correlation-id|x-client-request-id|x-ms-client-request-id',
  ].join('|')})$`,
);

/**
 * Returns the headers that may change the response of a provider, such as a guardrail, a tenant or a version. A complete
 * list of such headers does not exist, so every header counts that is not known to be plain.
 */
function tellingHeaders(
  { rawHeaders, bringsCredentials }: ProviderStep,
  credentialHeaders: readonly string[],
): string[] {
  const telling: string[] = [];
  const hops = hopHeadersOf(rawHeaders);
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    // A provider does not get these.
    if (hops.has(name) || holdsOwnSecret(value)) continue;
    if (PLAIN_HEADER.test(name)) continue;
    // Otherwise the credential is for this server, and the identity of the client is a part of the key already.
    const isCredential = CREDENTIAL_HEADERS.has(name) || credentialHeaders.includes(name);
    if (!isCredential || bringsCredentials) telling.push(name, value);
  }
  return telling;
}
