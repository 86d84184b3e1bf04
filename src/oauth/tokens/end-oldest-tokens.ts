import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { accessTokenAnnouncement } from './announcements.ts';

// Within the time for which reuse is known, a client that refreshes once an hour makes 720.
const MAX_TOKENS = 1_000;
// To look at the tokens of a family each time would cost more than the refresh.
const REFRESHES_PER_CHECK = 100;

/**
 * Ends the oldest tokens of an authorization that has very many: a client that refreshes without end
 * must not fill the disk, nor make it a long time's work to take the authorization back. Of a refresh
 * token that it forgets, reuse is refused and ends nothing.
 * @param refreshes how often the authorization was refreshed; every hundredth time is looked
 */
export async function endOldestTokens(
  tx: Transaction,
  announce: Announce,
  familyId: string,
  refreshes: number,
): Promise<void> {
  if (refreshes % REFRESHES_PER_CHECK !== 0) return;
  const access = await tx
    .selectFrom('oauth_access_tokens')
    .select('digest')
    .where('family_id', '=', familyId)
    .orderBy('created_at', 'desc')
    .limit(REFRESHES_PER_CHECK)
    .offset(MAX_TOKENS)
    .execute();
  for (const { digest } of access) announce(accessTokenAnnouncement(digest));
  await deleteTokens(tx, 'oauth_access_tokens', access);
  const used = await tx
    .selectFrom('oauth_refresh_tokens')
    .select('digest')
    .where('family_id', '=', familyId)
    .where('used_at', 'is not', null)
    .orderBy('used_at', 'desc')
    .limit(REFRESHES_PER_CHECK)
    .offset(MAX_TOKENS)
    .execute();
  await deleteTokens(tx, 'oauth_refresh_tokens', used);
}

async function deleteTokens(
  tx: Transaction,
  table: 'oauth_access_tokens' | 'oauth_refresh_tokens',
  tokens: readonly { digest: string }[],
): Promise<void> {
  if (tokens.length === 0) return;
  const digests = tokens.map(({ digest }) => digest);
  await tx.deleteFrom(table).where('digest', 'in', digests).execute();
}
