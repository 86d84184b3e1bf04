import type { Db } from '../../storage/schema.ts';
import { type Policy, compilePolicy } from '../policy.ts';
import { type Role, SUPER_ADMINISTRATOR, findRoleBySlug } from '../roles.ts';
import { secondFactorColumn } from './second-factor-column.ts';

/** One account in which a person is an accepted member. */
export interface AccountMembership {
  accountId: string;
  memberId: string;
  roles: readonly Role[];
  isSuperAdministrator: boolean;
  /** The account demands a second factor and the person has none: until then it grants nothing. */
  lacksSecondFactor: boolean;
}

/** Who a person is and what the person may do, as of now. */
export interface UserAccess {
  id: string;
  email: string;
  hasSecondFactor: boolean;
  memberships: readonly AccountMembership[];
  /** What the roles and being oneself allow. */
  policies: readonly Policy[];
}

interface RoleRow {
  account_id: string;
  member_id: string;
  role: string;
  enforce_twofactor: 0 | 1;
}

/**
 * What a person may do: the permissions of the roles in each account, and everything that concerns
 * only the person. Uses `members_user`.
 * @returns undefined for nobody, and for who is locked out: then no credential of theirs works
 */
export async function loadUserAccess(db: Db, userId: string): Promise<UserAccess | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .select(secondFactorColumn())
    .where('id', '=', userId)
    .where('locked_at', 'is', null)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const rows = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .innerJoin('member_roles', (join) =>
      join
        .onRef('member_roles.account_id', '=', 'members.account_id')
        .onRef('member_roles.member_id', '=', 'members.id'),
    )
    .where('members.user_id', '=', userId)
    .where('members.status', '=', 'accepted')
    .where('accounts.deleted_at', 'is', null)
    .select([
      'members.account_id',
      'member_roles.member_id',
      'member_roles.role',
      'accounts.enforce_twofactor',
    ])
    .execute();
  const hasSecondFactor = Boolean(user.has_second_factor);
  const memberships = [...Map.groupBy(rows, (row) => row.account_id).values()].map((group) =>
    toMembership(group, hasSecondFactor),
  );
  const policies = [ownPolicy(userId), ...memberships.flatMap(rolePolicies)];
  return { id: user.id, email: user.email, hasSecondFactor, memberships, policies };
}

function toMembership(rows: readonly RoleRow[], hasSecondFactor: boolean): AccountMembership {
  const [first] = rows;
  const lacksSecondFactor = first?.enforce_twofactor === 1 && !hasSecondFactor;
  return {
    accountId: first?.account_id ?? '',
    memberId: first?.member_id ?? '',
    roles: rows.map((row) => findRoleBySlug(row.role)).filter((role) => role !== undefined),
    isSuperAdministrator:
      !lacksSecondFactor && rows.some((row) => row.role === SUPER_ADMINISTRATOR),
    lacksSecondFactor,
  };
}

/** What everybody may do with what is their own. */
function ownPolicy(userId: string): Policy {
  return compilePolicy({
    id: '',
    effect: 'allow',
    permissions: ['user-details.read', 'memberships.read', 'api-tokens.write'],
    resources: [{ userId }],
  });
}

function rolePolicies({ accountId, roles, lacksSecondFactor }: AccountMembership): Policy[] {
  if (lacksSecondFactor) return [];
  return roles.map(({ id, permissions }) =>
    compilePolicy({
      id,
      effect: 'allow',
      permissions: [...permissions],
      resources: [{ accountId }],
    }),
  );
}
