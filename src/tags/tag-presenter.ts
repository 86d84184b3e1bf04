import type { Static } from 'typebox';
import { formatTime } from '../lib/clock.ts';
import type { TaggedResourceSchema } from './tag-schemas.ts';
import type { TaggedResource } from './store/tag-store.ts';

/** A tagged resource as the API shows it. */
export function presentTaggedResource(
  resource: TaggedResource,
): Static<typeof TaggedResourceSchema> {
  const { workerId, zoneId, accessApplicationId } = resource;
  return {
    id: resource.id,
    type: resource.type,
    name: resource.name,
    etag: resource.etag,
    tags: resource.tags,
    ...(workerId === undefined ? {} : { worker_id: workerId }),
    ...(zoneId === undefined ? {} : { zone_id: zoneId }),
    ...(accessApplicationId === undefined ? {} : { access_application_id: accessApplicationId }),
    tags_updated_at: formatTime(resource.tagsUpdatedAtMs),
  };
}

/** The answer of an operation on one resource: the ETag stands in its header too, quoted. */
export function taggedResourceReply(resource: TaggedResource) {
  return {
    result: presentTaggedResource(resource),
    headers: { etag: `"${resource.etag}"` },
  };
}
