import type { JWK } from 'jose';
import type { Announcement } from '../../storage/invalidation.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { SigningAlg } from '../clients/client-store.ts';
import { ID_TOKEN_MS } from '../lifetimes.ts';

/** A signing key as it is stored. */
export interface SigningKey {
  /** The `kid`. */
  id: string;
  alg: SigningAlg;
  /** As `jwks.json` shows it. */
  publicJwk: JWK;
  /** Opens with the key's id as context. */
  sealedPrivateJwk: string;
  createdAtMs: number;
  signsFromMs: number;
  /** Undefined until a younger key takes over. */
  publishedUntilMs: number | undefined;
}

/** Under it changes of the keys are announced. */
export const SIGNING_KEY_TOPIC = 'oauth_signing_key';

/** All keys are read together. */
export const ALL_KEYS = 'all';

/** To announce whenever a key is added, or the end of one is set. */
export const signingKeysAnnouncement: Announcement = { topic: SIGNING_KEY_TOPIC, key: ALL_KEYS };

// For clocks that differ, and for clients that verify late.
const LATE_MS = 10 * 60_000;

/**
 * Until when a key is published whose successor signs from then on: the last ID token that it has
 * signed has expired.
 */
export function lastPublishedMs(successorSignsFromMs: number): number {
  return successorSignsFromMs + ID_TOKEN_MS + LATE_MS;
}

/** The keys that are published now, in the order in which they sign. */
export async function listPublishedKeys(db: Db, nowMs: number): Promise<SigningKey[]> {
  const rows = await db
    .selectFrom('oauth_signing_keys')
    .selectAll()
    .where((where) =>
      where.or([where('published_until', 'is', null), where('published_until', '>', nowMs)]),
    )
    .orderBy('signs_from')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    alg: row.alg,
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    sealedPrivateJwk: row.private_jwk,
    createdAtMs: row.created_at,
    signsFromMs: row.signs_from,
    publishedUntilMs: row.published_until ?? undefined,
  }));
}

/**
 * The key that signs with an algorithm now: of those whose time has come the youngest. All nodes
 * that know the same keys pick the same one.
 * @param keys in the order of {@link listPublishedKeys}
 */
export function pickSigningKey<K extends Pick<SigningKey, 'alg' | 'signsFromMs'>>(
  keys: readonly K[],
  alg: SigningAlg,
  nowMs: number,
): K | undefined {
  const candidates = keys.filter((key) => key.alg === alg);
  const due = candidates.findLast(({ signsFromMs }) => signsFromMs <= nowMs);
  // The clock of the node that has made the only key may be ahead of ours.
  return due ?? candidates[0];
}

export async function insertSigningKey(tx: Transaction, key: SigningKey): Promise<void> {
  await tx
    .insertInto('oauth_signing_keys')
    .values({
      id: key.id,
      alg: key.alg,
      public_jwk: JSON.stringify(key.publicJwk),
      private_jwk: key.sealedPrivateJwk,
      created_at: key.createdAtMs,
      signs_from: key.signsFromMs,
      published_until: key.publishedUntilMs ?? null,
    })
    .execute();
}

/** Says until when a key is published. */
export async function endPublication(
  tx: Transaction,
  keyId: string,
  untilMs: number,
): Promise<void> {
  await tx
    .updateTable('oauth_signing_keys')
    .set({ published_until: untilMs })
    .where('id', '=', keyId)
    .execute();
}

export async function deleteSigningKey(tx: Transaction, keyId: string): Promise<void> {
  await tx.deleteFrom('oauth_signing_keys').where('id', '=', keyId).execute();
}

/** Deletes the keys that are published no more. */
export async function purgeSigningKeys(tx: Transaction, nowMs: number): Promise<void> {
  await tx.deleteFrom('oauth_signing_keys').where('published_until', '<=', nowMs).execute();
}
