import { Type } from 'typebox';
import { CursorParameter, cursorReply } from '../../http/paging.ts';
import { deniedGateways } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { readPlaceCursor } from '../query/tag-cursors.ts';
import { tagErrors } from '../tag-errors.ts';
import { presentTaggedResource } from '../tag-presenter.ts';
import { searchResources } from '../query/tag-query.ts';
import { MAX_IDS, readWanted } from '../query/wanted-resources.ts';
import { TAGS_SECTION, TaggedResourceSchema, TypesParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Tags of one page as JSON. Sets may be large: the page then ends early, with a cursor. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** In every cursor: one from the time when resources had other places is refused, not misread. */
const PLACES = 'dense';

const ListQuery = Type.Object(
  {
    tag: Type.Optional(
      Type.Array(Type.String(), {
        description:
          '`key`, `key=value`, `key=v1,v2` (any of them), `!key`, `key!=value`, `key!=v1,v2`; repeat ' +
          'the parameter for up to 20 conditions, which must all match. In values, `\\,` is a comma and `\\\\` a ' +
          'backslash. Negations also match resources without the key.',
      }),
    ),
    type: TypesParameter,
    id: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_IDS,
        description: 'Only resources with these ids',
      }),
    ),
    name: Type.Optional(
      Type.String({ description: 'Search text: part of the name; case-insensitive' }),
    ),
    case_insensitive: Type.Optional(
      Type.Boolean({ description: 'Match keys and values of `tag` case-insensitively' }),
    ),
    cursor: CursorParameter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  },
  { additionalProperties: false },
);

export const listTaggedResourcesRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/resources',
    operationId: 'list-tagged-resources',
    section: TAGS_SECTION,
    summary: 'List tagged resources',
    description:
      'The order is stable: a resource keeps its position while it has tags. Cursors remain valid if ' +
      'tags change between two pages.',
    access: 'tags.read',
    params: AccountParams,
    query: ListQuery,
    result: Type.Array(TaggedResourceSchema),
    paging: 'cursor',
    errors: [
      tagErrors.tooManyFilters,
      tagErrors.filterSyntax,
      tagErrors.tooManyValues,
      tagErrors.keyTooLong,
      tagErrors.invalidKey,
      tagErrors.valueTooLong,
      tagErrors.invalidResourceType,
    ],
    async handler({ principal, params, query }) {
      const wanted = readWanted(query, resourceTypes);
      const accountId = params.account_id;
      const cursorFilter = { list: 'tagged-resources', places: PLACES, accountId, ...wanted };
      const after = readPlaceCursor(query, cursorFilter);
      const limit = query.limit ?? DEFAULT_LIMIT;
      // Not part of the cursor: it stays valid when they change.
      const hiddenGateways = deniedGateways(principal, 'tags.read', accountId);
      const visible = { ...wanted, hiddenGateways };
      const range = { after, limit, maxBytes: MAX_PAGE_BYTES };
      const { resources, next } = await searchResources(database.read, accountId, visible, range);
      const items = resources.map(presentTaggedResource);
      return cursorReply({ items, next: next === undefined ? next : [next] }, cursorFilter);
    },
  });
