import { digestSecret } from '../../lib/secrets.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

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

export async function insertAccessToken(
  tx: Transaction,
  token: string,
  { familyId, scopes, createdAtMs, expiresAtMs }: AccessToken,
): Promise<void> {
  await tx
    .insertInto('oauth_access_tokens')
    .values({
      digest: digestSecret(token),
      family_id: familyId,
      scopes: JSON.stringify(scopes),
      created_at: createdAtMs,
      expires_at: expiresAtMs,
    })
    .execute();
}

export async function insertRefreshToken(
  tx: Transaction,
  token: string,
  {
    familyId,
    createdAtMs,
    expiresAtMs,
  }: Pick<AccessToken, 'familyId' | 'createdAtMs' | 'expiresAtMs'>,
): Promise<void> {
  await tx
    .insertInto('oauth_refresh_tokens')
    .values({
      digest: digestSecret(token),
      family_id: familyId,
      created_at: createdAtMs,
      expires_at: expiresAtMs,
    })
    .execute();
}
