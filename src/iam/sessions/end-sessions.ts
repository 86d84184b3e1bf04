import type { RequestFacts } from '../../http/route.ts';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { ChangeTools } from '../changes.ts';
import { sessionAnnouncement } from '../credentials.ts';
import { type CookieNames, readCookie } from './session-cookie.ts';

// Sessions that one person may have.
const MAX_SESSIONS = 50;

type EndTools = Pick<ChangeTools, 'tx' | 'announce'>;

/** Ends the sessions of a person, on every node at once: all of them, or all but one. */
export async function endSessions(
  { tx, announce }: EndTools,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .returning('digest')
    .execute();
  for (const { digest } of ended) announce(sessionAnnouncement(digest));
  return ended.length;
}

/** Ends one session of a person; false when it is not theirs, or over. */
export async function endSession(
  { tx, announce }: EndTools,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .returning('digest')
    .executeTakeFirst();
  if (ended === undefined) return false;
  announce(sessionAnnouncement(ended.digest));
  return true;
}

/** Ends the session whose cookie a browser brings along, whoever's it is; the browser gets another. */
export async function endPresentedSession(
  { tx, announce }: EndTools,
  names: CookieNames,
  { headers }: RequestFacts,
): Promise<void> {
  const secret = readCookie(headers.cookie, names.session);
  if (secret === undefined || !isWellFormedSecret(secret, 'lkss_')) return;
  const digest = digestSecret(secret);
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) announce(sessionAnnouncement(digest));
}

/**
 * Ends the oldest sessions of a person, as many as there are too many. Incomplete ones are counted by
 * themselves: who knows only the password must not end the sessions of who knows more.
 */
export async function endOldestSessions({ tx, announce }: EndTools, userId: string): Promise<void> {
  for (const isComplete of [0, 1] as const) {
    const ended = await tx
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
      .returning('digest')
      .execute();
    for (const { digest } of ended) announce(sessionAnnouncement(digest));
  }
}
