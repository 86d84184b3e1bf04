import { apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import { type PermissionSlug, impliedPermissions, permissionName } from '../permissions.ts';
import { type Principal, holdsThroughout, isSuperAdministrator } from '../principal.ts';
import { type Role, SUPER_ADMINISTRATOR, findRoleBySlug } from '../roles.ts';
import { type Member, countSuperAdministrators } from './member-store.ts';

const isSuper = (role: Role): boolean => role.slug === SUPER_ADMINISTRATOR;

/** A permission of the role that the caller does not hold on the whole account, if there is one. */
function missingPermission(
  principal: Principal,
  accountId: string,
  role: Role | undefined,
): PermissionSlug | undefined {
  return role?.permissions
    .flatMap(impliedPermissions)
    .find((slug) => !holdsThroughout(principal.layers, slug, { accountId }));
}

/**
 * Whether a request has behind it not only a Super Administrator, but all that one holds: a token of
 * such a person that is there for something small must not decide over the account.
 * @throws ApiError 3022
 */
export function checkActsAsSuperAdministrator(principal: Principal, accountId: string): void {
  const { needsSuperAdministrator: refusal } = iamErrors;
  if (!isSuperAdministrator(principal, accountId)) throw apiError(refusal);
  const role = findRoleBySlug(SUPER_ADMINISTRATOR);
  const missing = missingPermission(principal, accountId, role);
  if (missing === undefined) return;
  throw apiError(refusal, {
    message: `${refusal.message}, and this token of one lacks "${permissionName(missing)}"`,
  });
}

/**
 * Nobody gives what they do not hold, and only Super Administrators decide who is one.
 * @param before the roles that the member has; none for a new one
 * @param after the roles that the member gets; none for one who leaves
 * @throws ApiError 3022 or 3024
 */
export function checkRoleChange(
  principal: Principal,
  accountId: string,
  before: readonly Role[],
  after: readonly Role[],
): void {
  if (before.some(isSuper) !== after.some(isSuper)) {
    checkActsAsSuperAdministrator(principal, accountId);
  }
  for (const role of after) {
    if (before.includes(role)) continue;
    const missing = missingPermission(principal, accountId, role);
    if (missing === undefined) continue;
    const { exceedsGranter: refusal } = iamErrors;
    throw apiError(refusal, {
      message: `${refusal.message}: "${permissionName(missing)}" is missing for ${role.name}`,
      pointer: '/roles',
    });
  }
}

/**
 * An account always keeps somebody who can decide over it. The caller has locked the account, so that
 * of two last ones who leave at once one stays.
 * @param after the roles that the member has afterwards
 * @throws ApiError 3023
 */
export async function checkSuperAdministratorStays(
  tx: Transaction,
  member: Member,
  after: readonly Role[],
): Promise<void> {
  const isLost = member.status === 'accepted' && member.roles.some(isSuper) && !after.some(isSuper);
  if (isLost && (await countSuperAdministrators(tx, member.accountId)) <= 1) {
    throw apiError(iamErrors.lastSuperAdministrator);
  }
}
