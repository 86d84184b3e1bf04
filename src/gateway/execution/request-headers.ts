import { hasHeader, upstreamHeaders } from '../http-headers.ts';
import type { ProviderKey } from './select-key.ts';
import type { HeaderPairs } from '../providers/provider.ts';
import type { UpstreamRoute } from '../routing/resolve-route.ts';
import type { ProviderStep } from '../routing/plan-steps.ts';

/**
 * Returns the headers of a provider call: those of the client that pass, and a key. The key may have to be exchanged
 * for a token first, or sign the request.
 */
export async function requestHeaders(
  step: ProviderStep,
  route: UpstreamRoute,
  { secret }: ProviderKey,
  nowMs: number,
): Promise<HeaderPairs> {
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
  const added = await provider.authorize(secret, { method, endpoint, body, nowMs });
  return [...headers, ...added];
}
