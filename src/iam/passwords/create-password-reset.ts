import { Type } from 'typebox';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { definePublicRoute } from '../route.ts';
import { requestPasswordReset } from './request-reset.ts';

export const createPasswordResetRoute = (services: IamServices) =>
  definePublicRoute({
    method: 'POST',
    path: '/user/password_resets',
    operationId: 'create-password-reset',
    section: 'Passwords',
    summary: 'Request a password reset link',
    description:
      'The server emails the link, at most five times per hour. The link works once, within one hour. The response is the same for unknown addresses. If the server sends no email, an operator can create a link with `latchkey user reset-password`.',
    access: 'public',
    body: Type.Object(
      { email: Type.String({ maxLength: 320, format: 'email' }) },
      { additionalProperties: false },
    ),
    bodyFaults: iamBodyFaults,
    result: Type.Object({
      is_mail_configured: Type.Boolean({ description: 'True if this server sends email' }),
    }),
    errors: [iamErrors.tooManyAttempts, iamErrors.passwordsOff],
    async handler({ body, request }) {
      await requestPasswordReset(services, body.email, request);
      return { result: { is_mail_configured: services.mail.isConfigured } };
    },
  });
