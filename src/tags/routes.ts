import type { ManagementRoute } from '../iam/route.ts';
import { deleteTagsRoute } from './operations/delete-tags.ts';
import { getTagSummaryRoute } from './operations/get-tag-summary.ts';
import { getTagsRoute } from './operations/get-tags.ts';
import { listTagKeysRoute } from './operations/list-tag-keys.ts';
import { listTagValuesByQueryRoute, listTagValuesRoute } from './operations/list-tag-values.ts';
import { listTaggedResourcesRoute } from './operations/list-tagged-resources.ts';
import { putTagsRoute } from './operations/put-tags.ts';
import { ResourceSequence } from './store/resource-sequence.ts';
import { allResourceTypes } from './resource-types.ts';
import type { TagOperationServices, TagServices } from './tag-services.ts';

/** Every operation on resource tags. */
export function tagRoutes(services: TagServices): ManagementRoute[] {
  const shared: TagOperationServices = {
    ...services,
    resourceTypes: allResourceTypes(services.extraResourceTypes),
    sequence: new ResourceSequence(services.clock),
  };
  return [
    putTagsRoute(shared),
    getTagsRoute(shared),
    deleteTagsRoute(shared),
    listTaggedResourcesRoute(shared),
    listTagKeysRoute(shared),
    listTagValuesRoute(shared),
    listTagValuesByQueryRoute(shared),
    getTagSummaryRoute(shared),
  ];
}
