import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { LogKey, StoredLog } from '../log-query.ts';
import { readEntries } from './entries.ts';

/** Reads one log by the primary keys; undefined: it does not exist, or is not visible. */
export async function findEntry(
  db: Db,
  dialect: LogDialect,
  { accountId, gatewayId, id, sinceMs }: LogKey,
): Promise<StoredLog | undefined> {
  if (timeOfUuidV7(id) < sinceMs) return undefined;
  const scope = await dialect.findScope(db, accountId, gatewayId);
  if (scope === undefined) return undefined;
  const [entry] = await readEntries({ db, dialect, scope }, { accountId, gatewayId }, [id]);
  return entry;
}
