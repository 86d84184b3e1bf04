import { Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { requireRecentAuthentication } from '../sessions/recent-authentication.ts';
import { factorChange } from './second-factor-schemas.ts';
import { createTotpSecret, provisioningUri } from './totp.ts';
import { insertTotpEnrolment } from './totp-store.ts';

export const beginTotpRoute = ({ brand, changes, clock, masterKey }: IamServices) =>
  defineSessionRoute({
    method: 'POST',
    path: '/user/totp',
    operationId: 'begin-totp',
    section: 'Two-factor authentication',
    summary: 'Start the setup of an authenticator app',
    description:
      'Complete the setup within one hour with `PUT /user/totp` and a code of the app. A new start invalidates the previous one.',
    access: 'session',
    result: Type.Object({
      secret: Type.String({ description: 'Base32 secret for manual entry. Shown only once.' }),
      provisioning_uri: Type.String({ description: '`otpauth://` URI for a QR code' }),
    }),
    errors: [iamErrors.totpEnabled, iamErrors.staleAuthentication],
    async handler({ principal, request }) {
      const nowMs = clock.now();
      requireRecentAuthentication(principal, clock);
      const { id: userId, email } = principal.user;
      const secret = createTotpSecret();
      const sealedSecret = masterKey.sealer('totp').seal(secret, userId);
      return changes.make({ principal, request }, async ({ tx, audit }) => {
        const enrolment = { userId, sealedSecret, createdAtMs: nowMs };
        if (!(await insertTotpEnrolment(tx, enrolment))) throw apiError(iamErrors.totpEnabled);
        const description = 'Started the setup of an authenticator app';
        audit(factorChange(userId, 'totp_factor', 'begin', description));
        return {
          result: { secret, provisioning_uri: provisioningUri(secret, brand, email) },
        };
      });
    },
  });
