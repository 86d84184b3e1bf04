import type { RequestFacts } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUsable } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import type { LastUsed } from '../last-used.ts';
import type { SessionFacts, SessionPrincipal } from '../principal.ts';
import { readCookie } from './session-cookie.ts';
import { IDLE_SESSION_MS } from './session-lifetimes.ts';

/** Dependencies of the lookup of a session. */
export type SessionServices = Pick<IamServices, 'credentials' | 'cookies' | 'clock' | 'lastSeen'>;

/**
 * Records the use of a session, so that it does not end because it is idle.
 * @returns false if it has ended for that reason
 */
export function useSession(lastSeen: LastUsed, session: SessionFacts, clock: Clock): boolean {
  const lastSeenAtMs = Math.max(session.lastSeenAtMs, lastSeen.latest(session.id) ?? 0);
  if (clock.now() - lastSeenAtMs >= IDLE_SESSION_MS) return false;
  lastSeen.record(session.id);
  return true;
}

/**
 * Returns the session of the cookie of a request, for pages; undefined without a valid session. Any page may have made the
 * browser send the request.
 */
export async function findPresentedSession(
  { credentials, cookies, clock, lastSeen }: SessionServices,
  request: Pick<RequestFacts, 'headers' | 'ip'>,
): Promise<{ principal: SessionPrincipal; secret: string } | undefined> {
  const secret = readCookie(request.headers.cookie, cookies.session);
  if (secret === undefined || secret === '') return undefined;
  const principal = await credentials.resolveSession(secret, request.ip);
  if (principal === undefined) {
    credentials.countWrong(request.ip);
    return undefined;
  }
  const isLive = isUsable(principal, clock.now()) && useSession(lastSeen, principal.session, clock);
  return isLive ? { principal, secret } : undefined;
}
