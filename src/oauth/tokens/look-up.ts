import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';

/**
 * Looks up a code or token that a client has presented. Everybody can speak in the name of a client
 * without a secret: an address that makes codes and tokens up must not have the database asked for
 * each of them. A client with a secret answers for what it sends.
 * @param find asks for one that has the right form; undefined when there is none
 * @throws ApiError 971 while the address has to wait, see {@link AddressBackoff.checkLookUp}
 */
export async function lookUp<T>(
  { failedClients }: Pick<OAuthServices, 'failedClients'>,
  { authMethod }: Pick<RegisteredClient, 'authMethod'>,
  ip: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (authMethod !== 'none') return find();
  failedClients.checkLookUp(ip);
  const found = await find();
  if (found === undefined) failedClients.note(ip);
  return found;
}
