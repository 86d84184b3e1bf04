import { Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { tokenOf } from '../principal.ts';
import { defineRoute } from '../route.ts';
import type { TokenOwnership } from './token-ownership.ts';
import { tokenStatus, validityFields } from './token-presenter.ts';
import { TokenStatusSchema } from './token-schemas.ts';

const OF_ACCOUNT = `${iamErrors.invalidApiToken.message}: the token belongs to an account. Use /accounts/{account_id}/tokens/verify`;
const OF_USER = 'Forbidden: only API tokens of this owner can be verified here';

export const verifyTokenRoute = ({ clock }: IamServices, ownership: TokenOwnership) =>
  defineRoute({
    method: 'GET',
    path: `${ownership.path}/verify`,
    operationId: `verify-${ownership.kind}-token`,
    section: 'API tokens',
    summary: 'Verify the token of the request',
    access: 'authenticated',
    params: ownership.params,
    result: Type.Object({
      id: Type.String(),
      status: TokenStatusSchema,
      not_before: Type.Optional(Type.String()),
      expires_on: Type.Optional(Type.String()),
    }),
    errors: ownership.kind === 'user' ? [iamErrors.invalidApiToken] : [],
    async handler({ principal }) {
      const token = tokenOf(principal);
      const isOfOwner = principal.type === `${ownership.kind}_token`;
      if (token === undefined || !isOfOwner) {
        const isOfAccount = principal.type === 'account_token';
        throw apiError(isOfAccount ? iamErrors.invalidApiToken : httpErrors.forbidden, {
          message: isOfAccount ? OF_ACCOUNT : OF_USER,
        });
      }
      return {
        result: {
          id: token.id,
          status: tokenStatus(token, clock.now()),
          ...validityFields(token),
        },
        messages: [{ code: 10_000, message: 'This API Token is valid and active' }],
      };
    },
  });
