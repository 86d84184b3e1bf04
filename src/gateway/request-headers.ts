import { hasHeader, upstreamHeaders } from './headers.ts';
import type { ProviderKey } from './provider-key.ts';
import type { HeaderPairs } from './providers/provider.ts';
import type { UpstreamRoute } from './resolve-route.ts';
import type { Step } from './step.ts';

/**
 * What a provider is sent: the caller's headers, as far as they are its business, and a key.
 * @returns without a promise unless the key must be exchanged or the request signed
 */
export function requestHeaders(
  step: Step,
  route: UpstreamRoute,
  { secret }: ProviderKey,
  nowMs: number,
): HeaderPairs | Promise<HeaderPairs> {
  const { provider, method, endpoint, body, translation } = route;
  // A key of ours goes in the place of what the caller brings.
  const keepsCredentials = step.bringsCredentials && secret === undefined;
  const headers = upstreamHeaders(step.rawHeaders, !keepsCredentials, provider.credentialHeaders);
  if (translation !== undefined && !hasHeader(headers, 'content-type')) {
    headers.push('content-type', 'application/json');
  }
  for (const [name, value] of Object.entries(provider.defaultHeaders ?? {})) {
    if (!hasHeader(headers, name)) headers.push(name, value);
  }
  if (secret === undefined) return headers;
  const added = provider.authorize(secret, { method, endpoint, body, nowMs });
  if (!(added instanceof Promise)) return [...headers, ...added];
  return added.then((pairs) => [...headers, ...pairs]);
}
