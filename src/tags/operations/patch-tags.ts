import { AccountParams, defineRoute } from '../../iam/route.ts';
import { checkMerge } from '../gateway-denials.ts';
import { setBodyFaults } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { PatchTagsSchema, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { givenFacts, givenPatch } from '../write/given-tags.ts';
import type { TagWrite } from '../write/tag-write.ts';
import { writeOne, writeErrors } from './write-one.ts';

export const patchTagsRoute = (services: TagOperationServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/tags',
    operationId: 'patch-tags',
    section: TAGS_SECTION,
    summary: 'Change some tags of a resource',
    description:
      'Merges the tags into the existing tags (RFC 7396): a string sets a tag, `null` removes it, and ' +
      'all other tags keep their values. Omitted fields also keep their values; `worker_version` requires `worker_id` only ' +
      'if none is stored. A resource without tags gets these tags. A resource that loses its last tag ' +
      'becomes untagged. The result has at most 1,000 tags and fits into the body of a PUT (1018). `If-Match` ' +
      'works as for PUT. Also requires `tags.read`.',
    access: 'tags.write',
    params: AccountParams,
    body: PatchTagsSchema,
    bodyFaults: setBodyFaults,
    result: TaggedResourceSchema,
    errors: writeErrors,
    async handler({ principal, params, body, request }) {
      checkResourceType(body.resource_type, services.resourceTypes);
      const resource = {
        accountId: params.account_id,
        type: body.resource_type,
        id: body.resource_id,
      };
      checkMerge(principal, resource);
      const patch = givenPatch(body.tags);
      const write: TagWrite = {
        operation: 'patch',
        resource,
        ifMatch: request.headers['if-match'],
        showsRecord: true,
        requestId: request.id,
        facts: givenFacts(body),
        patch,
      };
      return writeOne(services, { principal, request }, write, {
        body,
        tagCount: patch.size,
        description: 'Changed tags of a resource',
      });
    },
  });
