import type { RegisteredClient } from '../clients/client-directory.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

// SHA-256 in base64url (RFC 7636 section 4.2).
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const ONLY_S256 = 'code_challenge_method must be S256';

/**
 * PKCE (RFC 7636): demanded of clients without a secret, welcome from the others, and S256 alone,
 * since `plain` tells the verifier to whoever sees the request.
 * @returns the challenge
 * @throws ProtocolError invalid_request
 */
export function checkPkce(
  parameters: Parameters,
  client: Pick<RegisteredClient, 'authMethod'>,
): string | undefined {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) {
      throw new ProtocolError('invalid_request', 'code_challenge_method requires code_challenge');
    }
    if (client.authMethod !== 'none') return undefined;
    throw new ProtocolError(
      'invalid_request',
      'code_challenge is missing: clients without a secret must use PKCE with S256',
    );
  }
  if (method === undefined) {
    // Without a method it would be `plain` (section 4.3).
    throw new ProtocolError('invalid_request', `code_challenge_method is missing: ${ONLY_S256}`);
  }
  if (method !== 'S256') throw new ProtocolError('invalid_request', ONLY_S256);
  if (!CHALLENGE.test(challenge)) {
    throw new ProtocolError(
      'invalid_request',
      'code_challenge must be a SHA-256 digest in base64url without padding (43 characters)',
    );
  }
  return challenge;
}
