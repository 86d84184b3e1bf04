import { Type } from 'typebox';
import { CursorParameter, cursorReply, cutPage } from '../../http/paging.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { WITHOUT_GATEWAYS, visibleTypes } from '../gateway-denials.ts';
import { readTextCursor } from '../query/tag-cursors.ts';
import { TAGS_SECTION } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { summarizeKeys } from '../query/tag-vocabulary.ts';

const KEYS_PER_PAGE = 100;
/** A key may have a million values: the list of values has them all, by pages. */
const VALUES_PER_KEY = 100;

export const getTagSummaryRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/summary',
    operationId: 'get-tag-summary',
    section: TAGS_SECTION,
    summary: 'Get the tag keys in use with their values',
    description:
      `Up to ${VALUES_PER_KEY} values a key, the first in order; the list of values has all of them. ` +
      `\`count\` says how many resources have the key. ${WITHOUT_GATEWAYS}`,
    access: 'tags.read',
    params: AccountParams,
    query: Type.Object({ cursor: CursorParameter }),
    result: Type.Array(
      Type.Object({
        key: Type.String(),
        values: Type.Array(Type.String()),
        count: Type.Integer(),
      }),
    ),
    paging: 'cursor',
    async handler({ principal, params, query }) {
      const accountId = params.account_id;
      const cursorFilter = { list: 'tag-summary', accountId };
      const after = readTextCursor(query, cursorFilter);
      const types = visibleTypes(principal, accountId, [], resourceTypes);
      const range = { types, prefix: '', after, limit: KEYS_PER_PAGE + 1 };
      const keys = await summarizeKeys(database.read, accountId, range, VALUES_PER_KEY);
      return cursorReply(
        cutPage(keys, KEYS_PER_PAGE, ({ key }) => [key]),
        cursorFilter,
      );
    },
  });
