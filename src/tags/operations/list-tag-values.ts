import { type Static, Type } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { CursorParameter, cursorReply, cutPage } from '../../http/paging.ts';
import type { Principal } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { WITHOUT_GATEWAYS, visibleTypes } from '../gateway-denials.ts';
import { readTextCursor } from '../query/tag-cursors.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkKey, checkResourceType, normalizedKey } from '../tag-limits.ts';
import { TAGS_SECTION, TypesParameter, ValuePrefixParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { listValues } from '../query/tag-vocabulary.ts';

const PAGE_SIZE = 100;

const ValuesQuery = Type.Object(
  {
    prefix: ValuePrefixParameter,
    type: TypesParameter,
    cursor: CursorParameter,
  },
  { additionalProperties: false },
);

const shared = {
  method: 'GET',
  section: TAGS_SECTION,
  description: WITHOUT_GATEWAYS,
  access: 'tags.read',
  result: Type.Array(Type.String()),
  paging: 'cursor',
  errors: [
    tagErrors.keyRequired,
    tagErrors.keyTooLong,
    tagErrors.invalidKey,
    tagErrors.invalidResourceType,
  ],
} as const;

export const listTagValuesRoute = (services: TagOperationServices) =>
  defineRoute({
    ...shared,
    path: '/accounts/:account_id/tags/values/:tag_key',
    operationId: 'list-tag-values',
    summary: 'List the values of a tag key',
    params: Type.Object({ ...AccountParams.properties, tag_key: Type.String() }),
    query: ValuesQuery,
    handler: ({ principal, params, query }) =>
      valuesReply(services, principal, params.account_id, params.tag_key, query),
  });

/** The same for keys that do not fit well into a path. */
export const listTagValuesByQueryRoute = (services: TagOperationServices) =>
  defineRoute({
    ...shared,
    path: '/accounts/:account_id/tags/values',
    operationId: 'list-tag-values-by-query',
    summary: 'List the values of a tag key in the query',
    params: AccountParams,
    query: Type.Object(
      { ...ValuesQuery.properties, key: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    handler: ({ principal, params, query }) =>
      valuesReply(services, principal, params.account_id, query.key, query),
  });

async function valuesReply(
  { database, resourceTypes }: TagOperationServices,
  principal: Principal,
  accountId: string,
  named: string | undefined,
  query: Static<typeof ValuesQuery>,
) {
  const key = named === undefined ? undefined : normalizedKey(named);
  if (key === undefined || key === '') throw apiError(tagErrors.keyRequired);
  checkKey(key);
  const types = [...new Set(query.type)];
  for (const type of types) checkResourceType(type, resourceTypes);
  const { prefix = '' } = query;
  const cursorFilter = { list: 'tag-values', accountId, key, types, prefix };
  const after = readTextCursor(query, cursorFilter);
  const visible = visibleTypes(principal, accountId, types, resourceTypes);
  const range = { types: visible, prefix, after, limit: PAGE_SIZE + 1 };
  const values = await listValues(database.read, accountId, key, range);
  const { items, next } = cutPage(values, PAGE_SIZE, ({ valueKey }) => [valueKey]);
  return cursorReply({ items: items.map(({ value }) => value), next }, cursorFilter);
}
