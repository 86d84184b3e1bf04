import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * RFC 8707 section 2: where the access token is to be used. It is good on the whole server, so every
 * place that is named must be this one.
 * @throws ProtocolError invalid_target
 */
export function checkResource(parameters: Parameters, resourceServers: readonly string[]): void {
  const known = resourceServers.map(withoutLastSlash);
  for (const resource of parameters.getAll('resource')) {
    if (known.includes(withoutLastSlash(resource))) continue;
    const shown = resource.slice(0, 100);
    const advice = `resource must be one of ${resourceServers.join(', ')}`;
    throw new ProtocolError('invalid_target', `${shown} is not available: ${advice}`);
  }
}

function withoutLastSlash(uri: string): string {
  return uri.endsWith('/') ? uri.slice(0, -1) : uri;
}
