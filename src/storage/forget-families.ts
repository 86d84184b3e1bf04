import { ROWS_PER_PURGE } from './housekeeping.ts';
import { familyColumns } from './quota-family.ts';
import type { Transaction } from './schema.ts';

const OF_NO_FAMILY = familyColumns(undefined);

/**
 * Forgets what quotas are told as; they are counted on. Uses `quotas_family` and `sliding_quotas_family`.
 * @param prefix of the names of their families; ends with a slash
 * @returns whether there may be more
 */
export async function forgetFamilies(tx: Transaction, prefix: string): Promise<boolean> {
  // The character after the slash.
  const end = `${prefix.slice(0, -1)}0`;
  const fixed = await tx
    .updateTable('quotas')
    .set(OF_NO_FAMILY)
    .where((where) =>
      where(
        where.refTuple('name', 'window_start'),
        'in',
        where
          .selectFrom('quotas as told')
          .select(['told.name', 'told.window_start'])
          .where('told.family', '>=', prefix)
          .where('told.family', '<', end)
          .limit(ROWS_PER_PURGE)
          .$asTuple('name', 'window_start'),
      ),
    )
    .executeTakeFirstOrThrow();
  const sliding = await tx
    .updateTable('sliding_quotas')
    .set(OF_NO_FAMILY)
    .where('name', 'in', (where) =>
      where
        .selectFrom('sliding_quotas as told')
        .select('told.name')
        .where('told.family', '>=', prefix)
        .where('told.family', '<', end)
        .limit(ROWS_PER_PURGE),
    )
    .executeTakeFirstOrThrow();
  const most = Math.max(Number(fixed.numUpdatedRows), Number(sliding.numUpdatedRows));
  return most >= ROWS_PER_PURGE;
}
