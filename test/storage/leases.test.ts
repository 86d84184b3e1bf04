import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acquireLease, releaseLease } from '../../src/storage/leases.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const DURATION_MS = 30_000;

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** A lease of that name on a clock of its own, so that no test disturbs another. */
  function leaseOf(name: string) {
    const clock = new ManualClock();
    const { database: db } = server.app;
    return {
      clock,
      acquire: (holder: string) => acquireLease(db, clock, name, holder, DURATION_MS),
      release: (holder: string) => releaseLease(db, name, holder),
    };
  }

  test('one holds it, the other does not', async () => {
    const lease = leaseOf('plain');
    assert.equal(await lease.acquire('a'), true);
    assert.equal(await lease.acquire('b'), false);
    assert.equal(await leaseOf('another').acquire('b'), true);
  });

  test('it is over when its time is over, and not before', async () => {
    const lease = leaseOf('expiry');
    await lease.acquire('a');
    lease.clock.advance(DURATION_MS - 1);
    assert.equal(await lease.acquire('b'), false);
    lease.clock.advance(1);
    assert.equal(await lease.acquire('b'), true);
    assert.equal(await lease.acquire('a'), false);
  });

  test('its holder prolongs it', async () => {
    const lease = leaseOf('prolonged');
    await lease.acquire('a');
    lease.clock.advance(DURATION_MS - 1);
    assert.equal(await lease.acquire('a'), true);
    lease.clock.advance(DURATION_MS - 1);
    assert.equal(await lease.acquire('b'), false);
    assert.equal(await lease.acquire('a'), true);
  });

  test('given back, it is free at once; another cannot give it back', async () => {
    const lease = leaseOf('released');
    await lease.acquire('a');
    await lease.release('b');
    assert.equal(await lease.acquire('b'), false);
    await lease.release('a');
    assert.equal(await lease.acquire('b'), true);
    await lease.release('a');
    assert.equal(await lease.acquire('a'), false);
  });

  test('of many who want it at the same moment one gets it', async () => {
    const lease = leaseOf('race');
    for (const round of [1, 2, 3]) {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, i) => lease.acquire(`${round}-${i}`)),
      );
      assert.equal(results.filter(Boolean).length, 1);
      lease.clock.advance(DURATION_MS);
    }
  });
});
