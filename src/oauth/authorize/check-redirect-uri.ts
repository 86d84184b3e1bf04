import type { RegisteredClient } from '../clients/client-directory.ts';
import { findRedirectUriFault } from '../clients/redirect-uri.ts';
import type { RedirectRules } from '../../lib/redirect-rules.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

type Registered = Pick<RegisteredClient, 'redirectUris' | 'authMethod'>;

// Everything in front of the port, the port, and everything behind it.
const LOOPBACK =
  /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/;

const MAX_PORT = 65_535;

/**
 * Where the answer goes. It must always be named, and be one that the client has registered;
 * otherwise the answer would go to whoever wrote the link (RFC 9700 section 4.1).
 * @throws ProtocolError invalid_request, never to be told by a redirect
 */
export function checkRedirectUri(
  parameters: Parameters,
  client: Registered,
  rules: RedirectRules,
): string {
  if (parameters.repeated.includes('redirect_uri')) {
    throw new ProtocolError('invalid_request', 'redirect_uri must not be repeated');
  }
  const redirectUri = parameters.require('redirect_uri');
  requireRegistered(redirectUri, client, rules);
  return redirectUri;
}

/**
 * @throws ProtocolError invalid_request for a URI that the client has not registered, or that the operator no
 *   longer allows
 */
export function requireRegistered(
  redirectUri: string,
  client: Registered,
  rules: RedirectRules,
): void {
  if (isRegistered(redirectUri, client)) {
    const fault = findRedirectUriFault(redirectUri, client.authMethod !== 'none', rules);
    if (fault === undefined) return;
    throw new ProtocolError('invalid_request', `redirect_uri ${fault}`);
  }
  throw new ProtocolError(
    'invalid_request',
    'redirect_uri is not registered for this client (the comparison is exact)',
  );
}

/**
 * The comparison of RFC 9700 section 2.1: byte by byte, but for the port of a loopback address of a
 * client without a secret, which a program on the person's own machine cannot choose (RFC 8252
 * section 7.3). The three names of that machine are three hosts.
 */
export function isRegistered(uri: string, { redirectUris, authMethod }: Registered): boolean {
  if (redirectUris.includes(uri)) return true;
  const portless = authMethod === 'none' ? withoutPort(uri) : undefined;
  return portless !== undefined && redirectUris.some((known) => withoutPort(known) === portless);
}

/** A loopback address without its port; undefined for every other text. */
function withoutPort(uri: string): string | undefined {
  const [, host, port = '1', rest] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || rest === undefined || Number(port) > MAX_PORT) return undefined;
  return host + rest;
}
