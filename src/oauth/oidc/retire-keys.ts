import type { Announce, Database } from '../../storage/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { Transaction } from '../../storage/schema.ts';
import {
  endPublication,
  lastPublishedMs,
  listPublishedKeys,
  pickSigningKey,
  purgeSigningKeys,
  signingKeysAnnouncement,
} from './signing-key-store.ts';

const INTERVAL_MS = 10 * 60_000;

/**
 * Sets an end to the keys that sign no more and have none yet: of two that were made at the same
 * time, one.
 */
async function retireSpareKeys(tx: Transaction, announce: Announce, nowMs: number): Promise<void> {
  const keys = await listPublishedKeys(tx, nowMs);
  for (const key of keys) {
    const signing = pickSigningKey(keys, key.alg, nowMs);
    const isSpare = key !== signing && key.signsFromMs <= nowMs;
    if (!isSpare || key.publishedUntilMs !== undefined) continue;
    await endPublication(tx, key.id, lastPublishedMs(nowMs));
    announce(signingKeysAnnouncement);
  }
}

/** Adds the end of the signing keys that are of no use any more to the periodic work. */
export function addKeyRetirement(work: PeriodicWork, database: Database, clock: Clock): void {
  work.add({
    name: 'oauth-signing-keys',
    intervalMs: INTERVAL_MS,
    run: () =>
      database.transaction(async (tx, announce) => {
        const nowMs = clock.now();
        await retireSpareKeys(tx, announce, nowMs);
        await purgeSigningKeys(tx, work.deletionClock.now());
      }),
  });
}
