import { type Static, Type } from 'typebox';
import { type CursorPage, CursorParameter, cursorReply, cutPage } from '../../http/paging.ts';
import { deniedGateways } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { Db } from '../../storage/schema.ts';
import { readPlaceCursor } from '../query/tag-cursors.ts';
import { tagErrors } from '../tag-errors.ts';
import { parseTagFilters } from '../query/tag-filter.ts';
import { checkResourceType } from '../tag-limits.ts';
import { presentTaggedResource } from '../tag-presenter.ts';
import { type ResourceQuery, findMatches } from '../query/tag-query.ts';
import { TAGS_SECTION, TaggedResourceSchema, TypesParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { type TaggedResource, findTaggedResources, tagSizes } from '../store/tag-store.ts';

const MAX_IDS = 50;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Tags of one page as JSON. Sets may be large: the page then ends early, with a cursor. */
const MAX_PAGE_BYTES = 1024 * 1024;

const ListQuery = Type.Object({
  tag: Type.Optional(
    Type.Array(Type.String(), {
      description:
        '`key`, `key=value`, `key=v1,v2` (any of them), `!key`, `key!=value`, `key!=v1,v2`; repeat ' +
        'it for conditions that must all hold, up to 20. In values `\\,` is a comma and `\\\\` a ' +
        'backslash. The negations also match resources without the key.',
    }),
  ),
  type: TypesParameter,
  id: Type.Optional(
    Type.Array(Type.String(), { maxItems: MAX_IDS, description: 'Only resources of these ids' }),
  ),
  name: Type.Optional(Type.String({ description: 'Part of the name, whatever the case' })),
  case_insensitive: Type.Optional(
    Type.Boolean({ description: 'Match keys and values of `tag` whatever their case' }),
  ),
  cursor: CursorParameter,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
});

export const listTaggedResourcesRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/resources',
    operationId: 'list-tagged-resources',
    section: TAGS_SECTION,
    summary: 'List tagged resources',
    description:
      'In a stable order: a resource keeps its place while it has tags. Cursors stay valid whatever ' +
      'is written between two pages.',
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
      const wanted = parseQuery(query, resourceTypes);
      const accountId = params.account_id;
      const cursorFilter = { list: 'tagged-resources', accountId, ...wanted };
      const after = readPlaceCursor(query, cursorFilter);
      const limit = query.limit ?? DEFAULT_LIMIT;
      // Not part of the cursor: it stays valid when they change.
      const hiddenGateways = deniedGateways(principal, 'tags.read', accountId);
      const visible = { ...wanted, hiddenGateways };
      const page = await readPage(database.read, accountId, visible, after, limit);
      const items = page.items.map(presentTaggedResource);
      return cursorReply({ items, next: page.next }, cursorFilter);
    },
  });

function parseQuery(
  query: Static<typeof ListQuery>,
  resourceTypes: ReadonlySet<string>,
): Omit<ResourceQuery, 'hiddenGateways'> {
  const filters = parseTagFilters(query.tag ?? []);
  // The contract does not place 1006: here it comes last, after the whole list of checks on filters.
  const types = [...new Set(query.type)];
  for (const type of types) checkResourceType(type, resourceTypes);
  return {
    filters,
    types,
    ids: [...new Set(query.id)],
    name: query.name ?? '',
    caseInsensitive: query.case_insensitive ?? false,
  };
}

async function readPage(
  db: Db,
  accountId: string,
  wanted: ResourceQuery,
  afterSeq: number,
  limit: number,
): Promise<CursorPage<TaggedResource>> {
  for (let after = afterSeq; ;) {
    const matches = await findMatches(db, accountId, wanted, after, limit + 1);
    const fitting = await countFitting(db, accountId, matches.slice(0, limit));
    const { items: seqs, next } = cutPage(matches, fitting, (seq) => [seq]);
    const items = await findTaggedResources(db, accountId, seqs);
    const last = seqs.at(-1);
    // A page is empty only at the end of the list, not when all that it had has just lost its tags.
    if (items.length > 0 || last === undefined) return { items, next };
    after = last;
  }
}

/** How many of these resources, from the first on, fit into one answer with their tags; at least one. */
async function countFitting(
  db: Db,
  accountId: string,
  matches: readonly number[],
): Promise<number> {
  let total = 0;
  for (const { seq, bytes } of await tagSizes(db, accountId, matches)) {
    // Not a count of rows: a resource that has just lost its tags has none here.
    if (total > 0 && total + bytes > MAX_PAGE_BYTES) return matches.indexOf(seq);
    total += bytes;
  }
  return matches.length;
}
