import { Type } from 'typebox';
import type { SessionPrincipal } from '../principal.ts';

/** Path parameters of an operation on one session. */
export const SessionParams = Type.Object({
  session_id: Type.String({
    description: 'Session id, or `current` for the session of the request',
  }),
});

/** The id that a path names. */
export function sessionIdOf(params: { session_id: string }, principal: SessionPrincipal): string {
  return params.session_id === 'current' ? principal.session.id : params.session_id;
}
