import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { AccountParams, defineRoute } from '../route.ts';
import { presentToken } from './token-presenter.ts';
import { TokenSchema } from './token-schemas.ts';
import { listTokens } from './token-store.ts';

const MAX_PER_PAGE = 1_000;

export const listTokensRoute = ({ database, clock, brand }: IamServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tokens',
    operationId: 'list-account-tokens',
    section: 'API tokens',
    summary: 'List the API tokens of an account',
    access: 'api-tokens.read',
    params: AccountParams,
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      direction: Type.Optional(
        Type.Enum(['asc', 'desc'], {
          description: 'By time of creation',
        }),
      ),
      include_expired: Type.Optional(Type.Boolean()),
    }),
    result: Type.Array(TokenSchema),
    paging: 'page',
    async handler({ params, query }) {
      const nowMs = clock.now();
      const page = readPage(query);
      const filter = {
        direction: query.direction ?? 'asc',
        validAtMs: query.include_expired === true ? undefined : nowMs,
      };
      const { tokens, totalCount } = await listTokens(
        database.read,
        params.account_id,
        filter,
        page,
      );
      const items = tokens.map((token) => presentToken(token, brand, nowMs));
      return pageReply(items, page, totalCount);
    },
  });
