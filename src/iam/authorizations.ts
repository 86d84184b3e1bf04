import { sql } from 'kysely';
import type { Announce } from '../storage/database.ts';
import type { Announcement } from '../storage/invalidation.ts';
import type { Transaction } from '../storage/schema.ts';

/** Under it ends and changes of authorizations are announced, by id of the family. */
export const FAMILY_TOPIC = 'oauth_family';

/** To announce when an authorization of an OAuth client ends, or the grant behind it changes. */
export function familyAnnouncement(familyId: string): Announcement {
  return { topic: FAMILY_TOPIC, key: familyId };
}

/**
 * Takes back all that a person has let OAuth clients do, with every code and token that came from it.
 * Uses `oauth_grants_key` and `oauth_families_grant`.
 */
export async function endAuthorizations(
  tx: Transaction,
  announce: Announce,
  userId: string,
): Promise<void> {
  await lockGrants(tx, userId);
  const families = await tx
    .selectFrom('oauth_families')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_families.grant_id')
    .select('oauth_families.id')
    .where('oauth_grants.user_id', '=', userId)
    .execute();
  for (const { id } of families) announce(familyAnnouncement(id));
  await tx.deleteFrom('oauth_grants').where('user_id', '=', userId).execute();
}

/**
 * Ends what a person has let OAuth clients do in one account. A grant for this account alone, or to a
 * private client of it, ends with every code and token that came from it; one for several accounts
 * stays for the others.
 * @returns the number of grants that changed or ended
 */
export async function endAuthorizationsInAccount(
  tx: Transaction,
  announce: Announce,
  userId: string,
  accountId: string,
): Promise<number> {
  await lockGrants(tx, userId);
  const grants = await tx
    .selectFrom('oauth_grants')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .select(['oauth_grants.id', 'client_id', 'accounts', 'account_id', 'visibility'])
    .where('user_id', '=', userId)
    .orderBy('oauth_grants.id')
    .execute();
  const keys = new Set(grants.map((grant) => `${grant.client_id} ${grant.accounts}`));
  let changed = 0;
  for (const { id, client_id: clientId, accounts: key, ...client } of grants) {
    const accounts = JSON.parse(key) as string[];
    // A private client is for members of its account alone.
    const isOfMembers = client.visibility === 'private' && client.account_id === accountId;
    if (!isOfMembers && !accounts.includes(accountId)) continue;
    changed++;
    const families = await tx
      .selectFrom('oauth_families')
      .select('id')
      .where('grant_id', '=', id)
      .execute();
    for (const family of families) announce(familyAnnouncement(family.id));
    const rest = JSON.stringify(accounts.filter((other) => other !== accountId));
    // A client has one grant for a set of accounts.
    if (isOfMembers || rest === '[]' || keys.has(`${clientId} ${rest}`)) {
      await tx.deleteFrom('oauth_grants').where('id', '=', id).execute();
    } else {
      keys.add(`${clientId} ${rest}`);
      await tx.updateTable('oauth_grants').set({ accounts: rest }).where('id', '=', id).execute();
    }
  }
  return changed;
}

/** Locks the grants of a person, so that no authorization is added between the announcements and the end. */
async function lockGrants(tx: Transaction, userId: string): Promise<void> {
  await tx
    .updateTable('oauth_grants')
    .set({ updated_at: sql.ref('updated_at') })
    .where('user_id', '=', userId)
    .execute();
}
