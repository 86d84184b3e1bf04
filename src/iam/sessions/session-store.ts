import type { Db } from '../../storage/schema.ts';
import type { SessionFacts } from '../principal.ts';

/** The session behind a cookie; one that still waits for its second factor is none. */
export async function findSessionByDigest(
  db: Db,
  digest: string,
): Promise<SessionFacts | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'digest', 'authenticated_at', 'created_at', 'expires_at'])
    .where('digest', '=', digest)
    .where('is_complete', '=', 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    userId: row.user_id,
    digest: row.digest,
    authenticatedAtMs: row.authenticated_at,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
  };
}
