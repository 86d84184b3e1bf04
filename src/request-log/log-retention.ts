import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import { purgeInSteps } from '../storage/housekeeping.ts';
import type { Db } from '../storage/schema.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import type { LogStore } from './log-store.ts';

const JOB = 'gateway-logs';
const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Returns the start of the retention. */
function keptSinceMs(nowMs: number, retentionDays: number): number {
  return retentionDays === 0 ? 0 : nowMs - retentionDays * DAY_MS;
}

/**
 * Returns a function that returns the start of the visible logs of a gateway: older ones are past the retention, or belong
 * to an earlier gateway with the same id.
 * @param retentionDays 0: unlimited
 */
export function logVisibility(
  clock: Clock,
  retentionDays: number,
): (gateway: { createdAtMs: number }) => number {
  return ({ createdAtMs }) => Math.max(createdAtMs, keptSinceMs(clock.now(), retentionDays));
}

/** Installations without gateways need no thread for logs. */
async function mayHaveLogs({ dialect, read }: Database): Promise<boolean> {
  // On SQLite, the store looks for its file.
  if (dialect === 'sqlite') return true;
  const gateway = await read
    .selectFrom('gateway_log_gateways')
    .select('gateway_id')
    .limit(1)
    .executeTakeFirst();
  return gateway !== undefined;
}

export interface LogUpkeepParts {
  database: Database;
  clock: Clock;
  work: PeriodicWork;
  logStore: LogStore;
  /** 0: unlimited. */
  logRetentionDays: number;
  /** Returns the gateways that delete their oldest logs, with the rows that they keep. */
  listLogLimits(db: Db): Promise<{ accountId: string; gatewayId: string; maxRows: number }[]>;
}

/**
 * Adds the job that deletes logs past the retention, and the oldest logs of gateways whose limit was lowered. Logs past
 * the retention are not visible before that.
 */
export function addLogUpkeep(parts: LogUpkeepParts): void {
  const { database, clock, work, logStore, logRetentionDays } = parts;
  work.add({
    name: JOB,
    intervalMs: INTERVAL_MS,
    async run(signal) {
      if (!(await mayHaveLogs(database))) return;
      const nowMs = clock.now();
      // First, because batches wait for a missing partition.
      await logStore.prepare(nowMs);
      if (logRetentionDays > 0) {
        const sinceMs = keptSinceMs(work.deletionClock.now(), logRetentionDays);
        await purgeInSteps(() => logStore.purgeOlder(sinceMs), signal);
      }
      for (const { accountId, gatewayId, maxRows } of await parts.listLogLimits(database.read)) {
        await purgeInSteps(() => logStore.trim(accountId, gatewayId, maxRows), signal);
      }
      await purgeInSteps(() => logStore.pruneRollups(work.deletionClock.now()), signal);
    },
  });
}
