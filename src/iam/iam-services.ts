import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { ResourceTagging } from './own-resources.ts';

/** What the operations of this domain work with. */
export interface IamServices {
  database: Database;
  clock: Clock;
  /** Names this installation in resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
  tagging: ResourceTagging;
}
