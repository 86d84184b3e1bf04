import { type PermissionSlug, findPermissionBySlug } from '../../iam/permissions.ts';
import { type Policy, compilePolicy } from '../../iam/policy.ts';

/**
 * Scopes as policies: permissions on accounts count in the accounts that the person has picked, those
 * on the person count for the person. Nothing of an account reaches what is the person's own, such
 * as the person's API tokens.
 */
export function scopePolicies(
  scopes: readonly string[],
  accountIds: readonly string[],
  userId: string,
): Policy[] {
  const held = scopes.flatMap((scope) => findPermissionBySlug(scope) ?? []);
  const slugsOf = (wanted: 'account' | 'user'): PermissionSlug[] =>
    held.filter(({ scope }) => scope === wanted).map(({ slug }) => slug);
  return [
    allow(
      slugsOf('account'),
      accountIds.map((accountId) => ({ accountId })),
    ),
    allow(slugsOf('user'), [{ userId }]),
  ];
}

function allow(
  permissions: PermissionSlug[],
  resources: ({ accountId: string } | { userId: string })[],
): Policy {
  return compilePolicy({ id: '', effect: 'allow', permissions, resources });
}
