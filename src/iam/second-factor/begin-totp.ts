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
    summary: 'Begin to set up an authenticator app',
    description:
      'It counts as a second factor once a code of it was shown to `PUT /user/totp`, within an hour. ' +
      'To begin again ends what was begun before.',
    access: 'session',
    result: Type.Object({
      secret: Type.String({ description: 'Base32, to be typed. Shown this once.' }),
      provisioning_uri: Type.String({ description: '`otpauth://`, to be shown as a QR code' }),
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
        const description = 'Began to set up an authenticator app';
        audit(factorChange(userId, 'totp_factor', 'begin', description));
        return {
          result: { secret, provisioning_uri: provisioningUri(secret, brand, email) },
        };
      });
    },
  });
