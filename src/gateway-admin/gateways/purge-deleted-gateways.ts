import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { purgeInSteps } from '../../storage/housekeeping.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import { forgetSpend } from '../../gateway/limits/forget-spend.ts';
import type { LogStore } from '../../gateway/logs/log-store.ts';
import {
  type DeletedGateway,
  forgetDeletedGateway,
  listDeletedGateways,
} from './deleted-gateway-store.ts';
import { findGatewayRecord } from './gateway-store.ts';

const JOB = 'deleted-gateways';

const INTERVAL_MS = 5 * 60_000;

/** How long is looked for what was under way at the deletion, such as a long answer of a model. */
export const GATEWAY_GRACE_MS = 60 * 60_000;

// A gateway of the same id may appear at any moment, on a node whose clock is behind.
const CLOCK_MARGIN_MS = 60_000;

export interface GatewayPurgeParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  logStore: LogStore;
}

/**
 * Adds to the periodic work what removes the logs of deleted gateways, and what callers
 * have sent to be counted, in small transactions. Nobody
 * sees them meanwhile. A crash loses nothing: a gateway stays noted until an hour after its end.
 */
export function addGatewayPurge(parts: GatewayPurgeParts): void {
  const { work, database, report } = parts;
  work.add({
    name: JOB,
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const gateway of await listDeletedGateways(database.read)) {
        try {
          await purgeGateway(parts, gateway, signal);
        } catch (error) {
          signal.throwIfAborted();
          // Those behind it are not kept waiting; the next round tries it again.
          report(error as Error, `failed to purge the deleted gateway ${gateway.id}`);
        }
      }
    },
  });
}

async function purgeGateway(
  { database, clock, logStore }: GatewayPurgeParts,
  gateway: DeletedGateway,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, id, deletedAtMs } = gateway;
  // Asked before the purge: whatever came in until then is in it.
  const nowMs = clock.now();
  const successor = await findGatewayRecord(database.read, accountId, id);
  const beforeMs = successor?.createdAtMs ?? nowMs - CLOCK_MARGIN_MS;
  await purgeInSteps(() => logStore.purgeGateway(accountId, id, beforeMs), signal);
  // One that came after it counts on what was spent, and may tell it.
  if (successor === undefined) {
    await purgeInSteps(() => forgetSpend(database, accountId, id), signal);
  }
  if (nowMs - deletedAtMs < GATEWAY_GRACE_MS) return;
  await database.transaction((tx) => forgetDeletedGateway(tx, gateway));
}
