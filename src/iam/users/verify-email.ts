import type { Clock } from '../../lib/clock.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { endAuthorizations } from '../authorizations.ts';
import { sessionAnnouncement, tokenAnnouncement } from '../credentials.ts';
import { changeByOperator } from './operator-change.ts';
import { userAnnouncement } from './user-directory.ts';
import { findUser, lockUser, updateUser } from './user-store.ts';

/**
 * Notes that a person was shown to read the mail of their address. The first time, every credential
 * that the person had until then is taken away, see {@link removeUnverifiedCredentials}.
 *
 * It comes before the transaction adds a credential of its own: a password, an identity, a session.
 * @returns whether it was the first time; false when the address had been verified before
 */
export async function verifyEmail(
  tx: Transaction,
  announce: Announce,
  userId: string,
  nowMs: number,
): Promise<boolean> {
  const isFirst = await removeUnverifiedCredentials(tx, announce, userId);
  if (isFirst) await updateUser(tx, userId, { emailVerifiedAtMs: nowMs });
  return isFirst;
}

/**
 * Marks an address as verified because an operator says so. The credentials of the user stay, unlike in
 * {@link verifyEmail}: the operator knows who uses them.
 * @returns false if the address was verified before
 * @throws Error if no user has the address
 */
export function verifyEmailByOperator(
  database: Database,
  clock: Clock,
  email: string,
): Promise<boolean> {
  return changeByOperator(database, clock, email, async ({ tx, user, nowMs, audit }) => {
    if (user.emailVerifiedAtMs !== undefined) return false;
    await updateUser(tx, user.id, { emailVerifiedAtMs: nowMs });
    await audit('verify_email', 'An operator verified the email address');
    return true;
  });
}

/**
 * Takes every credential away from a person of whom it was never shown that they read the mail of
 * their address, the password included: whoever came before, with the address of somebody else, may
 * have set it up and be waiting for its owner to arrive.
 * @returns whether it was so; false when the address had been verified before
 */
export async function removeUnverifiedCredentials(
  tx: Transaction,
  announce: Announce,
  userId: string,
): Promise<boolean> {
  await lockUser(tx, userId);
  const user = await findUser(tx, userId);
  if (user === undefined || user.emailVerifiedAtMs !== undefined) return false;
  await updateUser(tx, userId, { passwordHash: undefined });
  await removeCredentials(tx, announce, userId);
  announce(userAnnouncement(userId));
  return true;
}

/** Each statement uses the index that begins with the person: `sessions_user` and its like. */
async function removeCredentials(
  tx: Transaction,
  announce: Announce,
  userId: string,
): Promise<void> {
  const sessions = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('digest')
    .execute();
  for (const { digest } of sessions) announce(sessionAnnouncement(digest));
  const tokens = await tx
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .returning('digest')
    .execute();
  for (const { digest } of tokens) announce(tokenAnnouncement(digest));
  await endAuthorizations(tx, announce, userId);
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await tx.deleteFrom('totp_factors').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('external_identities').where('user_id', '=', userId).execute();
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
  await tx.deleteFrom('one_time_secrets').where('user_id', '=', userId).execute();
}
