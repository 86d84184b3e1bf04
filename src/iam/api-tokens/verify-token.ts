import { Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { tokenOf } from '../principal.ts';
import { defineRoute } from '../route.ts';
import type { TokenOwnership } from './token-ownership.ts';
import { tokenStatus, validityFields } from './token-presenter.ts';
import { TokenStatusSchema } from './token-schemas.ts';

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
    async handler({ principal }) {
      const token = tokenOf(principal);
      const isOfOwner = principal.type === `${ownership.kind}_token`;
      if (token === undefined || !isOfOwner) throw apiError(httpErrors.forbidden);
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
