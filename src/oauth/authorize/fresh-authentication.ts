import type { SessionFacts } from '../../iam/principal.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

// The clocks of two nodes may differ by so much: the person must not be asked again and again.
const CLOCK_SKEW_MS = 5_000;

/** The client limits how long ago the person may have authenticated. */
export function demandsRecent({
  prompt,
  maxAgeSeconds,
}: Pick<AuthorizationRequest, 'prompt' | 'maxAgeSeconds'>): boolean {
  return prompt.includes('login') || maxAgeSeconds !== undefined;
}

/**
 * Whether a session says recently enough who the person is (OpenID Connect Core section 3.1.2.1).
 * The age counts at the time of the request, so that nobody grows too old while they decide.
 */
export function isFreshEnough(
  request: Pick<
    AuthorizationRequest,
    'prompt' | 'maxAgeSeconds' | 'requestedAtMs' | 'presentedSessionId'
  >,
  session: Pick<SessionFacts, 'id' | 'authenticatedAtMs'>,
): boolean {
  const { prompt, maxAgeSeconds, requestedAtMs, presentedSessionId } = request;
  const sinceMs = requestedAtMs - session.authenticatedAtMs;
  // A session that the browser did not have when it came with the request, and that began since.
  // Without its cookies, such as in a form of another site, nobody knows which one the browser had.
  const skewMs = presentedSessionId === undefined ? 0 : CLOCK_SKEW_MS;
  const isNew = session.id !== presentedSessionId && sinceMs <= skewMs;
  // Section 15.1: max_age=0 means the same.
  if (prompt.includes('login') || maxAgeSeconds === 0) return isNew;
  return isNew || maxAgeSeconds === undefined || sinceMs <= maxAgeSeconds * 1_000;
}
