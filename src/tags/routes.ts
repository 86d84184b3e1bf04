import type { ManagementRoute } from '../iam/route.ts';
import { bulkTagsRoute } from './operations/bulk-tags.ts';
import { deleteTagsRoute } from './operations/delete-tags.ts';
import { getTagSummaryRoute } from './operations/get-tag-summary.ts';
import { getTagsRoute } from './operations/get-tags.ts';
import { listTagChangesRoute } from './operations/list-tag-changes.ts';
import { listTagKeysRoute } from './operations/list-tag-keys.ts';
import { listTagValuesByQueryRoute, listTagValuesRoute } from './operations/list-tag-values.ts';
import { listTagTypesRoute } from './operations/list-tag-types.ts';
import { listTaggedResourcesRoute } from './operations/list-tagged-resources.ts';
import { patchTagsRoute } from './operations/patch-tags.ts';
import { putTagsRoute } from './operations/put-tags.ts';
import { zoneTagRoutes } from './operations/zone-tags.ts';
import type { TagOperationServices } from './tag-services.ts';

/** Every operation on resource tags. */
export function tagRoutes(shared: TagOperationServices): ManagementRoute[] {
  return [
    putTagsRoute(shared),
    patchTagsRoute(shared),
    getTagsRoute(shared),
    deleteTagsRoute(shared),
    bulkTagsRoute(shared),
    listTaggedResourcesRoute(shared),
    listTagKeysRoute(shared),
    listTagValuesRoute(shared),
    listTagValuesByQueryRoute(shared),
    getTagSummaryRoute(shared),
    listTagTypesRoute(shared),
    listTagChangesRoute(shared),
    ...zoneTagRoutes(shared),
  ];
}
