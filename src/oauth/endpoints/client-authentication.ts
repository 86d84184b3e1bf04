import type { Awaitable } from '../../lib/awaitable.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { matchSecret } from '../clients/client-secret-store.ts';
import type { AuthMethod } from '../clients/client-store.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type BasicCredentials, isBasic, readBasic } from './client-authentication-basic.ts';
import type { EndpointRequest } from './endpoint.ts';

type AuthenticationServices = Pick<
  OAuthServices,
  'brand' | 'clients' | 'failedClients' | 'secretUses'
>;

/** What a request says about who sent it. */
interface Presented {
  clientId: string | undefined;
  /** Undefined for a method that this server does not know. */
  method: AuthMethod | undefined;
  secret: string | undefined;
}

/**
 * The client that sends a request, authenticated by exactly the method that is registered for it (RFC
 * 6749 section 2.3); one of method `none` only says its `client_id`. An unknown client is refused as a
 * wrong secret is. Repeated parameters are refused too: endpoints need not do it again.
 * @throws ProtocolError invalid_client with 401, or with 429 after too many failures of this client
 *   from this address; invalid_request for what is malformed or ambiguous
 * @throws ApiError 971 for a client that would have to be looked up while its address, which has named
 *   too many that nobody has, has to wait
 */
export async function authenticateClient(
  services: AuthenticationServices,
  request: EndpointRequest,
): Promise<RegisteredClient> {
  const { parameters, facts } = request;
  const { authorization } = facts.headers;
  const basic = parseHeader(authorization);
  const clientId = basic.credentials?.clientId ?? parameters.get('client_id');
  const client = await findClient(services, clientId, facts.ip);
  // Before anything is refused, so that pages of the client can read the refusal.
  if (client !== undefined) request.identified(client);
  parameters.refuseRepeated();
  if (basic.fault !== undefined) throw basic.fault;
  refuseAmbiguity(parameters, authorization, basic.credentials);
  const presented = readPresented(parameters, authorization, basic.credentials);
  // Also for a client that is unknown: a refusal takes as long, whatever is wrong.
  const digest = matchSecret(client?.secretDigests ?? [], presented.secret ?? '');
  if (client === undefined || client.authMethod !== presented.method) {
    throw refusal(services, request, client);
  }
  if (client.authMethod === 'none') return client;
  if (digest === undefined) throw refusal(services, request, client);
  services.secretUses.note(client.id, digest);
  return client;
}

function findClient(
  { clients, failedClients }: AuthenticationServices,
  clientId: string | undefined,
  ip: string,
): Awaitable<RegisteredClient | undefined> {
  if (clientId === undefined) return undefined;
  // Otherwise made-up ids would cause one database query each.
  if (!clients.isKnown(clientId)) failedClients.checkLookUp(ip);
  return clients.find(clientId);
}

/** What is malformed is told later, when the client is known whose pages may read it. */
function parseHeader(header: string | undefined): {
  credentials?: BasicCredentials;
  fault?: ProtocolError;
} {
  if (header === undefined || !isBasic(header)) return {};
  try {
    return { credentials: readBasic(header) };
  } catch (error) {
    if (error instanceof ProtocolError) return { fault: error };
    throw error;
  }
}

/** RFC 6749 section 2.3: one mechanism in each request, and it speaks for one client. */
function refuseAmbiguity(
  parameters: Parameters,
  header: string | undefined,
  basic: BasicCredentials | undefined,
): void {
  const mechanisms = [header, parameters.get('client_secret'), assertionOf(parameters)];
  if (mechanisms.filter((mechanism) => mechanism !== undefined).length > 1) {
    throw new ProtocolError(
      'invalid_request',
      'the client uses several authentication methods at once',
    );
  }
  const clientId = parameters.get('client_id');
  if (basic !== undefined && clientId !== undefined && clientId !== basic.clientId) {
    throw new ProtocolError('invalid_request', 'header and body name different clients');
  }
}

/** RFC 7521 section 4.2, which this server does not know. */
function assertionOf(parameters: Parameters): string | undefined {
  return parameters.get('client_assertion') ?? parameters.get('client_assertion_type');
}

function readPresented(
  parameters: Parameters,
  header: string | undefined,
  basic: BasicCredentials | undefined,
): Presented {
  // Libraries identify a client without a secret by Basic with an empty password.
  if (basic !== undefined) {
    return { method: basic.secret === '' ? 'none' : 'client_secret_basic', ...basic };
  }
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (header !== undefined || assertionOf(parameters) !== undefined || clientId === undefined) {
    return { method: undefined, clientId, secret };
  }
  return { method: secret === undefined ? 'none' : 'client_secret_post', clientId, secret };
}

/**
 * Counts a failure and says how it is answered. A client is never locked: whoever has the secret passes
 * however often others have failed, and a block holds for one address alone. Clients that nobody has
 * are counted together: there is no end of ids that one can make up.
 */
function refusal(
  { brand, failedClients }: AuthenticationServices,
  { facts }: EndpointRequest,
  client: RegisteredClient | undefined,
): ProtocolError {
  const retryAfterSeconds = failedClients.retryAfterSeconds(facts.ip, client?.id);
  failedClients.note(facts.ip, client?.id);
  if (retryAfterSeconds !== undefined) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    const description = 'too many failed authentications from your IP address';
    return new ProtocolError('invalid_client', description, { status: 429, headers });
  }
  // RFC 6749 section 5.2: the challenge answers who has tried by the header.
  const headers =
    facts.headers.authorization === undefined
      ? {}
      : { 'www-authenticate': `Basic realm="${brand}", charset="UTF-8"` };
  const description =
    'unknown client, wrong secret, or an authentication method that is not registered';
  return new ProtocolError('invalid_client', description, { status: 401, headers });
}
