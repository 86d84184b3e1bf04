import { ROWS_PER_PURGE } from './housekeeping.ts';
import { familyColumns } from './quota-family.ts';
import type { Transaction } from './schema.ts';

const OF_NO_FAMILY = familyColumns(undefined);

/**
 * Removes the families of quotas, whose units are counted on. Uses `quota_windows_family`.
 * @param prefix of the names of their families; ends with a slash
 * @returns true when there may be more
 */
export async function forgetFamilies(tx: Transaction, prefix: string): Promise<boolean> {
  // The character after the slash.
  const end = `${prefix.slice(0, -1)}0`;
  const { numUpdatedRows } = await tx
    .updateTable('quota_windows')
    .set(OF_NO_FAMILY)
    .where((where) =>
      where(
        where.refTuple('name', 'window_start'),
        'in',
        where
          .selectFrom('quota_windows as member')
          .select(['member.name', 'member.window_start'])
          .where('member.family', '>=', prefix)
          .where('member.family', '<', end)
          .limit(ROWS_PER_PURGE)
          .$asTuple('name', 'window_start'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) >= ROWS_PER_PURGE;
}
