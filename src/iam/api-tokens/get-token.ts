import { notFound } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import type { TokenOwnership } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import { TOKEN_RECORD, TokenSchema } from './token-schemas.ts';
import { findToken } from './token-store.ts';

export const getTokenRoute = ({ database, clock, brand }: IamServices, ownership: TokenOwnership) =>
  defineRoute({
    method: 'GET',
    path: `${ownership.path}/:token_id`,
    operationId: `get-${ownership.kind}-token`,
    section: 'API tokens',
    summary: 'Get one API token',
    access: ownership.read,
    params: ownership.tokenParams,
    record: TOKEN_RECORD,
    result: TokenSchema,
    async handler({ principal, params, request }) {
      const owner = ownership.ownerOf(principal, params);
      const token = await findToken(database.read, owner, params.token_id);
      if (token === undefined) throw notFound(request.path);
      return { result: presentToken(token, brand, clock.now()) };
    },
  });
