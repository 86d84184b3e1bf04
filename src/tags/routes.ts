import type { ManagementRoute } from '../iam/route.ts';
import type { TagServices } from './tag-services.ts';

/** Every operation on resource tags. */
export function tagRoutes(_services: TagServices): ManagementRoute[] {
  return [];
}
