import { ANSWER_SHAPING_HEADERS, cacheKeyOf } from './cache-key.ts';
import type { Exchange } from './exchange.ts';
import { CREDENTIAL_HEADERS } from './headers.ts';
import { callerIds } from './logs/log-entry.ts';
import { type UpstreamRoute, isLocal } from './resolve-route.ts';
import type { Step } from './step.ts';

/** Where the answer to a request is looked for and kept. */
export interface CacheUse {
  key: string;
  ttlMs: number;
}

/**
 * Whether and where an answer is cached: as the request says itself, or else its gateway.
 * @returns undefined when the cache is not used; without a promise for a body of ordinary size
 */
export function cacheUseOf(
  { admission, wanted }: Exchange,
  { route, options, rawHeaders, bringsCredentials }: Step,
): CacheUse | undefined | Promise<CacheUse> {
  const { gateway, caller } = admission;
  const ttlSeconds = options.cacheTtlSeconds ?? gateway.cacheTtlSeconds ?? 0;
  if (ttlSeconds === 0 || options.skipCache === true || route.method !== 'POST') return undefined;
  const { tokenId, userId } = callerIds(caller);
  const key = cacheKeyOf({
    accountId: gateway.accountId,
    gatewayId: gateway.id,
    generation: gateway.cacheGeneration,
    identity: {
      caller: { tokenId, userId },
      credentials: bringsCredentials && !isLocal(route) ? credentialsOf(rawHeaders, route) : [],
      storedKeyId: options.byokAlias,
    },
    provider: route.provider.name,
    method: route.method,
    path: isLocal(route) ? route.path : route.endpoint.origin + route.endpoint.path,
    wayShape: wanted.way === 'rest' || wanted.way === 'compat' ? wanted.operation : wanted.way,
    headers: pick(rawHeaders, ANSWER_SHAPING_HEADERS),
    body: route.body,
    customKey: options.cacheKey,
  });
  const use = (digest: string): CacheUse => ({ key: digest, ttlMs: ttlSeconds * 1_000 });
  return key instanceof Promise ? key.then(use) : use(key);
}

// What clients send of themselves and of the body: nobody is known by it.
const PLAIN_HEADER =
  /^(?:user-agent|host|connection|accept.*|content-.*|x-stainless-.*|x-forwarded-.*|cf-aig-.*|traceparent|tracestate)$/i;

/** The headers by which a provider may know its caller; of one that nobody here knows, nearly all. */
function credentialsOf(rawHeaders: readonly string[], { provider }: UpstreamRoute): string[] {
  if (provider.isTrusted) {
    return pick(rawHeaders, [...CREDENTIAL_HEADERS, ...provider.credentialHeaders]);
  }
  const names = rawHeaders.filter((name, i) => i % 2 === 0 && !PLAIN_HEADER.test(name));
  return pick(
    rawHeaders,
    names.map((name) => name.toLowerCase()),
  );
}

/** Those of alternating names and values that have one of these names. */
function pick(rawHeaders: readonly string[], names: readonly string[]): string[] {
  const picked: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (names.includes(name)) picked.push(name, rawHeaders[i + 1] ?? '');
  }
  return picked;
}
