import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import { membershipsQuery } from './people.ts';
import type { operations, paths } from './schema.d.ts';

const ONE = '/accounts/{account_id}';

export type Account =
  paths[typeof ONE]['get']['responses'][200]['content']['application/json']['result'];

/** An account with its settings. */
export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'account'],
    queryFn: ({ signal }) =>
      resultOf(api.GET(ONE, { signal, params: { path: { account_id: accountId } } })),
  });

/** Reads an account with its ETag, for an edit. */
export function readAccount(accountId: string) {
  return api.GET(ONE, { params: { path: { account_id: accountId } } });
}

/** Changes an account; settings that are left out stay as they are. */
export function updateAccount(
  accountId: string,
  body: operations['update-account']['requestBody']['content']['application/json'],
  headers: Record<string, string>,
): Promise<Account> {
  return resultOf(api.PUT(ONE, { params: { path: { account_id: accountId } }, headers, body }));
}

/** Deletes an account with all that is in it. */
export function deleteAccount(accountId: string, headers: IfMatch): Promise<unknown> {
  return resultOf(api.DELETE(ONE, { params: { path: { account_id: accountId } }, headers }));
}

/** Names of roles, as the API has them. */
export const SUPER_ADMINISTRATOR = 'Super Administrator';

type Verb = 'read' | 'write' | 'run';

/** A permission of an account, such as `oauth-clients.write`. */
export type Permission = `${string}.${Verb}`;

/** What somebody holds, as memberships and roles have it: by subject, with `_` for `-`. */
export type Permissions = Readonly<Record<string, Partial<Readonly<Record<Verb, boolean>>>>>;

/** Whether a permission is among those that somebody holds. */
export function holds(permissions: Permissions, permission: string): boolean {
  const [subject = '', verb = ''] = permission.split('.');
  return permissions[subject.replaceAll('-', '_')]?.[verb as Verb] === true;
}

/** The person's own place in an account. */
export interface Access {
  accountId: string;
  accountName: string;
  /** Names. */
  roles: readonly string[];
  isSuperAdministrator: boolean;
  /** Whether the account asks for a second factor that the person has not set up. */
  lacksSecondFactor: boolean;
  can: (permission: Permission) => boolean;
}

/** Of the account whose page this is; undefined for one that the person is no member of. */
export function useAccess(accountId: string): Access | undefined {
  const { data } = useSuspenseQuery(membershipsQuery);
  const membership = data.find(
    ({ account, status }) => account.id === accountId && status === 'accepted',
  );
  if (membership === undefined) return undefined;
  const { account, roles, permissions } = membership;
  const can = (permission: Permission): boolean => holds(permissions, permission);
  // Every role lets see the settings.
  const holdsNothing = !can('account-settings.read');
  return {
    accountId,
    accountName: account.name,
    roles,
    isSuperAdministrator: roles.includes(SUPER_ADMINISTRATOR),
    lacksSecondFactor: account.settings.enforce_twofactor && holdsNothing,
    can,
  };
}

/** The same for the account of the page that asks: one inside `pages/account-frame.tsx`. */
export function useAccountOfPage(): Access {
  const { accountId } = useParams({ from: '/accounts/$accountId' });
  const access = useAccess(accountId);
  if (access === undefined) throw new Error('a page of an account without the account');
  return access;
}
