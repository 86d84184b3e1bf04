import assert from 'node:assert/strict';
import type { Quota, QuotaState } from '../../src/storage/quota.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { TestServer } from '../support/server.ts';

/** Whether windows begin at multiples of their length, or end now. */
export type Technique = 'fixed' | 'sliding';

const TABLE = 'quota_windows';

/** A node that has just started; another one is what remains after its crash. */
export interface QuotaNode {
  take: () => QuotaState | Promise<QuotaState>;
  quotas: Quotas;
  troubles: string[];
}

/** A node's quotas, and what it reports of them. */
export function startQuotas({ app }: TestServer, clock: ManualClock) {
  const troubles: string[] = [];
  const report = (_error: Error, message: string): void => void troubles.push(message);
  return { quotas: new Quotas(app.database, clock, report), troubles };
}

/** One quota under a name of its own, on a clock of its own, and the nodes that share it. */
export function quotaOf(
  server: TestServer,
  technique: Technique,
  name: string,
  { limit, windowMs }: { limit: number; windowMs: number },
  clock = new ManualClock(),
) {
  return {
    clock,
    start(ownLimit = limit): QuotaNode {
      const node = startQuotas(server, clock);
      const quota = { limit: ownLimit, windowMs, isSliding: technique === 'sliding' };
      return { ...node, take: () => node.quotas.take(name, quota) };
    },
    leased: () => leasedUnits(server, name),
  };
}

/** What all nodes have leased, window by window; of a sliding quota, part by part. */
export async function leasedUnits({ app }: TestServer, name: string): Promise<number[]> {
  const rows = await app.database.read
    .selectFrom(TABLE)
    .select('leased')
    .where('name', '=', name)
    .where('window_start', '>=', 0)
    .where('leased', '>', 0)
    .orderBy('window_start')
    .execute();
  return rows.map((row) => row.leased);
}

/** Takes until it is refused; returns how often that went well. */
export async function takeAll({ take }: Pick<QuotaNode, 'take'>): Promise<number> {
  for (let taken = 0; ; taken++) {
    const { isTaken } = await take();
    if (!isTaken) return taken;
  }
}

export async function takeTimes({ take }: Pick<QuotaNode, 'take'>, times: number): Promise<void> {
  for (let i = 0; i < times; i++) assert.equal((await take()).isTaken, true, String(i));
}

export async function takeInParallel(nodes: QuotaNode[], timesEach: number): Promise<number> {
  const attempts = nodes.flatMap((node) =>
    Array.from({ length: timesEach }, async () => node.take()),
  );
  const states = await Promise.all(attempts);
  return states.filter(({ isTaken }) => isTaken).length;
}

/** Takes one after the other; returns how often the database was asked. */
export async function countAsked(
  { take }: QuotaNode,
  times: number,
  isTaken: boolean,
): Promise<number> {
  let asked = 0;
  for (let i = 0; i < times; i++) {
    const state = take();
    if (state instanceof Promise) asked++;
    assert.equal((await state).isTaken, isTaken);
  }
  return asked;
}

/**
 * Lets the database fail as one does that can be reached and does not work.
 * @returns what lets it work again
 */
export async function breakQuotas({ app }: TestServer): Promise<() => Promise<void>> {
  const rename = (from: string, to: string): Promise<void> =>
    app.database.transaction((tx) => tx.schema.alterTable(from).renameTo(to).execute());
  const away = `${TABLE}_away`;
  await rename(TABLE, away);
  return () => rename(away, TABLE);
}

/** Checks if a call of unknown cost would be admitted. Nothing stays reserved. */
export async function lookAt(
  quotas: Quotas,
  name: string,
  quota: Quota,
): Promise<{ hasLeft: boolean; resetMs: number }> {
  const { held, resetMs } = await quotas.reserve(name, quota, 1, false);
  if (held !== undefined) quotas.settle(held, 0);
  return { hasLeft: held !== undefined, resetMs };
}
