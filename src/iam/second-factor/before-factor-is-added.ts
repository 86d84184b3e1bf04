import type { ChangeTools } from '../changes.ts';
import { unauthenticated } from '../credentials.ts';
import type { SessionPrincipal } from '../principal.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { findMethods } from '../sessions/session-store.ts';
import { hasSecondFactor } from './second-factors.ts';

/**
 * Comes before a factor is added, with the person locked. With the first one, all sessions of the
 * person end but the one that adds it: they began with the password alone, and would be taken for
 * sessions of somebody who has shown more than that.
 * @returns whether it is the first one
 * @throws ApiError 401 when that session has ended meanwhile, as another one's first factor does
 */
export async function beforeFactorIsAdded(
  tools: Pick<ChangeTools, 'tx' | 'announce'>,
  { user: { id: userId }, session }: SessionPrincipal,
): Promise<boolean> {
  const methods = await findMethods(tools.tx, userId, session.id);
  if (methods === undefined) throw unauthenticated();
  if (await hasSecondFactor(tools.tx, userId)) return false;
  await endSessions(tools, userId, { exceptId: session.id });
  return true;
}
