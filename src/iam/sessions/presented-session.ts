import type { RequestFacts } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUsable } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import type { LastUsed } from '../last-used.ts';
import type { SessionFacts, SessionPrincipal } from '../principal.ts';
import { readCookie } from './session-cookie.ts';
import { IDLE_SESSION_MS } from './session-lifetimes.ts';

/**
 * Notes that a session is used now, so that it does not end for being idle.
 * @returns false when it has ended for being idle already
 */
export function useSession(lastSeen: LastUsed, session: SessionFacts, clock: Clock): boolean {
  const lastSeenAtMs = Math.max(session.lastSeenAtMs, lastSeen.latest(session.id) ?? 0);
  if (clock.now() - lastSeenAtMs >= IDLE_SESSION_MS) return false;
  lastSeen.record(session.id);
  return true;
}

/**
 * The session whose cookie a request carries, for pages: undefined when there is none that is valid.
 * It says nothing about who made the browser send the request.
 */
export async function findPresentedSession(
  { credentials, cookies, clock, lastSeen }: IamServices,
  request: RequestFacts,
): Promise<{ principal: SessionPrincipal; secret: string } | undefined> {
  const secret = readCookie(request.headers.cookie, cookies.session);
  if (secret === undefined || secret === '') return undefined;
  const principal = await credentials.resolveSession(secret, request.ip);
  if (principal === undefined) {
    credentials.noteWrong(request.ip);
    return undefined;
  }
  const isLive = isUsable(principal, clock.now()) && useSession(lastSeen, principal.session, clock);
  return isLive ? { principal, secret } : undefined;
}
