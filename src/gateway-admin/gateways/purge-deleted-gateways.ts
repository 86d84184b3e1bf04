import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { purgeInSteps } from '../../storage/housekeeping.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { GatewayData } from '../admin-services.ts';
import {
  type DeletedGateway,
  forgetDeletedGateway,
  listDeletedGateways,
} from './deleted-gateway-store.ts';
import { findGatewayRecord } from './gateway-store.ts';

const JOB = 'deleted-gateways';

const INTERVAL_MS = 5 * 60_000;

/** Calls that were in progress at the deletion, such as long responses, may write logs for this time. */
export const GATEWAY_GRACE_MS = 60 * 60_000;

// A node with a slow clock may create a gateway with the same id at any time.
const CLOCK_MARGIN_MS = 60_000;

export interface GatewayPurgeParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  data: Pick<GatewayData, 'purgeLogs' | 'forgetSpend'>;
}

/**
 * Adds the job that purges the logs of deleted gateways and the values of clients in their budgets, in small transactions.
 * They are not visible before that. A crash loses nothing, because the row of a deleted gateway stays for an hour.
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
          // The next round tries it again.
          report(error as Error, `failed to purge the deleted gateway ${gateway.id}`);
        }
      }
    },
  });
}

async function purgeGateway(
  { database, clock, data }: GatewayPurgeParts,
  gateway: DeletedGateway,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, id, deletedAtMs } = gateway;
  // Read before the purge, so that the purge includes all earlier rows.
  const nowMs = clock.now();
  const successor = await findGatewayRecord(database.read, accountId, id);
  const beforeMs = successor?.createdAtMs ?? nowMs - CLOCK_MARGIN_MS;
  await purgeInSteps(() => data.purgeLogs(accountId, id, beforeMs), signal);
  // A later gateway with the same id continues the budgets.
  if (successor === undefined) {
    await purgeInSteps(() => data.forgetSpend(accountId, id), signal);
  }
  if (nowMs - deletedAtMs < GATEWAY_GRACE_MS) return;
  await database.transaction((tx) => forgetDeletedGateway(tx, gateway));
}
