import type { AuditChain } from '../../iam/audit/audit-entry.ts';
import type { ChangeTools } from '../../iam/changes.ts';
import type { UserAccess } from '../../iam/users/user-access.ts';
import { grantChange } from './grant-presenter.ts';
import type { Grant } from './grant-store.ts';

/** Whose grant it is, and for whom. */
interface Parties {
  user: Pick<UserAccess, 'id' | 'memberships'>;
  client: { id: string; name: string | undefined };
}

/**
 * Notes what became of a grant in the person's own log, and in that of each account which it is about
 * and of which they are a member: there, nothing is said of the others.
 * @param description in words, past tense
 */
export function auditGrant(
  { audit }: Pick<ChangeTools, 'audit'>,
  { id, accountIds, scopes, declinedScopes }: Grant,
  { user, client }: Parties,
  type: 'authorize' | 'revoke',
  description: string,
): void {
  const noteIn = (chain: AuditChain, accounts: string[]): void => {
    const request = {
      client_id: client.id,
      client_name: client.name,
      accounts,
      scopes,
      declined_scopes: declinedScopes,
    };
    audit({ ...grantChange({ id }, chain, type, description), request });
  };
  noteIn({ userId: user.id }, accountIds);
  for (const { accountId } of user.memberships) {
    if (accountIds.includes(accountId)) noteIn({ accountId }, [accountId]);
  }
}
