import assert from 'node:assert/strict';
import { type MaybePromise, whenKnown } from '../../src/lib/maybe-promise.ts';
import type { LeasedQuotas } from '../../src/storage/leased-quotas.ts';
import type { Quota, QuotaState } from '../../src/storage/quota.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import { SlidingQuotas } from '../../src/storage/sliding-quotas.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { TestServer } from '../support/server.ts';

/** Whether windows begin at multiples of their length, or end now. */
export type Technique = 'fixed' | 'sliding';

const TABLES = { fixed: 'quotas', sliding: 'sliding_quotas' } as const;

/** A node that has just started; another one is what remains after its crash. */
export interface QuotaNode {
  take: () => QuotaState | Promise<QuotaState>;
  quotas: LeasedQuotas;
  troubles: string[];
}

/** A node's quotas, and what it reports of them. */
export function startQuotas({ app }: TestServer, technique: Technique, clock: ManualClock) {
  const troubles: string[] = [];
  const report = (_error: Error, message: string): void => void troubles.push(message);
  const Kind = technique === 'fixed' ? Quotas : SlidingQuotas;
  return { quotas: new Kind(app.database, clock, report), troubles };
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
      const node = startQuotas(server, technique, clock);
      return { ...node, take: () => node.quotas.take(name, { limit: ownLimit, windowMs }) };
    },
    leased: () => leasedUnits(server, technique, name),
  };
}

/** What all nodes have leased, window by window; of a sliding quota, bucket by bucket. */
export async function leasedUnits(
  { app }: TestServer,
  technique: Technique,
  name: string,
): Promise<number[]> {
  const { read } = app.database;
  if (technique === 'fixed') {
    const rows = await read
      .selectFrom('quotas')
      .select('leased')
      .where('name', '=', name)
      .orderBy('window_start')
      .execute();
    return rows.map((row) => row.leased);
  }
  const row = await read
    .selectFrom('sliding_quotas')
    .select('buckets')
    .where('name', '=', name)
    .executeTakeFirst();
  const buckets = JSON.parse(row?.buckets ?? '[]') as [endMs: number, units: number][];
  return buckets.map(([, units]) => units);
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
export async function breakQuotas(
  { app }: TestServer,
  technique: Technique,
): Promise<() => Promise<void>> {
  const rename = (from: string, to: string): Promise<void> =>
    app.database.transaction((tx) => tx.schema.alterTable(from).renameTo(to).execute());
  const away = `${TABLES[technique]}_away`;
  await rename(TABLES[technique], away);
  return () => rename(away, TABLES[technique]);
}

/** Whether a call of unknown cost would be let in. Nothing stays reserved. */
export function lookAt(
  quotas: LeasedQuotas,
  name: string,
  quota: Quota,
): MaybePromise<{ hasLeft: boolean; resetMs: number }> {
  return whenKnown(quotas.reserve(name, quota, 1, false), ({ held, resetMs }) => {
    if (held !== undefined) quotas.settle(held, 0);
    return { hasLeft: held !== undefined, resetMs };
  });
}
