import { createSecret, digestSecret, isWellFormedSecret } from '../lib/secrets.ts';
import type { Db, Transaction } from '../storage/schema.ts';

/** What a one-time secret is good for; one of another purpose does not fit. */
export type OneTimePurpose =
  | 'password_reset'
  | 'passkey_registration'
  | 'passkey_authentication'
  | 'oauth_consent'
  | 'pushed_authorization_request';

// More are never there: each new one makes room for itself.
const MAX_FORGOTTEN = 100;

/** What was kept with a secret for whoever redeems it. */
export interface Redeemed {
  userId: string | undefined;
  payload: unknown;
}

/**
 * Makes a secret that works once: a link in a mail, or the state of a sign-in under way.
 * @param payload plain JSON
 * @returns the secret; only its digest is stored
 */
export async function issueOneTimeSecret(
  tx: Transaction,
  purpose: OneTimePurpose,
  {
    userId,
    payload,
    expiresAtMs,
  }: {
    userId?: string | undefined;
    payload?: unknown;
    expiresAtMs: number;
  },
): Promise<string> {
  const secret = createSecret('lkot_');
  await tx
    .insertInto('one_time_secrets')
    .values({
      digest: digestSecret(secret),
      purpose,
      user_id: userId ?? null,
      payload: JSON.stringify(payload ?? null),
      expires_at: expiresAtMs,
    })
    .execute();
  return secret;
}

/**
 * Redeems a secret: of several who try at once, one succeeds. When the transaction is undone, the
 * secret is good again.
 * @returns undefined for one that is unknown, used, expired or for another purpose
 */
export async function redeemOneTimeSecret(
  tx: Transaction,
  purpose: OneTimePurpose,
  secret: string,
  nowMs: number,
): Promise<Redeemed | undefined> {
  if (!isWellFormedSecret(secret, 'lkot_')) return undefined;
  const row = await tx
    .deleteFrom('one_time_secrets')
    .where('digest', '=', digestSecret(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .returning(['user_id', 'payload'])
    .executeTakeFirst();
  return row && toRedeemed(row);
}

function toRedeemed(row: { user_id: string | null; payload: string }): Redeemed {
  return { userId: row.user_id ?? undefined, payload: JSON.parse(row.payload) as unknown };
}

/** What {@link redeemOneTimeSecret} would return now; the secret stays good. */
export async function findOneTimeSecret(
  db: Db,
  purpose: OneTimePurpose,
  secret: string,
  nowMs: number,
): Promise<Redeemed | undefined> {
  if (!isWellFormedSecret(secret, 'lkot_')) return undefined;
  const row = await db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'payload'])
    .where('digest', '=', digestSecret(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toRedeemed(row);
}

/** Forgets the secrets of one purpose that a person was given before. Uses `one_time_secrets_user`. */
export async function revokeOneTimeSecrets(
  tx: Transaction,
  purpose: OneTimePurpose,
  userId: string,
): Promise<void> {
  await tx
    .deleteFrom('one_time_secrets')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/**
 * Forgets all but the latest secrets of one purpose that a person was given, as far as they all live
 * equally long. Uses `one_time_secrets_user`.
 */
export async function keepLatestOneTimeSecrets(
  tx: Transaction,
  purpose: OneTimePurpose,
  userId: string,
  kept: number,
): Promise<void> {
  const older = await tx
    .selectFrom('one_time_secrets')
    .select('digest')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .orderBy('expires_at', 'desc')
    .orderBy('digest')
    .offset(kept)
    // SQLite knows no offset without a limit.
    .limit(MAX_FORGOTTEN)
    .execute();
  if (older.length === 0) return;
  const digests = older.map(({ digest }) => digest);
  await tx.deleteFrom('one_time_secrets').where('digest', 'in', digests).execute();
}
