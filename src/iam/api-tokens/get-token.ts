import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { presentToken } from './token-presenter.ts';
import { TokenParams, TokenSchema } from './token-schemas.ts';
import { findToken } from './token-store.ts';

export const getTokenRoute = ({ database, clock, brand }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tokens/:token_id',
    operationId: 'get-account-token',
    section: 'API tokens',
    summary: 'Get one API token',
    access: 'api-tokens.read',
    params: TokenParams,
    result: TokenSchema,
    async handler({ params, request }) {
      const token = await findToken(database.read, params.account_id, params.token_id);
      if (token === undefined) throw notFound(request.path);
      return { result: presentToken(token, brand, clock.now()) };
    },
  });
