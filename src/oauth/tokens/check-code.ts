import { hash } from 'node:crypto';
import type { RequestFacts } from '../../http/route.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Family, findFamilyByCode, isWellFormedCode } from './family-store.ts';
import { lookUp } from './look-up.ts';

/** RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Finds the authorization of a code that was issued to this client for this request (RFC 6749 section 4.1.3). The
 * function ignores if the code was used or has expired, so that other clients learn nothing about it.
 *
 * `redirect_uri` may be absent if the client has one redirect URI and the code is bound to PKCE (OAuth 2.1 section
 * 4.1.3).
 * @throws ProtocolError invalid_request for a missing parameter; otherwise invalid_grant
 * @throws ApiError 971 as {@link lookUp} does
 */
export async function findAuthorization(
  services: Pick<OAuthServices, 'database' | 'failedClients'>,
  client: RegisteredClient,
  parameters: Parameters,
  { ip }: RequestFacts,
): Promise<Family> {
  const code = parameters.require('code');
  const hasOneRedirectUri = client.redirectUris.length === 1;
  const redirectUri = hasOneRedirectUri
    ? parameters.get('redirect_uri')
    : parameters.require('redirect_uri');
  const { read } = services.database;
  const family = isWellFormedCode(code)
    ? await lookUp(services, client, ip, () => findFamilyByCode(read, code))
    : undefined;
  // One answer for both: a code of another client is none of this one's business.
  if (family?.clientId !== client.id) throw refused('the code does not belong to this client');
  checkRedirectUri(family, redirectUri);
  checkVerifier(family, parameters.get('code_verifier'));
  return family;
}

function checkRedirectUri(family: Family, redirectUri: string | undefined): void {
  if (redirectUri === undefined) {
    if (family.codeChallenge !== undefined) return;
    throw new ProtocolError('invalid_request', 'redirect_uri is missing');
  }
  if (redirectUri !== family.redirectUri) {
    throw refused('redirect_uri differs from the authorization request');
  }
}

/** RFC 7636 section 4.6; the reverse, too: RFC 9700 section 2.1.1. */
function checkVerifier({ codeChallenge }: Family, verifier: string | undefined): void {
  if (codeChallenge === undefined) {
    if (verifier === undefined) return;
    throw refused('code_verifier without a code_challenge in the authorization request');
  }
  if (verifier === undefined) throw refused('code_verifier is missing');
  if (!VERIFIER.test(verifier)) {
    throw refused('code_verifier is not 43 to 128 letters, digits or -._~');
  }
  // The challenge is no secret: it came through the browser.
  if (hash('sha256', verifier, 'base64url') !== codeChallenge) {
    throw refused('code_verifier does not match code_challenge');
  }
}

/** @throws ProtocolError invalid_grant for a code that has expired */
export function checkCodeAge({ codeExpiresAtMs }: Family, nowMs: number): void {
  if (codeExpiresAtMs <= nowMs) throw refused('the code has expired');
}

function refused(reason: string): ProtocolError {
  return new ProtocolError('invalid_grant', reason);
}
