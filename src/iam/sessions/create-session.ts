import { Type } from 'typebox';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { signInWithPassword } from './sign-in.ts';
import { SignInResultSchema, signInReply } from './sign-in-result.ts';

export const createSessionRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'POST',
    path: '/user/sessions',
    operationId: 'create-session',
    section: 'Sessions',
    summary: 'Sign in with email address and password',
    description:
      'Sets the session cookie. With `second_factor_required`, the session only accepts one of `second_factors`, for ten minutes. After too many failed attempts, the server rejects further ones with `retry-after`.',
    access: 'public',
    body: Type.Object(
      {
        email: Type.String({ maxLength: 320, format: 'email' }),
        password: Type.String({ maxLength: 1_024 }),
      },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: SignInResultSchema,
    errors: [iamErrors.wrongSignIn, iamErrors.tooManyAttempts, iamErrors.passwordsOff],
    async handler({ body, request }) {
      const email = body.email.trim();
      return signInReply(await signInWithPassword(services, { ...body, email, request }));
    },
  });
