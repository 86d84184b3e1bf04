import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Quotas } from '../../src/storage/quotas.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Technique, breakQuotas, leasedUnits, lookAt, startQuotas } from './quota-nodes.ts';

const WINDOW_MS = 60_000;
// One US dollar in billionths.
const LIMIT = 1_000_000_000;
const SLICE = LIMIT / 100;

interface Node {
  hasLeft: () => Promise<boolean>;
  look: () => ReturnType<typeof lookAt>;
  /** Asks for the level; a promise if the database is needed. */
  level: () => ReturnType<Quotas['levelOf']>;
  spend: (units: number) => void;
  quotas: Quotas;
  troubles: string[];
}

function budgetOf(server: TestServer, technique: Technique, name: string) {
  const clock = new ManualClock();
  const leased = async (): Promise<number> => {
    const units = await leasedUnits(server, name);
    return units.reduce((sum, some) => sum + some, 0);
  };
  return {
    clock,
    leased,
    start(limit = LIMIT): Node {
      const { quotas, troubles } = startQuotas(server, clock);
      const quota = { limit, windowMs: WINDOW_MS, isSliding: technique === 'sliding' };
      const look = () => lookAt(quotas, name, quota);
      return {
        look,
        level: () => quotas.levelOf(name, quota),
        hasLeft: async () => (await look()).hasLeft,
        spend: (units) => quotas.spend(name, quota, units),
        quotas,
        troubles,
      };
    },
    /** Waits until what was spent without a lease is known to the database. */
    async isLeased(units: number): Promise<void> {
      await eventually(`${units} are leased`, async () => (await leased()) >= units);
    },
  };
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  for (const technique of ['fixed', 'sliding'] as const) {
    describe(technique, () => {
      const resetMs = technique === 'fixed' ? WINDOW_MS : WINDOW_MS + 2_000;

      test('something is left below the limit, and nothing at it', async () => {
        const budget = budgetOf(server, technique, `${technique}-at`);
        const node = budget.start();
        assert.equal(await node.hasLeft(), true);
        node.spend(LIMIT - 1);
        await budget.isLeased(LIMIT - 1);
        assert.equal(await node.hasLeft(), true);
        node.spend(1);
        await budget.isLeased(LIMIT);
        assert.deepEqual(await node.look(), { hasLeft: false, resetMs });
        assert.equal(await budget.start().hasLeft(), false);
      });

      test('what is read beside leases is of the same moment as what is known of them', async () => {
        const name = `${technique}-beside`;
        const budget = budgetOf(server, technique, name);
        const node = budget.start();
        const { quotas } = node;
        assert.equal(await node.hasLeft(), true);
        let reads = 0;
        const read = async (): Promise<number> => {
          const units = await budget.leased();
          if (++reads > 1) return units;
          // The state changes before the result is returned.
          node.spend(10 * SLICE);
          await eventually('it is leased', () => Promise.resolve(quotas.unspentOf(name) >= 0));
          return units;
        };
        const told = await quotas.readBesideLeases(read, () => [name]);
        assert.deepEqual([told - quotas.unspentOf(name), reads], [10 * SLICE, 2]);
        for (let spent = 11; spent <= 40; spent++) {
          node.spend(SLICE);
          const now = await quotas.readBesideLeases(budget.leased, () => [name]);
          assert.equal(now - quotas.unspentOf(name), spent * SLICE);
        }
      });

      test('who reads does not wait for a pause between leases', async () => {
        const name = `${technique}-busy`;
        const budget = budgetOf(server, technique, name);
        const node = budget.start();
        let reads = 0;
        const read = async (): Promise<void> => {
          reads++;
          node.spend(2 * SLICE);
          await eventually('it is leased', () => Promise.resolve(node.quotas.unspentOf(name) >= 0));
        };
        await node.quotas.readBesideLeases(read, () => [name]);
        assert.equal(reads, 5);
      });

      test('what was under way may exceed the limit, and all of it counts', async () => {
        const budget = budgetOf(server, technique, `${technique}-above`);
        const node = budget.start();
        for (let i = 0; i < 3; i++) assert.equal(await node.hasLeft(), true);
        for (let i = 0; i < 3; i++) node.spend(LIMIT);
        await budget.isLeased(3 * LIMIT);
        assert.equal(await node.hasLeft(), false);
        // A higher limit does not forget it.
        assert.equal(await budget.start(3 * LIMIT).hasLeft(), false);
        assert.equal(await budget.start(3 * LIMIT + 1).hasLeft(), true);
      });

      test('more than can be counted is spent, and disturbs nobody', async () => {
        const budget = budgetOf(server, technique, `${technique}-uncountable`);
        const node = budget.start();
        // More than 2 ** 63, which exceeds the integers of both databases.
        for (let i = 0; i < 1_100; i++) node.spend(Number.MAX_SAFE_INTEGER);
        await budget.isLeased(2 ** 52);
        assert.equal(await node.hasLeft(), false);
        assert.equal(await budget.start(1e15).hasLeft(), false);
        await node.quotas.stop();
        assert.deepEqual(node.troubles, []);
      });

      test('when the window is over, the whole limit is there again', async () => {
        const budget = budgetOf(server, technique, `${technique}-over`);
        const node = budget.start();
        assert.equal(await node.hasLeft(), true);
        node.spend(2 * LIMIT);
        await budget.isLeased(2 * LIMIT);
        budget.clock.advance(resetMs - 1);
        assert.equal(await node.hasLeft(), false);
        budget.clock.advance(1);
        assert.equal(await node.hasLeft(), true);
      });

      test('several nodes spend from one limit', async () => {
        const budget = budgetOf(server, technique, `${technique}-shared`);
        const nodes = [budget.start(), budget.start(), budget.start()];
        const cost = 7_654_321;
        let spent = 0;
        for (let turn = 0; spent < 2 * LIMIT; turn++) {
          const node = nodes[turn % nodes.length];
          if (node === undefined || !(await node.hasLeft())) break;
          node.spend(cost);
          spent += cost;
          await budget.isLeased(spent);
        }
        // At the end, each node admits one call that costs more than is left.
        assert.ok(spent >= LIMIT && spent < LIMIT + 3 * cost, String(spent));
      });

      test('little is lost by a crash, and nothing by a stop', async () => {
        const budget = budgetOf(server, technique, `${technique}-stop`);
        const crashed = budget.start();
        assert.equal(await crashed.hasLeft(), true);
        assert.equal(await budget.leased(), SLICE);
        const stopped = budget.start();
        assert.equal(await stopped.hasLeft(), true);
        stopped.spend(3 * SLICE + 5);
        await stopped.quotas.stop();
        assert.equal(await budget.leased(), SLICE + 3 * SLICE + 5);
        assert.deepEqual(stopped.troubles, []);
      });

      test('who spends leases ahead, so that the next one seldom waits', async () => {
        const budget = budgetOf(server, technique, `${technique}-ahead`);
        const node = budget.start();
        assert.equal(await node.hasLeft(), true);
        node.spend((SLICE * 3) / 4);
        assert.ok(!(node.level() instanceof Promise));
        // The lease was not requested by a call.
        await budget.isLeased(SLICE + (SLICE * 3) / 4);
        assert.equal(await budget.leased(), SLICE + (SLICE * 3) / 4);
      });

      test('a database that fails: a quarter of the limit on credit', async () => {
        const budget = budgetOf(server, technique, `${technique}-credit`);
        const node = budget.start();
        const restore = await breakQuotas(server);
        assert.equal(await node.hasLeft(), true);
        node.spend(LIMIT / 4 - 1);
        assert.equal(await node.hasLeft(), true);
        node.spend(1);
        assert.equal(await node.hasLeft(), false);
        assert.equal(node.troubles.length, 1);
        await restore();
        budget.clock.advance(1_000);
        assert.equal(await node.hasLeft(), true);
        assert.ok((await budget.leased()) > LIMIT / 4);
      });
    });
  }
});
