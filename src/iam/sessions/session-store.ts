import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { SessionFacts } from '../principal.ts';
import type { AuthenticationMethod } from './start-session.ts';

/** A session that still waits for its second factor. */
export interface PendingSession {
  id: string;
  userId: string;
  /** What the person has shown. */
  methods: AuthenticationMethod[];
}

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

function toPending(row: { id: string; user_id: string; methods: string }): PendingSession {
  const methods = JSON.parse(row.methods) as AuthenticationMethod[];
  return { id: row.id, userId: row.user_id, methods };
}

/** The incomplete session of a cookie; undefined when it is unknown, complete or over. */
export async function findPendingSession(
  db: Db,
  secret: string,
  nowMs: number,
): Promise<PendingSession | undefined> {
  if (!isWellFormedSecret(secret, 'lkss_')) return undefined;
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'methods'])
    .where('digest', '=', digestSecret(secret))
    .where('is_complete', '=', 0)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toPending(row);
}

/** Takes an incomplete session away: of several requests that want to complete it, one gets it. */
export async function takePendingSession(
  tx: Transaction,
  secret: string,
  nowMs: number,
): Promise<PendingSession | undefined> {
  if (!isWellFormedSecret(secret, 'lkss_')) return undefined;
  const row = await tx
    .deleteFrom('sessions')
    .where('digest', '=', digestSecret(secret))
    .where('is_complete', '=', 0)
    .where('expires_at', '>', nowMs)
    .returning(['id', 'user_id', 'methods'])
    .executeTakeFirst();
  return row && toPending(row);
}
