import { ANONYMOUS } from '../../iam/principal.ts';
import { subscriberOf } from '../../lib/subscriber.ts';
import type { Quota } from '../../storage/quota.ts';
import { Quotas } from '../../storage/quotas.ts';
import { readAuthorizationRequest } from '../authorize/authorization-request.ts';
import { checkRedirectUri } from '../authorize/check-redirect-uri.ts';
import { storePushedRequest } from '../authorize/pushed-request.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { PUSHED_REQUEST_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { authenticateClient } from './client-authentication.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';

const WINDOW_MS = 60_000;
// Each request is a row of up to 6 KB, which goes some minutes after it has expired. A client with a
// secret answers for all that it pushes.
const OF_SECRET: Quota = { limit: 1_000, windowMs: WINDOW_MS };
// Of one without, the name is all that anybody needs to push: nobody must use it up for the others.
const OF_ADDRESS: Quota = { limit: 60, windowMs: WINDOW_MS };

/** `/oauth2/par`: takes an authorization request from the client itself (RFC 9126). */
export function pushedAuthorizationEndpoint(services: OAuthServices): Endpoint {
  const { database, clock, report, changes } = services;
  const quotas = new Quotas(database, clock, report);
  return {
    path: '/oauth2/par',
    cors: 'client',
    async post(request) {
      const client = await authenticateClient(services, request);
      await take(quotas, client, request);
      const { parameters, facts } = request;
      if (parameters.get('request_uri') !== undefined) {
        throw new ProtocolError('invalid_request', 'request_uri cannot be pushed');
      }
      const redirectUri = checkRedirectUri(parameters, client, services.redirectRules);
      const checked = await readAuthorizationRequest(services, client, redirectUri, parameters);
      const context = { principal: ANONYMOUS, request: facts, isNeverRepeated: true };
      const { result } = await changes.make(context, async ({ tx, unchanged }) => {
        unchanged();
        return { result: await storePushedRequest(tx, checked, clock.now()) };
      });
      const expiresIn = PUSHED_REQUEST_MS / 1_000;
      return { status: 201, json: { request_uri: result, expires_in: expiresIn } };
    },
  };
}

/** @throws ProtocolError 429 (RFC 9126 section 2.3) */
async function take(
  quotas: Quotas,
  { id, authMethod }: RegisteredClient,
  { facts }: EndpointRequest,
): Promise<void> {
  const isAnybody = authMethod === 'none';
  const name = isAnybody ? `par:${id}:${subscriberOf(facts.ip)}` : `par:${id}`;
  const state = await quotas.take(name, isAnybody ? OF_ADDRESS : OF_SECRET);
  if (state.isTaken) return;
  throw new ProtocolError('temporarily_unavailable', 'too many pushed authorization requests', {
    status: 429,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(state.resetMs / 1_000))) },
  });
}
