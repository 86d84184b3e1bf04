import type { RequestFacts } from '../../http/route.ts';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { sessionAnnouncement } from '../credentials.ts';
import { type CookieNames, readCookie } from './session-cookie.ts';

// Sessions that one user may have.
const MAX_SESSIONS = 50;

type EndTools = Pick<ChangeTools, 'tx' | 'announce'>;

interface EndedSession {
  digest: string;
  sid: string | null;
}

/** Announces that sessions have ended, and notes it for the OAuth clients that the user has authorized in them. */
async function announceEnd(
  { tx, announce }: EndTools,
  userId: string,
  ended: readonly EndedSession[],
): Promise<void> {
  for (const { digest } of ended) announce(sessionAnnouncement(digest));
  const sids = ended.map(({ sid }) => sid).filter((sid) => sid !== null);
  await noteEnded(tx, userId, sids);
}

async function noteEnded(tx: Transaction, userId: string, sids: readonly string[]): Promise<void> {
  if (sids.length === 0) return;
  await tx
    .insertInto('ended_sessions')
    .values(sids.map((sid) => ({ sid, user_id: userId })))
    .onConflict((conflict) => conflict.column('sid').doNothing())
    .execute();
}

/**
 * Ends the sessions of a user, on every node at once: all of them, or all but one.
 * @param continuedSid of a session that a new one continues
 */
export async function endSessions(
  tools: EndTools,
  userId: string,
  { exceptId, continuedSid }: { exceptId?: string; continuedSid?: string | undefined } = {},
): Promise<number> {
  const ended = await tools.tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .returning(['digest', 'sid'])
    .execute();
  const final = ended.map((session) =>
    session.sid === continuedSid ? { ...session, sid: null } : session,
  );
  await announceEnd(tools, userId, final);
  return ended.length;
}

/** Ends one session of a user. Returns false if it is another user's, or over. */
export async function endSession(
  tools: EndTools,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const ended = await tools.tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .returning(['digest', 'sid'])
    .executeTakeFirst();
  if (ended === undefined) return false;
  await announceEnd(tools, userId, [ended]);
  return true;
}

/**
 * Ends the session whose cookie a browser brings to a sign-in, because the browser gets another session.
 * @param userId the user who signs in
 * @returns the `sid` of an earlier session of the same user, which the new session continues
 */
export async function endPresentedSession(
  tools: EndTools,
  names: CookieNames,
  { headers }: RequestFacts,
  userId: string,
): Promise<string | undefined> {
  const secret = readCookie(headers.cookie, names.session);
  if (secret === undefined || !isWellFormedSecret(secret, 'lkss_')) return undefined;
  const ended = await tools.tx
    .deleteFrom('sessions')
    .where('digest', '=', digestSecret(secret))
    .returning(['digest', 'sid', 'user_id'])
    .executeTakeFirst();
  if (ended === undefined) return undefined;
  const { digest, sid, user_id: formerUserId } = ended;
  if (formerUserId === userId) {
    tools.announce(sessionAnnouncement(digest));
    return sid ?? undefined;
  }
  await announceEnd(tools, formerUserId, [ended]);
  return undefined;
}

/**
 * Ends the oldest sessions of a user beyond the limit. Incomplete sessions are counted separately: the password alone
 * must not end complete sessions.
 */
export async function endOldestSessions(tools: EndTools, userId: string): Promise<void> {
  for (const isComplete of [0, 1] as const) {
    const ended = await tools.tx
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('is_complete', '=', isComplete)
      .where('id', 'not in', (select) =>
        select
          .selectFrom('sessions')
          .select('id')
          .where('user_id', '=', userId)
          .where('is_complete', '=', isComplete)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(MAX_SESSIONS),
      )
      .returning(['digest', 'sid'])
      .execute();
    await announceEnd(tools, userId, ended);
  }
}
