import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import type { TestServer } from '../support/server.ts';
import { type LimitNodes, echo, startLimitNodes } from './limit-nodes.ts';

const INTERVAL_SECONDS = 60;

onEachDatabase((database) => {
  let bench: LimitNodes;
  let server: TestServer;
  let nodes: TestServer[];
  before(async () => {
    bench = await startLimitNodes(database);
    ({ server, nodes } = bench);
  });
  after(() => bench.stop());

  const createGateway = (id: string, limit: number, technique: 'fixed' | 'sliding') =>
    bench.createGateway(id, {
      rate_limiting_interval: limit === 0 ? 0 : INTERVAL_SECONDS,
      rate_limiting_limit: limit,
      rate_limiting_technique: technique,
    });

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`${technique}: all nodes together let the limit through, and say when to come back`, async () => {
      const id = `rate-${technique}`;
      await createGateway(id, 5, technique);
      for (let i = 0; i < 5; i++) {
        const node = nodes[i % nodes.length] ?? server;
        assert.equal((await echo(node, id)).status, 200, String(i));
      }
      for (const node of nodes) {
        const refused = await echo(node, id);
        assert.equal(refused.status, 429);
        assert.equal(refused.code ?? refused.json.error.code, 2003);
        const seconds = INTERVAL_SECONDS + (technique === 'fixed' ? 0 : INTERVAL_SECONDS / 30);
        assert.equal(refused.headers.get('retry-after'), String(seconds));
      }
      bench.clock.advance(INTERVAL_SECONDS * 1_000 - 1);
      assert.equal((await echo(server, id)).status, 429);
      // Units leave a sliding window in parts of two seconds.
      bench.clock.advance(technique === 'fixed' ? 1 : 2_001);
      assert.equal((await echo(server, id)).status, 200);
    });
  }

  test('a limit of 0 is none', async () => {
    await createGateway('unlimited', 0, 'fixed');
    for (let i = 0; i < 3; i++) {
      assert.equal((await echo(server, 'unlimited')).status, 200);
    }
  });
});
