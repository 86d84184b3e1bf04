import { apiError } from '../../http/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { digestSecret } from '../../lib/secrets.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { sessionAnnouncement, unauthenticated } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import type { SessionFacts, SessionPrincipal } from '../principal.ts';

// For so long after a person has proved who they are, the credentials of the person may be changed.
const RECENT_MS = 15 * 60_000;

/**
 * Guards what a stranger at an open browser must not do, such as to add a second factor.
 * @throws ApiError 3045 when the person has not proved who they are in the last 15 minutes
 */
export function requireRecentAuthentication(principal: SessionPrincipal, clock: Clock): void {
  const ageMs = clock.now() - principal.session.authenticatedAtMs;
  // Below 0 the clock was set back since: how long ago it is, nobody knows.
  if (Math.abs(ageMs) >= RECENT_MS) throw apiError(iamErrors.staleAuthentication);
}

/** Has a session that began just now be as old as the latest proof of who its person is. */
export async function setAuthenticatedAt(
  tx: Transaction,
  secret: string,
  authenticatedAtMs: number,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ authenticated_at: authenticatedAtMs })
    .where('digest', '=', digestSecret(secret))
    .execute();
}

/**
 * Notes that the person behind a session has proved again who they are.
 * @throws ApiError 401 when the session has ended meanwhile
 */
export async function renewAuthentication(
  { tx, announce }: Pick<ChangeTools, 'tx' | 'announce'>,
  session: SessionFacts,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ authenticated_at: nowMs })
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw unauthenticated();
  announce(sessionAnnouncement(session.digest));
}
