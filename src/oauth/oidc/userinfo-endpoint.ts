import { AuthError, authenticateToken } from '../../iam/access/authenticate.ts';
import { checkRate } from '../../iam/access/authorize.ts';
import { parseBearer } from '../../iam/access/presented-credential.ts';
import type { CredentialPrincipal, OAuthPrincipal } from '../../iam/principal.ts';
import { isWellFormedSecret } from '../../lib/secrets.ts';
import type { Endpoint, EndpointReply, EndpointRequest } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError, type ProtocolErrorCode } from '../protocol-error.ts';
import { loadUserClaims } from './user-claims.ts';

export const USERINFO_PATH = '/oauth2/userinfo';

/** What a client may know about the person who has authorized it (OpenID Connect Core section 5.3). */
export const userinfoEndpoint = (services: OAuthServices): Endpoint => {
  const respond = async (request: EndpointRequest): Promise<EndpointReply> => {
    const token = readToken(request);
    // RFC 6750 section 3.1: who has sent no token is told the scheme and no error.
    if (token === undefined) return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
    const principal = await resolveToken(services, request, token);
    const headers: Record<string, string> = {};
    await checkRate(services.pages.rateLimiter, principal, (limit) => {
      Object.assign(headers, limit);
    });
    const { scopes, grantId } = principal.authorization;
    if (!scopes.includes('openid')) {
      throw refusal('insufficient_scope', 403, 'this needs the scope openid', 'openid');
    }
    services.lastUsedGrants.record(grantId);
    return { json: await readClaims(services, principal), headers };
  };
  return { path: USERINFO_PATH, cors: 'client', get: respond, post: respond };
};

/**
 * The token of a request: in the header, or in the form (RFC 6750 sections 2.1 and 2.2).
 * @throws ProtocolError invalid_request for one in the address, for two, and for a malformed one
 */
function readToken({ facts, parameters }: EndpointRequest): string | undefined {
  const { authorization } = facts.headers;
  const isBearer = authorization !== undefined && /^Bearer(?: |$)/i.test(authorization);
  const bearer = isBearer ? parseBearer(authorization) : undefined;
  const parameter = parameters.get('access_token');
  if (parameters.repeated.includes('access_token') || (isBearer && parameter !== undefined)) {
    throw refusal('invalid_request', 400, 'the access token must not be repeated');
  }
  if (bearer === 'malformed') {
    throw refusal(
      'invalid_request',
      400,
      'the header must be Authorization: Bearer <access token>',
    );
  }
  // Addresses end up in logs and in histories (RFC 9700 section 4.3.2).
  if (parameter !== undefined && facts.method !== 'POST') {
    throw refusal('invalid_request', 400, 'access tokens in the URL are not allowed');
  }
  return bearer?.token ?? parameter;
}

/** @throws ProtocolError invalid_token, or invalid_request with 429; ApiError 971 for an address that has to wait */
async function resolveToken(
  { pages, clients }: OAuthServices,
  request: EndpointRequest,
  token: string,
): Promise<OAuthPrincipal> {
  const identify = async (principal: CredentialPrincipal | undefined): Promise<void> => {
    if (principal?.type !== 'oauth') return;
    const client = await clients.find(principal.authorization.clientId);
    if (client !== undefined) request.identified(client);
  };
  const { ip } = request.facts;
  try {
    if (!isWellFormedSecret(token, 'lkoat_')) {
      throw new AuthError('unknown', { rateLimited: pages.credentials.countWrong(ip) });
    }
    const principal = await authenticateToken(pages, token, ip);
    await identify(principal);
    if (principal.type === 'oauth') return principal;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await identify(error.principal);
    throw authenticationError(error);
  }
  throw unknownToken();
}

function authenticationError({ reason, rateLimited }: AuthError): ProtocolError {
  if (rateLimited !== undefined) {
    const { status, headers, message } = rateLimited;
    return new ProtocolError('invalid_request', message, { status, headers });
  }
  return reason === 'unusable'
    ? refusal('invalid_token', 401, 'the access token has expired')
    : unknownToken();
}

function unknownToken(): ProtocolError {
  return refusal('invalid_token', 401, 'the access token is unknown or was revoked');
}

async function readClaims(
  services: OAuthServices,
  { authorization, user: { id } }: OAuthPrincipal,
): Promise<Record<string, unknown>> {
  const claims = await loadUserClaims(services, id, authorization);
  if (claims === undefined) throw refusal('invalid_token', 401, 'the user no longer exists');
  return { sub: id, ...claims };
}

/** RFC 6750 section 3: the header says what the body says. */
function refusal(
  code: ProtocolErrorCode,
  status: number,
  description: string,
  scope?: string,
): ProtocolError {
  const attributes = [`error="${code}"`, `error_description="${description}"`];
  if (scope !== undefined) attributes.push(`scope="${scope}"`);
  const headers = { 'www-authenticate': `Bearer ${attributes.join(', ')}` };
  return new ProtocolError(code, description, { status, headers });
}
