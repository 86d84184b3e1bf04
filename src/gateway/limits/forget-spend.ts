import type { Database } from '../../storage/database.ts';
import { forgetFamilies } from '../../storage/forget-families.ts';
import { familyPrefixOf } from './spend-budget.ts';

/**
 * Forgets some of the values that callers have sent to a gateway that is deleted, or to all of an
 * account: metadata may tell of people. What is spent counts on, under digests.
 * @returns whether there may be more
 */
export function forgetSpend(
  database: Database,
  accountId: string,
  gatewayId?: string,
): Promise<boolean> {
  const prefix = familyPrefixOf(accountId, gatewayId);
  return database.transaction((tx) => forgetFamilies(tx, prefix));
}
