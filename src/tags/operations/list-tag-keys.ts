import { Type } from 'typebox';
import { CursorParameter, cursorReply, cutPage } from '../../http/paging.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { WITHOUT_GATEWAYS, visibleTypes } from '../gateway-denials.ts';
import { readTextCursor } from '../query/tag-cursors.ts';
import { tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { KeyPrefixParameter, TAGS_SECTION, TypesParameter } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { listKeys } from '../query/tag-vocabulary.ts';

const PAGE_SIZE = 100;

export const listTagKeysRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/keys',
    operationId: 'list-tag-keys',
    section: TAGS_SECTION,
    summary: 'List tag keys',
    description: WITHOUT_GATEWAYS,
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
    result: Type.Array(Type.String()),
    paging: 'cursor',
    errors: [tagErrors.invalidResourceType],
    async handler({ principal, params, query }) {
      const types = [...new Set(query.type)];
      for (const type of types) checkResourceType(type, resourceTypes);
      const accountId = params.account_id;
      const { prefix = '' } = query;
      const cursorFilter = { list: 'tag-keys', accountId, types, prefix };
      const after = readTextCursor(query, cursorFilter);
      const visible = visibleTypes(principal, accountId, types, resourceTypes);
      const range = { types: visible, prefix, after, limit: PAGE_SIZE + 1 };
      const keys = await listKeys(database.read, accountId, range);
      return cursorReply(
        cutPage(keys, PAGE_SIZE, (key) => [key]),
        cursorFilter,
      );
    },
  });
