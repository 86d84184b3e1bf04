import { type Principal, accountsOf } from '../principal.ts';

/**
 * In which accounts a caller sees its person's memberships: an OAuth client in those that the person
 * has picked for it, and no invitations.
 * @returns undefined for whoever sees all of them
 */
export function consentedAccounts(principal: Principal): string[] | undefined {
  return principal.type === 'oauth' ? accountsOf(principal) : undefined;
}
