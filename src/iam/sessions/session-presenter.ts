import { Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { SessionPrincipal } from '../principal.ts';
import type { SessionRow } from './session-store.ts';
import { UNKNOWN_TIME } from './start-session.ts';

/** A session as its person sees it. */
export const SessionSchema = Type.Object({
  id: Type.String(),
  current: Type.Boolean({ description: 'True for the session of this request' }),
  methods: Type.Array(Type.String(), { description: 'Authentication methods' }),
  created_on: Type.String(),
  authenticated_on: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Time of the last authentication; null if the identity provider does not state it',
  }),
  last_seen_on: Type.String({ description: 'Time of the last use, to the minute' }),
  expires_on: Type.String(),
  ip: Type.String({ description: 'IP address and browser at the sign-in' }),
  user_agent: Type.String(),
});

export function presentSession(row: SessionRow, principal: SessionPrincipal) {
  return {
    id: row.id,
    current: row.id === principal.session.id,
    methods: JSON.parse(row.methods) as string[],
    created_on: formatTime(row.created_at),
    authenticated_on:
      row.authenticated_at === UNKNOWN_TIME ? null : formatTime(row.authenticated_at),
    last_seen_on: formatTime(row.last_seen_at),
    expires_on: formatTime(row.expires_at),
    ip: row.ip,
    user_agent: row.user_agent,
  };
}
