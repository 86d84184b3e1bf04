import type { Database } from '../../storage/database.ts';
import { forgetFamilies } from '../../storage/forget-families.ts';
import { familyPrefixOf } from './spend-budget.ts';

/**
 * Deletes some values of clients that name the budgets of a deleted gateway, or of all gateways of an account, because
 * metadata may contain personal data. The spend itself stays, under digests.
 * @returns true if there may be more
 */
export function forgetSpend(
  database: Database,
  accountId: string,
  gatewayId?: string,
): Promise<boolean> {
  const prefix = familyPrefixOf(accountId, gatewayId);
  return database.transaction((tx) => forgetFamilies(tx, prefix));
}
