import { Type } from 'typebox';
import type { Reply } from '../../http/route.ts';
import type { BegunSession } from './complete-sign-in.ts';
import { csrfTokenOf } from './session-cookie.ts';

/** The answer to whoever has proved who they are. */
export const SignInResultSchema = Type.Object({
  status: Type.Union([Type.Literal('complete'), Type.Literal('second_factor_required')]),
  second_factors: Type.Array(
    Type.Union([Type.Literal('totp'), Type.Literal('passkey'), Type.Literal('recovery_code')]),
    { description: 'Factors that complete the sign-in; empty for a complete session' },
  ),
  csrf_token: Type.String({
    description: 'Send it in the header `x-csrf-token` with the session cookie',
  }),
});

/** Tells a browser of its session; the secret itself goes into the cookie alone. */
export function signInReply({ secret, isComplete, missing, cookies }: BegunSession) {
  const status = isComplete ? ('complete' as const) : ('second_factor_required' as const);
  return {
    result: { status, second_factors: missing, csrf_token: csrfTokenOf(secret) },
    headers: { 'set-cookie': cookies },
  } satisfies Reply<unknown>;
}
