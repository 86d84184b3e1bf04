import type { UserAccess } from '../../iam/users/user-access.ts';
import { type User, findUser } from '../../iam/users/user-store.ts';
import type { OAuthServices } from '../oauth-services.ts';

/** The claims of {@link loadUserClaims}, for the discovery document. */
export const USER_CLAIMS = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
  'groups',
];

/** The scopes that have claims about the user. */
const CLAIM_SCOPES: ReadonlySet<string> = new Set(['profile', 'email', 'groups']);

/** The part of an authorization that decides which claims there are. */
interface Authorized {
  /** Scopes of the access token. */
  scopes: readonly string[];
  /** Accounts that the user has selected. */
  accountIds: readonly string[];
}

/** Returns true if any of the scopes has claims about the user. */
export function describesUser(scopes: readonly string[]): boolean {
  return scopes.some((scope) => CLAIM_SCOPES.has(scope));
}

/**
 * Returns the claims about a user that the granted scopes allow (OpenID Connect Core section 5.4), or undefined if the
 * user is locked or deleted.
 */
export async function loadUserClaims(
  { database, users }: Pick<OAuthServices, 'database' | 'users'>,
  userId: string,
  authorized: Authorized,
): Promise<Record<string, unknown> | undefined> {
  const user = await findUser(database.read, userId);
  const access = await users.find(userId);
  if (user === undefined || access === undefined) return undefined;
  const { scopes } = authorized;
  return {
    ...(scopes.includes('profile') && describeProfile(user)),
    ...(scopes.includes('email') && {
      email: user.email,
      email_verified: user.emailVerifiedAtMs !== undefined,
    }),
    ...(scopes.includes('groups') && { groups: listGroups(access, authorized) }),
  };
}

function describeProfile({ firstName, lastName, email }: User): Record<string, unknown> {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return {
    // Applications show the name, and fail without one.
    name: name || email,
    ...(firstName && { given_name: firstName }),
    ...(lastName && { family_name: lastName }),
    preferred_username: email,
  };
}

/** Returns the names of the user's roles in the selected accounts. A membership that grants nothing has none. */
function listGroups(
  { memberships }: Pick<UserAccess, 'memberships'>,
  { accountIds }: Authorized,
): string[] {
  const names = memberships
    .filter((held) => accountIds.includes(held.accountId) && !held.lacksSecondFactor)
    .flatMap(({ roles }) => roles.map(({ name }) => name));
  return [...new Set(names)].toSorted((a, b) => a.localeCompare(b, 'en'));
}
