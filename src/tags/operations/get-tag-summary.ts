import { Type } from 'typebox';
import { CursorParameter, cursorReply } from '../../http/paging.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { WITHOUT_GATEWAYS, visibleTypes } from '../gateway-denials.ts';
import { readTextCursor } from '../query/tag-cursors.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { KeyPrefixParameter, TAGS_SECTION, TypesParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { type KeySummary, summarizeKeys } from '../query/tag-vocabulary.ts';

const KEYS_PER_PAGE = 100;
/** A key may have a million values: the list of values has them all, by pages. */
const VALUES_PER_KEY = 100;
/** Of values on a page. They may be long: the page then ends early, with a cursor. */
const MAX_PAGE_CHARACTERS = 512 * 1024;

export const getTagSummaryRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/summary',
    operationId: 'get-tag-summary',
    section: TAGS_SECTION,
    summary: 'Get all tag keys with their values',
    description:
      `Returns the first ${VALUES_PER_KEY} values of each key. The list of values returns all of them. ` +
      `\`count\` is the number of resources with the key, \`facets\` the number with each of these values. ` +
      WITHOUT_GATEWAYS,
    access: 'tags.read',
    params: AccountParams,
    query: Type.Object(
      {
        prefix: KeyPrefixParameter,
        type: TypesParameter,
        cursor: CursorParameter,
      },
      { additionalProperties: false },
    ),
    result: Type.Array(
      Type.Object({
        key: Type.String(),
        values: Type.Array(Type.String()),
        count: Type.Integer(),
        facets: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
      }),
    ),
    paging: 'cursor',
    errors: [tagErrors.invalidResourceType],
    async handler({ principal, params, query }) {
      const accountId = params.account_id;
      const wanted = [...new Set(query.type)];
      for (const type of wanted) checkResourceType(type, resourceTypes);
      const { prefix = '' } = query;
      const cursorFilter = {
        list: 'tag-summary',
        accountId,
        // Cursors of the whole summary are older than its parameters, and stay valid.
        ...(wanted.length > 0 && { types: wanted }),
        ...(prefix !== '' && { prefix }),
      };
      const after = readTextCursor(query, cursorFilter);
      const types = visibleTypes(principal, accountId, wanted, resourceTypes);
      const range = { types, prefix, after, limit: KEYS_PER_PAGE };
      const limits = { valuesPerKey: VALUES_PER_KEY, characters: MAX_PAGE_CHARACTERS };
      const { keys, next } = await summarizeKeys(database.read, accountId, range, limits);
      const items = keys.map(presentKey);
      return cursorReply({ items, next: next === undefined ? next : [next] }, cursorFilter);
    },
  });

/** The public clients know of the values alone; the rest is ours. */
function presentKey({ key, values, count }: KeySummary) {
  return {
    key,
    values: values.map(({ value }) => value),
    count,
    facets: values.map(({ value, count: ofValue }) => ({ value, count: ofValue })),
  };
}
