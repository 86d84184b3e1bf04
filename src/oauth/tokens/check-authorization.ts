import type { UserAccess } from '../../iam/users/user-access.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { mayAuthorize } from './access-tokens.ts';
import type { Family } from './family-store.ts';

/**
 * Checks that an authorization still counts: that the person may use the client now and, where it was
 * about accounts, is a member of one of them.
 * @returns what is left of the scopes, which the client still lists and the person still allows
 * @throws ProtocolError invalid_grant when nothing is left of it
 */
export async function checkAuthorization(
  { users }: Pick<OAuthServices, 'users'>,
  client: RegisteredClient,
  family: Family,
): Promise<string[]> {
  const user = await users.find(family.userId);
  if (user === undefined) throw ended('the user is locked or deleted');
  if (!mayAuthorize(client, user)) throw ended('the user may not use this client');
  if (!isStillMember(user, family.accountIds)) {
    throw ended('the user is no longer a member of the authorized accounts');
  }
  const scopes = family.scopes.filter(
    (scope) => client.scopes.includes(scope) && family.grantedScopes.includes(scope),
  );
  if (scopes.length === 0 && family.scopes.length > 0)
    throw ended('the user no longer has any of the scopes');
  return scopes;
}

function isStillMember({ memberships }: UserAccess, accountIds: readonly string[]): boolean {
  return (
    accountIds.length === 0 || memberships.some(({ accountId }) => accountIds.includes(accountId))
  );
}

function ended(reason: string): ProtocolError {
  return new ProtocolError('invalid_grant', reason);
}
