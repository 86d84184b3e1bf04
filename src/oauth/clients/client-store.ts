import type { Db } from '../../storage/schema.ts';

/** The name of a client, or undefined when there is none of that id. */
export async function findClientName(
  _db: Db,
  _accountId: string,
  _clientId: string,
): Promise<string | undefined> {
  return undefined;
}
