import { Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { IamServices } from '../iam-services.ts';
import { defineSessionRoute } from '../route.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { findTotpFactor } from './totp-store.ts';

export const getTotpRoute = ({ database }: IamServices) =>
  defineSessionRoute({
    method: 'GET',
    path: '/user/totp',
    operationId: 'get-totp',
    section: 'Two-factor authentication',
    summary: 'Get the state of the authenticator app',
    access: 'session',
    result: Type.Object({
      enabled: Type.Boolean(),
      created_on: Type.Optional(Type.String()),
      recovery_codes_left: Type.Integer(),
    }),
    async handler({ principal }) {
      const { id: userId } = principal.user;
      const factor = await findTotpFactor(database.read, userId);
      const confirmedAtMs = factor?.confirmedAtMs;
      return {
        result: {
          enabled: confirmedAtMs !== undefined,
          ...(confirmedAtMs === undefined ? {} : { created_on: formatTime(confirmedAtMs) }),
          recovery_codes_left: await countRecoveryCodes(database.read, userId),
        },
      };
    },
  });
