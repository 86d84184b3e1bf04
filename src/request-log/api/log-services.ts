import type { Changes } from '../../iam/changes.ts';
import type { ResourceTagging } from '../../iam/own-resources.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { LogStore } from '../log-store.ts';
import type { LogWriter } from '../writer/log-writer.ts';

/** The dependencies of the operations on logs and analytics. */
export interface LogServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  tagging: ResourceTagging;
  /** Returns a gateway; undefined: it does not exist. */
  findGateway: (
    accountId: string,
    gatewayId: string,
  ) => Awaitable<{ createdAtMs: number } | undefined>;
  logStore: LogStore;
  logWriter: LogWriter;
  /**
   * Returns the start of the visible logs of a gateway, in milliseconds. Older ones belong to a deleted gateway with the
   * same id, or are past the retention.
   */
  logsVisibleSinceMs: (gateway: { createdAtMs: number }) => number;
}
