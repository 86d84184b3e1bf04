import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { CredentialPrincipal } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { canReadTags, checkGateway } from '../gateway-denials.ts';
import { WORKER_VERSION } from '../resource-types.ts';
import { setBodyFaults, tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { SetTagsSchema, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { givenFacts, givenTags } from '../write/given-tags.ts';
import { tagSetOf } from '../tag-set/tag-set.ts';
import type { TagWrite } from '../write/tag-write.ts';
import { writeOne, writeErrors } from './write-one.ts';

type SetTagsInput = Static<typeof SetTagsSchema>;

export const putTagsRoute = (services: TagOperationServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id/tags',
    operationId: 'put-tags',
    section: TAGS_SECTION,
    summary: 'Set the tags of a resource',
    description:
      'Replaces all tags and all other stored data of the resource. With concurrent requests, the ' +
      'last one wins. A resource with an empty tag set becomes untagged. With `If-Match`, ' +
      'the write succeeds only if the ETag matches; `*` requires that the resource has tags. ' +
      'A resource has at most 1,000 tags (1018).',
    access: 'tags.write',
    params: AccountParams,
    body: SetTagsSchema,
    bodyFaults: setBodyFaults,
    result: TaggedResourceSchema,
    errors: writeErrors,
    handler: ({ principal, params, body, request }) =>
      putTags(services, { principal, request }, params.account_id, body),
  });

/**
 * Sets the tags of a resource.
 * @throws ApiError 403 or one of {@link writeErrors}
 */
export async function putTags(
  services: TagOperationServices,
  context: { principal: CredentialPrincipal; request: RequestFacts },
  accountId: string,
  body: SetTagsInput,
) {
  const { principal, request } = context;
  checkInput(body, services.resourceTypes);
  const resource = { accountId, type: body.resource_type, id: body.resource_id };
  checkGateway(principal, 'tags.write', resource);
  const byKey = givenTags(body.tags);
  const write: TagWrite = {
    operation: 'put',
    resource,
    ifMatch: request.headers['if-match'],
    showsRecord: canReadTags(principal, resource),
    requestId: request.id,
    facts: givenFacts(body),
    tagSet: tagSetOf(byKey),
  };
  return writeOne(services, context, write, {
    body,
    tagCount: byKey.size,
    description: 'Set the tags of a resource',
  });
}

/** Checks the rules that the schema cannot express, in the order of their errors. */
function checkInput(body: SetTagsInput, resourceTypes: ReadonlySet<string>): void {
  if (body.resource_type === WORKER_VERSION && body.worker_id === undefined) {
    throw apiError(tagErrors.invalidSetPayload);
  }
  checkResourceType(body.resource_type, resourceTypes);
}
