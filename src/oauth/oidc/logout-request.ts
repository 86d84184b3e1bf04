import { isRegistered } from '../authorize/check-redirect-uri.ts';
import { redirectLocation } from '../authorize/redirect-location.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { lookUpClient } from '../clients/look-up-client.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { Parameters } from '../parameters.ts';

/** Where a client wants the person to go after the sign-out. */
export interface LogoutTarget {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
}

/** What a client has asked for (OpenID Connect RP-Initiated Logout section 2). */
export interface LogoutRequest {
  /** Whom the client believes to be signed in, when it has shown an ID token of ours. */
  userId: string | undefined;
  target: LogoutTarget | undefined;
  /** The client that registered the target. */
  client: RegisteredClient | undefined;
  /** Why the request cannot be followed, in a sentence for people; then nobody is sent anywhere. */
  fault: string | undefined;
}

/** What is passed on when a form has to become an address. */
const NAMES: ReadonlySet<string> = new Set([
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'logout_hint',
  'ui_locales',
]);

// Sealed it must still fit into a form of ours, and as an address into a block of headers.
const MAX_LENGTH = 8_192;

/** The parameters of a request as a query; undefined when they are too long. */
export function toQuery(values: URLSearchParams): string | undefined {
  const known = new URLSearchParams([...values].filter(([name]) => NAMES.has(name))).toString();
  return known.length > MAX_LENGTH ? undefined : known;
}

/**
 * Reads what a client asks for. An ID token that is none of ours counts as not given: it may be so old
 * that its key is gone, and without it the person is asked.
 * @throws ApiError 971 see {@link lookUpClient}
 */
export async function readLogoutRequest(
  services: Pick<OAuthServices, 'signingKeys' | 'clients' | 'failedClients' | 'issuer'>,
  values: URLSearchParams,
  ip: string,
): Promise<LogoutRequest> {
  const nothing = { userId: undefined, target: undefined, client: undefined };
  if (toQuery(values) === undefined) return { ...nothing, fault: 'its request is too long' };
  const parameters = new Parameters(values);
  const [repeated] = parameters.repeated.filter((name) => NAMES.has(name));
  if (repeated !== undefined) return { ...nothing, fault: `it has sent ${repeated} twice` };
  const hint = await readHint(services, parameters.get('id_token_hint'));
  const clientId = parameters.get('client_id') ?? hint?.clientId;
  if (hint !== undefined && hint.clientId !== clientId) {
    return { ...nothing, fault: 'its client_id and its id_token_hint do not belong together' };
  }
  const redirectUri = parameters.get('post_logout_redirect_uri');
  if (redirectUri === undefined) return { ...nothing, userId: hint?.userId, fault: undefined };
  const target = { clientId: clientId ?? '', redirectUri, state: parameters.get('state') };
  const client = await findTargetClient(services, target, ip);
  if (client === undefined) {
    return { ...nothing, fault: 'its post_logout_redirect_uri is not registered' };
  }
  return { userId: hint?.userId, target, client, fault: undefined };
}

/**
 * The client of a target, when it exists and has registered the address.
 * @throws ApiError 971 see {@link lookUpClient}
 */
export async function findTargetClient(
  services: Pick<OAuthServices, 'clients' | 'failedClients'>,
  { clientId, redirectUri }: LogoutTarget,
  ip: string,
): Promise<RegisteredClient | undefined> {
  const client = await lookUpClient(services, clientId, ip);
  if (client === undefined) return undefined;
  const { authMethod, postLogoutRedirectUris: redirectUris = [] } = client;
  return isRegistered(redirectUri, { authMethod, redirectUris }) ? client : undefined;
}

/** The address with the `state` (section 3). */
export function addressOf({ redirectUri, state }: LogoutTarget): string {
  return state === undefined ? redirectUri : redirectLocation(redirectUri, { state });
}

async function readHint(
  { signingKeys, issuer }: Pick<OAuthServices, 'signingKeys' | 'issuer'>,
  jwt: string | undefined,
): Promise<{ userId: string; clientId: string } | undefined> {
  // It may have expired long ago: section 2 asks to take it all the same.
  const claims = jwt === undefined ? undefined : await signingKeys.verify(jwt);
  if (claims?.iss !== issuer()) return undefined;
  const { sub, aud } = claims;
  if (typeof sub !== 'string' || typeof aud !== 'string') return undefined;
  return { userId: sub, clientId: aud };
}
