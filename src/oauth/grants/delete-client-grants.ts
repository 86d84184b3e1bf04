import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../storage/database.ts';

/** As many end with their client; with their tokens, a few milliseconds on the embedded database. */
export const GRANTS_PER_TURN = 200;

/**
 * Deletes what people have allowed a client that is about to be deleted, a part at a time: all of it in
 * one transaction would hold up everybody else for a minute where a million people use the client.
 * The last part stays, so that an ordinary client ends in one piece. Nobody is told: the end of the
 * client is announced. Uses `oauth_grants_client`.
 */
export async function deleteClientGrants(
  database: Pick<Database, 'transaction'>,
  clientId: string,
): Promise<void> {
  while (await deletePart(database, clientId)) await nextTurn();
}

/** Returns whether there may be more than one part left. */
function deletePart(database: Pick<Database, 'transaction'>, clientId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const found = await tx
      .selectFrom('oauth_grants')
      .select('id')
      .where('client_id', '=', clientId)
      .limit(2 * GRANTS_PER_TURN)
      .execute();
    if (found.length <= GRANTS_PER_TURN) return false;
    const some = found.slice(GRANTS_PER_TURN).map(({ id }) => id);
    await tx.deleteFrom('oauth_grants').where('id', 'in', some).execute();
    return true;
  });
}
