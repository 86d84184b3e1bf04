import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { checkIdTokenHint } from './check-id-token-hint.ts';
import { checkLength } from './check-length.ts';
import { checkMaxAge } from './check-max-age.ts';
import { checkNonce } from './check-nonce.ts';
import { checkPkce } from './check-pkce.ts';
import { type Prompt, checkPrompt } from './check-prompt.ts';
import { checkRepeated } from './check-repeated.ts';
import { checkResource } from './check-resource.ts';
import { type ResponseMode, checkResponseMode } from './check-response-mode.ts';
import { checkResponseType } from './check-response-type.ts';
import { checkScope } from './check-scope.ts';
import { checkUnsupported } from './check-unsupported.ts';
import { readLoginHint } from './read-login-hint.ts';

/** What a client asks of a person (RFC 6749 section 4.1.1), once all of it was checked. Plain JSON. */
export interface AuthorizationRequest {
  clientId: string;
  /** As the client has named it: the token endpoint compares with it byte by byte. */
  redirectUri: string;
  responseMode: ResponseMode;
  /** All of them registered by the client. */
  scopes: string[];
  /** Goes back as it came. */
  state: string | undefined;
  /** For the ID token. */
  nonce: string | undefined;
  /** S256. */
  codeChallenge: string | undefined;
  prompt: Prompt[];
  /** How long ago the person may have proved who they are. */
  maxAgeSeconds: number | undefined;
  /** The email address of whom the client expects. */
  loginHint: string | undefined;
  /** The person whom the client demands, by id. */
  expectedUserId: string | undefined;
  /** When the browser came with it. */
  requestedAtMs: number;
  /** The session that the browser came with: no proof of identity that was asked for since. */
  presentedSessionId: string | undefined;
  /** Of a pushed request, which is good for one code (RFC 9126 section 7.3). */
  pushedDigest: string | undefined;
  /** Until when a pushed request is kept, so that its second use is recognised. */
  pushedUntilMs: number | undefined;
}

type Checking = Pick<OAuthServices, 'clock' | 'issuer' | 'resourceServers' | 'signingKeys'>;

/**
 * Checks everything about a request whose client and redirect URI were found to be good.
 * @throws ProtocolError which may be told to the redirect URI
 */
export async function readAuthorizationRequest(
  services: Checking,
  client: RegisteredClient,
  redirectUri: string,
  parameters: Parameters,
): Promise<AuthorizationRequest> {
  checkRepeated(parameters);
  checkUnsupported(parameters);
  checkResponseType(parameters);
  const responseMode = checkResponseMode(parameters, redirectUri);
  checkResource(parameters, services.resourceServers());
  const request: AuthorizationRequest = {
    clientId: client.id,
    redirectUri,
    responseMode,
    codeChallenge: checkPkce(parameters, client),
    scopes: checkScope(parameters, client),
    state: parameters.get('state'),
    nonce: checkNonce(parameters),
    prompt: checkPrompt(parameters),
    maxAgeSeconds: checkMaxAge(parameters),
    loginHint: readLoginHint(parameters),
    expectedUserId: await checkIdTokenHint(services, parameters, client),
    requestedAtMs: services.clock.now(),
    presentedSessionId: undefined,
    pushedDigest: undefined,
    pushedUntilMs: undefined,
  };
  checkLength(request);
  return request;
}
