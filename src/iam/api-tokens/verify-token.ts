import { Type } from 'typebox';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { tokenStatus, validityFields } from './token-presenter.ts';
import { TokenStatusSchema } from './token-schemas.ts';

export const verifyTokenRoute = ({ clock }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tokens/verify',
    operationId: 'verify-account-token',
    section: 'API tokens',
    summary: 'Test whether the presented token works',
    access: 'authenticated',
    params: AccountParams,
    result: Type.Object({
      id: Type.String(),
      status: TokenStatusSchema,
      not_before: Type.Optional(Type.String()),
      expires_on: Type.Optional(Type.String()),
    }),
    handler({ principal }) {
      return Promise.resolve({
        result: {
          id: principal.tokenId,
          status: tokenStatus(principal, clock.now()),
          ...validityFields(principal),
        },
        messages: [{ code: 10_000, message: 'This API Token is valid and active' }],
      });
    },
  });
