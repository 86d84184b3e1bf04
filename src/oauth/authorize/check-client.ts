import type { RegisteredClient } from '../clients/client-directory.ts';
import { lookUpClient } from '../clients/look-up-client.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * Who sends the person. Whoever it is not, nobody is told by a redirect (RFC 6749 section 4.1.2.1).
 * @throws ProtocolError invalid_request when it is missing, given twice or unknown
 * @throws ApiError 971 see {@link lookUpClient}
 */
export async function checkClient(
  services: Pick<OAuthServices, 'clients' | 'failedClients'>,
  parameters: Parameters,
  ip: string,
): Promise<RegisteredClient> {
  if (parameters.repeated.includes('client_id')) {
    throw new ProtocolError('invalid_request', 'client_id must not be repeated');
  }
  const client = await lookUpClient(services, parameters.require('client_id'), ip);
  if (client !== undefined) return client;
  throw new ProtocolError('invalid_request', 'client_id is unknown');
}
