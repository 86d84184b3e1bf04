import type { Clock } from '../lib/clock.ts';
import type { Database } from './database.ts';

// No lease is that long, and no two clocks that are set differ by so much.
const MOST_AHEAD_MS = 10 * 60_000;

/**
 * Takes or prolongs the lease of that name, if nobody else holds it now. A holder that crashes
 * loses it when its time is over, so the work goes on elsewhere; one whose clock was ahead by years, too.
 * @param holder names this process; the same holder may take its lease again
 * @returns whether the caller holds the lease until `durationMs` from now
 */
export async function acquireLease(
  database: Database,
  clock: Clock,
  name: string,
  holder: string,
  durationMs: number,
): Promise<boolean> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    // One statement, so that of several nodes exactly one sees its row come back.
    const row = await tx
      .insertInto('leases')
      .values({ name, holder, expires_at: now + durationMs })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, expires_at: now + durationMs })
          .where((where) =>
            where.or([
              where('leases.expires_at', '<=', now),
              where('leases.expires_at', '>', now + durationMs + MOST_AHEAD_MS),
              where('leases.holder', '=', holder),
            ]),
          ),
      )
      .returning('holder')
      .executeTakeFirst();
    return row !== undefined;
  });
}

/** Gives a lease back before its time is over. Another's lease is left alone. */
export async function releaseLease(
  database: Database,
  name: string,
  holder: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
  });
}

/** Reads the time at which a lease ends, in milliseconds; undefined if the lease does not exist. */
export async function leaseEnd(database: Database, name: string): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('leases')
    .select('expires_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.expires_at;
}
