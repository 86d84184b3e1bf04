import type { Changes } from '../iam/changes.ts';
import type { FindResourceName } from '../iam/own-resources.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { TagWriter } from './write/tag-writer.ts';

/** What the operations of this domain work with. */
export interface TagServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  /** Looks up our own taggable resources; other types live outside and need no look-up. */
  findResourceName: FindResourceName;
  /** Status of GET /tags for a resource without tags (seed section 7, other rule 1). */
  notFoundStatus: 404 | 500;
  /** Resource types that the operator added to the built-in list. */
  extraResourceTypes: readonly string[];
  /** The longest body of a request: no set of tags becomes larger than fits into one. */
  bodyLimitBytes: number;
}

/** The same with what the operations of one server share. */
export interface TagOperationServices extends TagServices {
  /** Every resource type of this installation. */
  resourceTypes: ReadonlySet<string>;
  /** Makes the writes of single requests. */
  writer: TagWriter;
}
