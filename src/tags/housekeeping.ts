import type { Database } from '../storage/database.ts';
import { addPurges } from '../storage/housekeeping.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { purgeChanges } from './store/tag-feed.ts';

const DAY_MS = 86_400_000;

/**
 * Adds the deletion of what is too old to the periodic work.
 * @param changesDays for how long changes of tags are kept; 0: for ever
 */
export function addTagHousekeeping(
  work: PeriodicWork,
  database: Database,
  changesDays: number,
): void {
  if (changesDays === 0) return;
  addPurges(work, database, {
    name: 'tag-changes',
    purges: [(tx, nowMs) => purgeChanges(tx, nowMs - changesDays * DAY_MS)],
  });
}
