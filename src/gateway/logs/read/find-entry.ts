import { timeOfUuidV7 } from '../../../lib/ids.ts';
import type { Db } from '../../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { StoredLog } from '../log-query.ts';
import { readEntries } from './entries.ts';

/**
 * One log of a gateway, or undefined when there is none of that id. Uses the primary keys.
 * @param id a UUID
 * @param sinceMs older ones are not shown
 */
export async function findEntry(
  db: Db,
  dialect: LogDialect,
  accountId: string,
  gatewayId: string,
  id: string,
  sinceMs: number,
): Promise<StoredLog | undefined> {
  if (timeOfUuidV7(id) < sinceMs) return undefined;
  const scope = await dialect.findScope(db, accountId, gatewayId);
  if (scope === undefined) return undefined;
  const [entry] = await readEntries(db, dialect, scope, { accountId, gatewayId }, [id]);
  return entry;
}
