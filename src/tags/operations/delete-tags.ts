import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { NO_CONTENT, type RequestFacts } from '../../http/route.ts';
import type { CredentialPrincipal } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { canReadTags, checkGateway } from '../gateway-denials.ts';
import { deleteBodyFaults, tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { DeleteTagsSchema, DeletedResourceQuery, TAGS_SECTION } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { tagChange } from '../write/audited-tags.ts';
import type { TagWrite } from '../write/tag-write.ts';

export const deleteTagsRoute = (services: TagOperationServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/tags',
    operationId: 'delete-tags',
    section: TAGS_SECTION,
    summary: 'Remove all tags of one resource',
    description:
      'Select the resource in the body or in the query. The response is also 204 if the resource has no ' +
      'tags, so that a retry succeeds.',
    access: 'tags.write',
    params: AccountParams,
    query: DeletedResourceQuery,
    body: DeleteTagsSchema,
    bodyOptional: true,
    bodyFaults: deleteBodyFaults,
    errors: [
      tagErrors.invalidDeletePayload,
      tagErrors.invalidResourceType,
      tagErrors.preconditionFailed,
    ],
    async handler({ principal, params, query, body, request }) {
      const named = namedResource(query, body);
      checkResourceType(named.resource_type, services.resourceTypes);
      return deleteTags(services, { principal, request }, params.account_id, named);
    },
  });

type DeleteTagsInput = Static<typeof DeleteTagsSchema>;

/**
 * Removes the tags of a resource.
 * @throws ApiError 403 or 1016
 */
export async function deleteTags(
  { writer }: TagOperationServices,
  context: { principal: CredentialPrincipal; request: RequestFacts },
  accountId: string,
  named: DeleteTagsInput,
): Promise<typeof NO_CONTENT> {
  const { principal, request } = context;
  const resource = { accountId, type: named.resource_type, id: named.resource_id };
  checkGateway(principal, 'tags.write', resource);
  const write: TagWrite = {
    operation: 'delete',
    resource,
    workerId: named.worker_id,
    ifMatch: request.headers['if-match'],
    showsRecord: canReadTags(principal, resource),
    requestId: request.id,
  };
  const change = tagChange(accountId, named, 'delete', 'Removed the tags of a resource');
  return writer.write(context, write, ({ wasTagged }) => ({
    answer: NO_CONTENT,
    change: wasTagged ? change : 'unchanged',
  }));
}

/**
 * Returns the resource that the request selects. A body selects it completely, and a query beside it must agree.
 * @throws ApiError 1015 if the selection is incomplete, or selects several resources
 */
export function namedResource(
  selected: Static<typeof DeletedResourceQuery>,
  body: DeleteTagsInput | undefined,
): DeleteTagsInput {
  const fields = ['resource_type', 'resource_id', 'worker_id'] as const;
  if (fields.some((field) => Array.isArray(selected[field]))) {
    throw apiError(tagErrors.invalidDeletePayload);
  }
  const query = selected as Partial<DeleteTagsInput>;
  const named = body ?? query;
  const agree = fields.every(
    (field) => query[field] === undefined || query[field] === named[field],
  );
  const { resource_type: type, resource_id: id, worker_id: workerId } = named;
  if (!agree || type === undefined || type === '' || id === undefined || id === '') {
    throw apiError(tagErrors.invalidDeletePayload);
  }
  return {
    resource_type: type,
    resource_id: id,
    ...(workerId === undefined ? {} : { worker_id: workerId }),
  };
}
