import type { ManagementRoute } from '../iam/route.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { addTagHousekeeping } from './housekeeping.ts';
import { allResourceTypes } from './resource-types.ts';
import { tagRoutes } from './routes.ts';
import type { TagServices } from './tag-services.ts';
import { applyWrites } from './write/apply-writes.ts';
import { TagWriter } from './write/tag-writer.ts';

/** What this domain is made from. */
interface TagParts extends TagServices {
  work: PeriodicWork;
  /** For how long changes of tags are kept; 0: for ever. */
  changesDays: number;
}

/** Resource tags as the rest of the server sees them. */
export interface ResourceTags {
  routes: ManagementRoute[];
  /** Lets the writes that were begun end. */
  stop(): Promise<void>;
}

export function createResourceTags({ work, changesDays, ...services }: TagParts): ResourceTags {
  const { database, changes, extraResourceTypes } = services;
  addTagHousekeeping(work, database, changesDays);
  const writer = new TagWriter(database, changes, (tx, accountId, writes, maxLongBytes) =>
    applyWrites(tx, services, accountId, writes, maxLongBytes),
  );
  const resourceTypes = allResourceTypes(extraResourceTypes);
  return {
    routes: tagRoutes({ ...services, resourceTypes, writer }),
    stop: () => writer.settled(),
  };
}
