import type { Insertable } from 'kysely';
import { digestSecret } from '../../lib/secrets.ts';
import type { Announce } from '../../storage/database.ts';
import { prepareChange } from '../../storage/prepared-query.ts';
import type {
  OAuthAccessTokensTable,
  OAuthRefreshTokensTable,
} from '../../storage/oauth-tables.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { REUSE_KNOWN_MS } from '../lifetimes.ts';
import { accessTokenAnnouncement } from './announcements.ts';
import type { Family } from './family-store.ts';
import { type TokenPair, refreshExpiryMs } from './token-answer.ts';

/** An access token as it is stored. */
export interface AccessToken {
  familyId: string;
  scopes: string[];
  createdAtMs: number;
  expiresAtMs: number;
}

/** A refresh token as it is stored. */
export interface RefreshToken {
  digest: string;
  familyId: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** Undefined while it is good. */
  usedAtMs: number | undefined;
  successorDigest: string | undefined;
  /** What its use was answered with; sealed under a key made from the token. */
  sealedResponse: string | undefined;
}

/** Also one that has expired. */
export async function findAccessToken(db: Db, digest: string): Promise<AccessToken | undefined> {
  const row = await db
    .selectFrom('oauth_access_tokens')
    .select(['family_id', 'scopes', 'created_at', 'expires_at'])
    .where('digest', '=', digest)
    .executeTakeFirst();
  return (
    row && {
      familyId: row.family_id,
      scopes: JSON.parse(row.scopes) as string[],
      createdAtMs: row.created_at,
      expiresAtMs: row.expires_at,
    }
  );
}

/** Also one that has expired or was used. */
export async function findRefreshToken(db: Db, digest: string): Promise<RefreshToken | undefined> {
  const row = await db
    .selectFrom('oauth_refresh_tokens')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst();
  return (
    row && {
      digest: row.digest,
      familyId: row.family_id,
      createdAtMs: row.created_at,
      expiresAtMs: row.expires_at,
      usedAtMs: row.used_at ?? undefined,
      successorDigest: row.successor_digest ?? undefined,
      sealedResponse: row.response ?? undefined,
    }
  );
}

type NewRefreshToken = Pick<
  Insertable<OAuthRefreshTokensTable>,
  'digest' | 'family_id' | 'created_at' | 'expires_at'
>;

const insertAccessToken = prepareChange((db, row: Insertable<OAuthAccessTokensTable>) => {
  const { digest, family_id, scopes, created_at, expires_at } = row;
  return db
    .insertInto('oauth_access_tokens')
    .values({ digest, family_id, scopes, created_at, expires_at });
});

const insertRefreshToken = prepareChange((db, row: NewRefreshToken) => {
  const { digest, family_id, created_at, expires_at } = row;
  return db
    .insertInto('oauth_refresh_tokens')
    .values({ digest, family_id, created_at, expires_at });
});

/**
 * Stores the tokens that came out of one request: the caller has locked the family in the same
 * transaction, or they could outlive it.
 */
export async function insertPair(
  tx: Transaction,
  family: Pick<Family, 'id' | 'createdAtMs'>,
  { accessToken, scopes, accessExpiresAtMs, refreshToken }: TokenPair,
  nowMs: number,
): Promise<void> {
  const shared = { family_id: family.id, created_at: nowMs };
  await insertAccessToken(tx, {
    ...shared,
    digest: digestSecret(accessToken),
    scopes: JSON.stringify(scopes),
    expires_at: accessExpiresAtMs,
  });
  if (refreshToken === undefined) return;
  await insertRefreshToken(tx, {
    ...shared,
    digest: digestSecret(refreshToken),
    expires_at: refreshExpiryMs(family, nowMs),
  });
}

/** What is noted of the use of a refresh token. */
interface RefreshTokenUse {
  usedAtMs: number;
  successor: string;
  sealedResponse: string;
}

/**
 * Uses a refresh token up: of several who try at once, one succeeds.
 * @returns false when it was used, has expired or is gone
 */
export async function useRefreshToken(
  tx: Transaction,
  digest: string,
  { usedAtMs, successor, sealedResponse }: RefreshTokenUse,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_refresh_tokens')
    .set({
      used_at: usedAtMs,
      successor_digest: digestSecret(successor),
      response: sealedResponse,
      expires_at: usedAtMs + REUSE_KNOWN_MS,
    })
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', usedAtMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends one access token before its time; returns whether there was one. */
export async function deleteAccessToken(
  tx: Transaction,
  announce: Announce,
  digest: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_access_tokens')
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) announce(accessTokenAnnouncement(digest));
  return numDeletedRows > 0n;
}
