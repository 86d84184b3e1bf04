import type { EnsureQueryDataOptions, QueryKey } from '@tanstack/react-query';
import { type Permission, holds } from '../api/accounts.ts';
import { membershipsQuery } from '../api/people.ts';
import { queryClient } from '../api/query-client.ts';

/**
 * Reads what a page begins with before it is shown, as a route's loader: until then the page before it stays,
 * and nothing flickers. Why something cannot be read is for the page to say.
 */
export async function readBefore<Data, Failure, Shown, Key extends QueryKey>(
  query: EnsureQueryDataOptions<Data, Failure, Shown, Key>,
): Promise<void> {
  await queryClient.ensureQueryData({ ...query, revalidateIfStale: true }).catch(() => undefined);
}

/** The same for who holds the permission on the account: a refusal would be written into its audit log. */
export async function readBeforeIfMay<Data, Failure, Shown, Key extends QueryKey>(
  accountId: string,
  permission: Permission,
  query: EnsureQueryDataOptions<Data, Failure, Shown, Key>,
): Promise<void> {
  if (await isHeld(accountId, permission)) await readBefore(query);
}

/** Whether the person holds a permission on an account. */
export async function isHeld(accountId: string, permission: Permission): Promise<boolean> {
  const memberships = await queryClient.ensureQueryData(membershipsQuery);
  const own = memberships.find(({ account }) => account.id === accountId);
  return own !== undefined && holds(own.permissions, permission);
}
