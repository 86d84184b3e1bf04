import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RateLimiter, rateHeaders, rateLimited } from '../../src/iam/rate-limiter.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    // Its housekeeping must not take the windows of this clock for old ones.
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  function limiterOf(limit: number) {
    const clock = new ManualClock();
    const quotas = new Quotas(server.app.database, clock, () => assert.fail());
    return { clock, limiter: new RateLimiter(quotas, limit) };
  }

  test('requests below and at the limit pass, the next one and all others do not', async () => {
    const { clock, limiter } = limiterOf(3);
    for (const remaining of [2, 1, 0]) {
      const state = { limit: 3, remaining, resetSeconds: 300, isExceeded: false };
      assert.deepEqual(await limiter.take('a'), state);
    }
    const exceeded = { limit: 3, remaining: 0, resetSeconds: 300, isExceeded: true };
    assert.deepEqual(await limiter.take('a'), exceeded);
    assert.equal((await limiter.take('b')).isExceeded, false);
    clock.advance(299_001);
    assert.deepEqual(await limiter.take('a'), { ...exceeded, resetSeconds: 1 });
    clock.advance(998);
    assert.deepEqual(await limiter.take('a'), { ...exceeded, resetSeconds: 1 });
    clock.advance(1);
    assert.equal((await limiter.take('a')).isExceeded, false);
  });
});

test('the headers tell the policy and what is left', () => {
  const state = { limit: 1_000, remaining: 999, resetSeconds: 300, isExceeded: false };
  assert.deepEqual(rateHeaders(state), {
    'ratelimit-policy': '"default";q=1000;w=300',
    ratelimit: '"default";r=999;t=300',
  });
});

test('the refusal: 429/971, when to come again, and the same headers', () => {
  const error = rateLimited({ limit: 5, remaining: 0, resetSeconds: 17, isExceeded: true });
  assert.equal(error.status, 429);
  assert.deepEqual(error.entries, [{ code: 971, message: 'Rate limited' }]);
  assert.deepEqual(error.headers, {
    'ratelimit-policy': '"default";q=5;w=300',
    ratelimit: '"default";r=0;t=17',
    'retry-after': '17',
  });
});
