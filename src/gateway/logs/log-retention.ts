import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { purgeInSteps } from '../../storage/housekeeping.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import { listLogLimits } from '../../gateway-admin/gateways/list-log-limits.ts';
import type { LogStore } from './log-store.ts';

const JOB = 'gateway-logs';
const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Where the logs end that are kept; of none that are kept for ever. */
function keptSinceMs(nowMs: number, retentionDays: number): number {
  return retentionDays === 0 ? 0 : nowMs - retentionDays * DAY_MS;
}

/**
 * Since when the logs of a gateway are shown: what is older is too old, or another's that had its id.
 * @param retentionDays 0: for ever
 */
export function logVisibility(
  clock: Clock,
  retentionDays: number,
): (gateway: { createdAtMs: number }) => number {
  return ({ createdAtMs }) => Math.max(createdAtMs, keptSinceMs(clock.now(), retentionDays));
}

/** Who does not use the gateway need not have a thread for its logs. */
async function mayHaveLogs({ dialect, read }: Database): Promise<boolean> {
  // There, the store looks for its file.
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
  /** 0: for ever. */
  logRetentionDays: number;
}

/**
 * Adds to the periodic work what keeps the logs in bounds: those that are too old are deleted, and the
 * oldest of gateways whose limit was lowered. Nobody sees the former meanwhile.
 */
export function addLogUpkeep(parts: LogUpkeepParts): void {
  const { database, clock, work, logStore, logRetentionDays } = parts;
  work.add({
    name: JOB,
    intervalMs: INTERVAL_MS,
    async run(signal) {
      if (!(await mayHaveLogs(database))) return;
      const nowMs = clock.now();
      // First of all: where it is missing, batches wait.
      await logStore.prepare(nowMs);
      if (logRetentionDays > 0) {
        const sinceMs = keptSinceMs(work.deletionClock.now(), logRetentionDays);
        await purgeInSteps(() => logStore.purgeOlder(sinceMs), signal);
      }
      for (const { accountId, gatewayId, maxRows } of await listLogLimits(database.read)) {
        await purgeInSteps(() => logStore.trim(accountId, gatewayId, maxRows), signal);
      }
      await purgeInSteps(() => logStore.pruneRollups(work.deletionClock.now()), signal);
    },
  });
}
