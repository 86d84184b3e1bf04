import type { Parameters } from '../parameters.ts';

// RFC 5321 section 4.5.3.1: no address is longer.
const MAX_LENGTH = 254;

/** Whom the client expects. Only a hint: one that can be no address is ignored. */
export function readLoginHint(parameters: Parameters): string | undefined {
  const hint = parameters.get('login_hint');
  return hint === undefined || hint.length > MAX_LENGTH || /\p{Cc}/u.test(hint) ? undefined : hint;
}
