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
    summary: 'Set a password with a reset link',
    description:
      'Ends all sessions of the user and starts a new one, which is incomplete if the user has a second factor. An emailed link verifies the email address. If the address was not verified before, all other credentials of the user are deleted.',
    access: 'public',
    body: Type.Object(
      { token: Type.String({ maxLength: 256 }), new_password: NewPassword },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: SignInResultSchema,
    errors: [iamErrors.invalidResetLink, iamErrors.unsuitablePassword, iamErrors.passwordsOff],
    async handler({ body: { token, new_password: newPassword }, request }) {
      return signInReply(await resetPassword(services, { token, newPassword, request }));
    },
  });
