import type { PageReply } from '../../iam/pages/page.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts';
import { checkClient } from './check-client.ts';
import { type ResponseMode, modeForErrors } from './check-response-mode.ts';
import { checkRedirectUri, requireRegistered } from './check-redirect-uri.ts';
import { findPushedRequest, isPushedRequestUri } from './pushed-request.ts';
import { recheckRequest } from './recheck.ts';
import { unanswerablePage, usedUpPage } from './refusal-page.ts';

/** A request of which is known where its answer goes, whatever else is wrong with it. */
export interface AddressedRequest {
  client: RegisteredClient;
  redirectUri: string;
  state: string | undefined;
  responseMode: ResponseMode;
  /** Checks the rest. @throws ProtocolError which may be told to the redirect URI */
  read: () => Promise<AuthorizationRequest>;
}

/** Who sends a person, and where the answer goes; a page when nobody can be told by a redirect. */
export async function addressRequest(
  services: OAuthServices,
  parameters: Parameters,
  ip: string,
): Promise<AddressedRequest | PageReply> {
  let client: RegisteredClient | undefined;
  try {
    client = await checkClient(services, parameters, ip);
    const requestUri = parameters.get('request_uri');
    return requestUri !== undefined && isPushedRequestUri(requestUri)
      ? await addressPushed(services, parameters, client, requestUri)
      : addressSent(services, parameters, client);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return unanswerablePage(error, client, client && parameters.get('redirect_uri'));
  }
}

function addressSent(
  services: OAuthServices,
  parameters: Parameters,
  client: RegisteredClient,
): AddressedRequest {
  const redirectUri = checkRedirectUri(parameters, client, services.redirectRules);
  // Of two states, neither is the original one.
  const isTwice = parameters.repeated.includes('state');
  return {
    client,
    redirectUri,
    state: isTwice ? undefined : parameters.get('state'),
    responseMode: modeForErrors(parameters, redirectUri),
    read: () => readAuthorizationRequest(services, client, redirectUri, parameters),
  };
}

/** What was pushed counts, and nothing of what the browser brings besides (RFC 9101 section 5). */
async function addressPushed(
  { database, clock, redirectRules }: OAuthServices,
  parameters: Parameters,
  client: RegisteredClient,
  requestUri: string,
): Promise<AddressedRequest | PageReply> {
  const request = parameters.repeated.includes('request_uri')
    ? undefined
    : await findPushedRequest(database.read, client.id, requestUri, clock.now());
  if (request === undefined) return usedUpPage(client);
  const { redirectUri, state, responseMode } = request;
  requireRegistered(redirectUri, client, redirectRules);
  return {
    client,
    redirectUri,
    state,
    responseMode,
    async read() {
      recheckRequest(request, client);
      return request;
    },
  };
}
