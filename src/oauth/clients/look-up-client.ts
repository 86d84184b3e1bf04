import type { OAuthServices } from '../oauth-services.ts';
import type { RegisteredClient } from './client-directory.ts';

/**
 * A client that somebody names who shows no secret. Whoever makes ids up must not have the database
 * asked for each of them.
 * @throws ApiError 971 for one that would have to be looked up while the address, which has named too
 *   many that nobody has, has to wait
 */
export async function lookUpClient(
  { clients, failedClients }: Pick<OAuthServices, 'clients' | 'failedClients'>,
  clientId: string,
  ip: string,
): Promise<RegisteredClient | undefined> {
  if (!clients.isKnown(clientId)) failedClients.checkLookUp(ip);
  const client = await clients.find(clientId);
  if (client === undefined) failedClients.note(ip);
  return client;
}
