import type { Selectable } from 'kysely';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { Db, SessionsTable, Transaction } from '../../storage/schema.ts';
import type { UseStore } from '../last-used.ts';
import type { SessionFacts } from '../principal.ts';
import { IDLE_SESSION_MS } from './session-lifetimes.ts';
import type { AuthenticationMethod } from './start-session.ts';

/** A session that still waits for its second factor. */
export interface PendingSession {
  id: string;
  userId: string;
  /** What the person has shown. */
  methods: AuthenticationMethod[];
  /** When the person did so. */
  authenticatedAtMs: number;
  sid: string | undefined;
}

/** The session behind a cookie; one that still waits for its second factor is none. */
export async function findSessionByDigest(
  db: Db,
  digest: string,
): Promise<SessionFacts | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select([
      'id',
      'user_id',
      'digest',
      'authenticated_at',
      'created_at',
      'last_seen_at',
      'expires_at',
      'sid',
    ])
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
    lastSeenAtMs: row.last_seen_at,
    expiresAtMs: row.expires_at,
    sid: row.sid ?? undefined,
  };
}

function toPending(row: {
  id: string;
  user_id: string;
  methods: string;
  authenticated_at: number;
  sid: string | null;
}): PendingSession {
  const methods = JSON.parse(row.methods) as AuthenticationMethod[];
  const { id, user_id: userId, authenticated_at: authenticatedAtMs, sid } = row;
  return { id, userId, methods, authenticatedAtMs, sid: sid ?? undefined };
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
    .select(['id', 'user_id', 'methods', 'authenticated_at', 'sid'])
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
    .returning(['id', 'user_id', 'methods', 'authenticated_at', 'sid'])
    .executeTakeFirst();
  return row && toPending(row);
}

/** How the person of a complete session has proved who they are; undefined when it has ended. */
export async function findMethods(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<AuthenticationMethod[] | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('methods')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('is_complete', '=', 1)
    .executeTakeFirst();
  return row && (JSON.parse(row.methods) as AuthenticationMethod[]);
}

/** Where is kept when sessions were seen last. */
export const sessionUses: UseStore = {
  table: 'sessions',
  column: 'last_seen_at',
  field: 'last_seen_on',
};

/** A session as its person may look at it. */
export type SessionRow = Selectable<SessionsTable>;

/** The complete sessions of a person that are not over, newest first. Uses `sessions_user`. */
export async function listSessions(db: Db, userId: string, nowMs: number): Promise<SessionRow[]> {
  return liveSessions(db, userId, nowMs).orderBy('created_at', 'desc').orderBy('id').execute();
}

/** One of the sessions that {@link listSessions} lists. */
export async function findSession(
  db: Db,
  userId: string,
  sessionId: string,
  nowMs: number,
): Promise<SessionRow | undefined> {
  return liveSessions(db, userId, nowMs).where('id', '=', sessionId).executeTakeFirst();
}

function liveSessions(db: Db, userId: string, nowMs: number) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('is_complete', '=', 1)
    .where('expires_at', '>', nowMs)
    .where('last_seen_at', '>', nowMs - IDLE_SESSION_MS);
}
