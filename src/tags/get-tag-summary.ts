import { Type } from 'typebox';
import { CursorParameter, cursorReply } from '../http/paging.ts';
import { defineRoute } from '../iam/route.ts';
import { readTextCursor } from './tag-cursors.ts';
import { AccountParams, TAGS_SECTION } from './tag-schemas.ts';
import type { TagOperationServices } from './tag-services.ts';
import { summarizeKeys } from './tag-vocabulary.ts';

const KEYS_PER_PAGE = 100;
/** A key may have a million values: the list of values has them all, by pages. */
const VALUES_PER_KEY = 100;

export const getTagSummaryRoute = ({ database }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/summary',
    operationId: 'get-tag-summary',
    section: TAGS_SECTION,
    summary: 'Get the tag keys in use with their values',
    description:
      `Up to ${VALUES_PER_KEY} values a key, the first in order; the list of values has all of them. ` +
      '`count` says how many resources have the key.',
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
    async handler({ params, query }) {
      const accountId = params.account_id;
      const cursorFilter = { list: 'tag-summary', accountId };
      const after = readTextCursor(query, cursorFilter);
      // One more than the page holds tells whether there is a next one.
      const range = { after, limit: KEYS_PER_PAGE + 1, maxValues: VALUES_PER_KEY };
      const keys = await summarizeKeys(database.read, accountId, range);
      const page = keys.slice(0, KEYS_PER_PAGE);
      const last = page.at(-1);
      const hasMore = keys.length > KEYS_PER_PAGE && last !== undefined;
      return cursorReply(page, hasMore ? [last.key] : undefined, cursorFilter);
    },
  });
