import { queryOptions } from '@tanstack/react-query';
import type { Access, Permission } from './accounts.ts';
import { SUPER_ADMINISTRATOR } from './accounts.ts';
import { allPages } from './all-pages.ts';
import { api, bodyOf, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import type { paths } from './schema.d.ts';

const LIST = '/accounts/{account_id}/members';
const ONE = '/accounts/{account_id}/members/{member_id}';
const INVITATION = '/accounts/{account_id}/members/{member_id}/invitation';
const ROLES = '/accounts/{account_id}/roles';

export type Member =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['result'][number];

/** A member who was just invited: only here is the link, where it is not mailed. */
export type InvitedMember =
  paths[typeof LIST]['post']['responses'][200]['content']['application/json']['result'];

export type Role =
  paths[typeof ROLES]['get']['responses'][200]['content']['application/json']['result'][number];

// An account has no more members than that, so that they come at once as a rule.
const MEMBERS_PER_REQUEST = 1_000;

/** All members of an account, so that they can be searched: those who are only invited, too. */
export const membersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'members'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const query = { page, per_page: MEMBERS_PER_REQUEST, order: 'user.email' as const };
        return bodyOf(
          api.GET(LIST, { signal, params: { path: { account_id: accountId }, query } }),
        );
      }),
  });

/** How many members an account has, those who are only invited among them. */
export const memberCountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'members', 'count'],
    queryFn: async ({ signal }) => {
      const params = { path: { account_id: accountId }, query: { per_page: 1 } };
      const { result_info: info } = await bodyOf(api.GET(LIST, { signal, params }));
      return info.total_count;
    },
  });

/** What there is to give to members; it changes with the version of the server only. */
export const rolesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'roles'],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      allPages((page) =>
        bodyOf(
          api.GET(ROLES, { signal, params: { path: { account_id: accountId }, query: { page } } }),
        ),
      ),
  });

/** Invites somebody; with a mail server the link is mailed, otherwise the answer has it. */
export function inviteMember(
  accountId: string,
  body: { email: string; roles: string[] },
  idempotencyKey: string,
): Promise<InvitedMember> {
  const params = { path: { account_id: accountId } };
  const headers = { 'idempotency-key': idempotencyKey };
  return resultOf(api.POST(LIST, { params, headers, body: { ...body, status: 'pending' } }));
}

/** Makes a new link for somebody who has not accepted; the one before works no more. */
export function renewInvitation(accountId: string, memberId: string): Promise<InvitedMember> {
  const path = { account_id: accountId, member_id: memberId };
  return resultOf(api.POST(INVITATION, { params: { path } }));
}

/** Reads a member with its ETag, for an edit. */
export function readMember(accountId: string, memberId: string) {
  return api.GET(ONE, { params: { path: { account_id: accountId, member_id: memberId } } });
}

/** Replaces the roles of a member; `roleIds` are all that the member has afterwards. */
export function changeRoles(
  accountId: string,
  memberId: string,
  roleIds: readonly string[],
  headers: Record<string, string>,
): Promise<Member> {
  const path = { account_id: accountId, member_id: memberId };
  const body = { roles: roleIds.map((id) => ({ id })) };
  return resultOf(api.PUT(ONE, { params: { path }, headers, body }));
}

/** Removes a member, or withdraws an invitation. */
export function removeMember(
  accountId: string,
  memberId: string,
  headers: IfMatch,
): Promise<unknown> {
  const path = { account_id: accountId, member_id: memberId };
  return resultOf(api.DELETE(ONE, { params: { path }, headers }));
}

/** What a role grants, as permissions are called: `tags.write`. */
export function permissionsOf({ permissions }: Pick<Role, 'permissions'>): Permission[] {
  return Object.entries(permissions).flatMap(([subject, grant]) =>
    (['read', 'write', 'run'] as const)
      .filter((verb) => grant[verb] === true)
      .map((verb): Permission => `${subject.replaceAll('_', '-')}.${verb}`),
  );
}

/** Why the person cannot give or take a role; undefined when they can. The server decides. */
export function whyNotGive(access: Access, role: Role): string | undefined {
  if (role.name === SUPER_ADMINISTRATOR && !access.isSuperAdministrator) {
    return 'Only a Super Administrator can give or take this role.';
  }
  const missing = permissionsOf(role).filter((permission) => !access.can(permission));
  if (missing.length === 0) return undefined;
  return `You can give only permissions that you have. You lack ${missing.join(', ')}.`;
}
