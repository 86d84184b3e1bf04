import { apiError } from '../../http/errors.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import { checkGateway } from '../gateway-denials.ts';
import { isOtherWorker } from '../resource-types.ts';
import { resourceNotFound, resourceNotFoundVariants, tagErrors } from '../tag-errors.ts';
import { checkResourceType } from '../tag-limits.ts';
import { taggedResourceReply } from '../tag-presenter.ts';
import { ResourceQuery, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { findTaggedResource } from '../store/tag-store.ts';

export const getTagsRoute = ({ database, resourceTypes, notFoundStatus }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/tags',
    operationId: 'get-tags',
    section: TAGS_SECTION,
    summary: 'Get the tags of a resource',
    description:
      'If the resource does not exist or has no tags, the error code is 1004, with status 500 as published, or ' +
      '404 if the server is configured so.',
    access: 'tags.read',
    params: AccountParams,
    query: ResourceQuery,
    hasEtag: true,
    result: TaggedResourceSchema,
    errors: [
      tagErrors.resourceRequired,
      tagErrors.invalidResourceType,
      ...resourceNotFoundVariants,
    ],
    async handler({ principal, params, query }) {
      const { resource_type: type = '', resource_id: id = '', worker_id: workerId } = query;
      if (type === '' || id === '') throw apiError(tagErrors.resourceRequired);
      checkResourceType(type, resourceTypes);
      const named = { accountId: params.account_id, type, id };
      checkGateway(principal, 'tags.read', named);
      const resource = await findTaggedResource(database.read, named);
      if (resource === undefined || isOtherWorker(resource, workerId)) {
        throw resourceNotFound(notFoundStatus, type, id);
      }
      return taggedResourceReply(resource);
    },
  });
