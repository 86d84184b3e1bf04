import type { RequestFacts } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUsable } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import type { LastUsed } from '../last-used.ts';
import type { SessionFacts, SessionPrincipal } from '../principal.ts';
import { CSRF_HEADER, isCsrfToken, readCookie } from './session-cookie.ts';
import { IDLE_SESSION_MS } from './session-lifetimes.ts';

/** What sessions that are presented are looked up with. */
export type SessionServices = Pick<IamServices, 'credentials' | 'cookies' | 'clock' | 'lastSeen'>;

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
  { credentials, cookies, clock, lastSeen }: SessionServices,
  request: Pick<RequestFacts, 'headers' | 'ip'>,
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

/**
 * The person in whose name a page of ours has sent a request. The CSRF token shows that it was one of ours: without the
 * right one, a cookie is as good as none, and nothing is looked up.
 */
export async function findPageCaller(
  services: SessionServices,
  request: Pick<RequestFacts, 'headers' | 'ip'>,
): Promise<SessionPrincipal | undefined> {
  const secret = readCookie(request.headers.cookie, services.cookies.session);
  if (secret === undefined || !isCsrfToken(request.headers[CSRF_HEADER], secret)) return undefined;
  return (await findPresentedSession(services, request))?.principal;
}
