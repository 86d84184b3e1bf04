import { Type } from 'typebox';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { SignInResultSchema, signInReply } from '../sessions/sign-in-result.ts';
import { NewPassword } from './password-schemas.ts';
import { resetPassword } from './reset-password.ts';

export const updatePasswordResetRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'PUT',
    path: '/user/password_resets',
    operationId: 'update-password-reset',
    section: 'Passwords',
    summary: 'Choose a password with a link',
    description:
      'Ends all sessions of the person and signs in, or begins to where the person has a second factor. Where it was never shown that the person reads the mail of the address, every other credential of the person is taken away; following a link that was mailed shows it.',
    access: 'public',
    body: Type.Object(
      { token: Type.String({ maxLength: 256 }), new_password: NewPassword },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: SignInResultSchema,
    errors: [iamErrors.invalidResetLink, iamErrors.unsuitablePassword],
    async handler({ body: { token, new_password: newPassword }, request }) {
      return signInReply(await resetPassword(services, { token, newPassword, request }));
    },
  });
