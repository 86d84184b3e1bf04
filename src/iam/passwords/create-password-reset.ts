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
    summary: 'Ask for a link to choose a password',
    description:
      'The link goes to the address by mail and works once, for an hour; at most five an hour are sent. The answer is the same whoever has the address. Where no mail is configured, an operator makes a link with `latchkey user reset-password`.',
    access: 'public',
    body: Type.Object({ email: Type.String({ maxLength: 320 }) }, { additionalProperties: false }),
    bodyFaults: iamBodyFaults,
    result: Type.Object({
      is_mail_configured: Type.Boolean({ description: 'Whether this installation sends mail' }),
    }),
    errors: [iamErrors.tooManyAttempts],
    async handler({ body, request }) {
      await requestPasswordReset(services, body.email, request);
      return { result: { is_mail_configured: services.mail.isConfigured } };
    },
  });
