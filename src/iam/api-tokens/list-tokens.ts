import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import type { TokenOwnership } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import { TokenSchema } from './token-schemas.ts';
import { findTokens, listTokenIds } from './token-store.ts';

const MAX_PER_PAGE = 1_000;
// The largest token has some 60 KB: to read so many takes a few milliseconds.
const TOKENS_PER_TURN = 10;

export const listTokensRoute = (
  { database, clock, brand }: IamServices,
  ownership: TokenOwnership,
) =>
  defineRoute({
    method: 'GET',
    path: ownership.path,
    operationId: `list-${ownership.kind}-tokens`,
    section: 'API tokens',
    summary: `List ${ownership.kind === 'account' ? 'the API tokens of an account' : 'your API tokens'}`,
    access: ownership.read,
    params: ownership.params,
    query: Type.Object({
      ...pageQuery(MAX_PER_PAGE),
      direction: Type.Optional(
        Type.Enum(['asc', 'desc'], {
          description: 'Sort order by creation time',
        }),
      ),
      include_expired: Type.Optional(Type.Boolean()),
    }),
    result: Type.Array(TokenSchema),
    paging: 'page',
    async handler({ principal, params, query }) {
      const nowMs = clock.now();
      const page = readPage(query);
      const filter = {
        direction: query.direction ?? 'asc',
        validAtMs: query.include_expired === true ? undefined : nowMs,
      };
      const owner = ownership.ownerOf(principal, params);
      const { ids, totalCount } = await listTokenIds(database.read, owner, filter, page);
      const items = [];
      for (let start = 0; start < ids.length; start += TOKENS_PER_TURN) {
        if (start > 0) await nextTurn();
        const some = ids.slice(start, start + TOKENS_PER_TURN);
        const tokens = await findTokens(database.read, owner, some);
        items.push(...tokens.map((token) => presentToken(token, brand, nowMs)));
      }
      return pageReply(items, page, totalCount);
    },
  });
