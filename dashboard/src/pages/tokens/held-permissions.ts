import type { PermissionGroup } from '../../api/tokens.ts';
import { EVERY_ACCOUNT, parseResource } from './resources.ts';
import { type PolicyDraft, resourcesOf } from './token-draft.ts';
import { type TokenHome, isOwnPermission } from './token-home.tsx';

/**
 * Why the person cannot allow a permission with this policy: nobody hands on more than they hold. Undefined
 * when they can; the server looks again.
 */
export function whyNotHeld(
  { slug, isOfPerson }: PermissionGroup,
  policy: PolicyDraft,
  home: TokenHome,
): string | undefined {
  if (policy.effect === 'deny') return undefined;
  for (const name of resourcesToHold(policy, home)) {
    const resource = parseResource(name);
    if (resource === undefined) continue;
    if (resource.kind === 'user') {
      if (!isOwnPermission(slug)) return 'applies to accounts, not to your own data';
    } else if (resource.accountId !== EVERY_ACCOUNT) {
      // With all accounts the token follows the person: what the roles allow is asked at each use.
      if (isOfPerson) return 'applies to users, not to accounts';
      const account = home.accounts.find(({ id }) => id === resource.accountId);
      if (account?.holds(slug) !== true) {
        const where = account?.name ?? 'one of these accounts';
        return `is a permission that you do not have in ${where}`;
      }
    }
  }
  return undefined;
}

/** An account's token reaches nothing outside it, whatever is still to be chosen. */
function resourcesToHold(policy: PolicyDraft, home: TokenHome): string[] {
  const names = resourcesOf(policy, home);
  return names.length === 0 && home.owner.kind === 'account' ? [home.whole] : names;
}
