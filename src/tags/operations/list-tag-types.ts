import { Type } from 'typebox';
import { compareText } from '../../lib/compare-text.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { WITHOUT_GATEWAYS, visibleTypes } from '../gateway-denials.ts';
import { countTypes } from '../query/tag-vocabulary.ts';
import { TAGS_SECTION } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';

export const listTagTypesRoute = ({ database, resourceTypes }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags/types',
    operationId: 'list-tag-types',
    section: TAGS_SECTION,
    summary: 'List the resource types of this installation',
    description: `\`count\` is the number of resources of the type with tags. ${WITHOUT_GATEWAYS}`,
    access: 'tags.read',
    params: AccountParams,
    result: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() })),
    async handler({ principal, params }) {
      const accountId = params.account_id;
      const visible = visibleTypes(principal, accountId, [], resourceTypes) ?? [...resourceTypes];
      const counts = await countTypes(database.read, accountId);
      const result = visible
        .toSorted(compareText)
        .map((type) => ({ type, count: counts.get(type) ?? 0 }));
      return { result };
    },
  });
