import { AccountParams, defineRoute } from '../../iam/route.ts';
import { checkMerge } from '../gateway-denials.ts';
import { setBodyFaults, tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { PatchTagsSchema, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { checkTags, givenFacts, patchOf } from '../write/given-tags.ts';
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
      'Merges the tags into those that are there (RFC 7396): a text sets a tag, `null` removes it, ' +
      'all others stay. So do the fields that are absent; `worker_version` needs `worker_id` only ' +
      'while none is stored. A resource without tags gets these; one that is left without any ' +
      'counts as never tagged. No set becomes larger than what a PUT can carry (1018). `If-Match` ' +
      'as on PUT. Needs `tags.read` too.',
    access: 'tags.write',
    params: AccountParams,
    body: PatchTagsSchema,
    bodyFaults: setBodyFaults,
    result: TaggedResourceSchema,
    errors: [...writeErrors, tagErrors.setTooLarge],
    async handler({ principal, params, body, request }) {
      checkResourceType(body.resource_type, services.resourceTypes);
      const resource = {
        accountId: params.account_id,
        type: body.resource_type,
        id: body.resource_id,
      };
      checkMerge(principal, resource);
      const patch = patchOf(body.tags);
      await checkTags(patch);
      const write: TagWrite = {
        operation: 'patch',
        resource,
        ifMatch: request.headers['if-match'],
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
