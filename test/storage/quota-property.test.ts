import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Quotas } from '../../src/storage/quotas.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { startQuotas } from './quota-nodes.ts';

const NODES = 3;
const WINDOW_MS = 30_000;
const PART_MS = 1_000;

/** A call on one node, some time after the one before. */
const call = fc.record({
  node: fc.nat(NODES - 1),
  afterMs: fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(20_000)),
  units: fc.integer({ min: 1, max: 30 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  /** The node stops after the call, and another one takes its place. */
  stops: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
});

/** The units that calls have cost, and when. */
type Spent = { atMs: number; units: number }[];

function spentBetween(spent: Spent, fromMs: number, untilMs: number): number {
  return spent
    .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
    .reduce((sum, { units }) => sum + units, 0);
}

onEachDatabase((database) => {
  let server: TestServer;
  let quotas = 0;
  before(async () => {
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  for (const isSliding of [false, true]) {
    test(`${isSliding ? 'sliding' : 'fixed'} windows: nodes never exceed the limit, and lose no unit`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 200 }),
          fc.array(call, { maxLength: 25 }),
          async (limit, calls) => {
            const clock = new ManualClock();
            const name = `property-${isSliding}-${++quotas}`;
            const quota = { limit, windowMs: WINDOW_MS, isSliding };
            const nodes: Quotas[] = [];
            for (let node = 0; node < NODES; node++) nodes.push(startQuotas(server, clock).quotas);
            const spent: Spent = [];
            const spend = async (node: Quotas, units: number, part: number): Promise<boolean> => {
              const { held } = await node.reserve(name, quota, units, true);
              if (held === undefined) return false;
              const cost = Math.round(units * part);
              node.settle(held, cost);
              spent.push({ atMs: clock.now(), units: cost });
              return true;
            };
            for (const { node: index, afterMs, units, part, stops } of calls) {
              clock.advance(afterMs);
              await spend(nodes[index] as Quotas, units, part);
              if (!stops) continue;
              await nodes[index]?.stop();
              nodes[index] = startQuotas(server, clock).quotas;
            }
            await Promise.all(nodes.map((node) => node.stop()));
            const last = startQuotas(server, clock).quotas;
            while (await spend(last, 1, 1));
            await last.stop();
            const nowMs = clock.now();
            const startOf = (atMs: number): number =>
              isSliding ? atMs - WINDOW_MS + 1 : atMs - (atMs % WINDOW_MS);
            for (const { atMs } of spent) {
              const sum = spentBetween(spent, startOf(atMs), atMs);
              assert.ok(sum <= limit, `${sum} of ${limit}`);
            }
            // Units of a part that is not over count a little longer.
            const reachMs = isSliding ? PART_MS : 0;
            const sum = spentBetween(spent, startOf(nowMs) - reachMs, nowMs);
            assert.ok(sum >= limit, `${sum} of ${limit}`);
          },
        ),
        { numRuns: 40 },
      );
    });
  }
});
