import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const INTERVAL_SECONDS = 60;

/** One completion of the echo model. */
function complete(server: TestServer, gateway: string): Promise<Answer> {
  return server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    headers: { 'cf-aig-gateway-id': gateway },
    body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
  });
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let nodes: TestServer[];
  before(async () => {
    server = await bootServer(database, { clock });
    nodes = [server];
    // An embedded database has one node.
    if (database === 'postgres') nodes.push(await bootServer(database, { clock, besides: server }));
  });
  after(async () => {
    for (const node of nodes.toReversed()) await node.stop();
  });

  async function createGateway(
    id: string,
    limit: number,
    technique: 'fixed' | 'sliding',
  ): Promise<void> {
    const body = {
      ...gatewayBody(id),
      rate_limiting_interval: limit === 0 ? 0 : INTERVAL_SECONDS,
      rate_limiting_limit: limit,
      rate_limiting_technique: technique,
    };
    const { status } = await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
    assert.equal(status, 200);
  }

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`${technique}: all nodes together let the limit through, and say when to come back`, async () => {
      const id = `rate-${technique}`;
      await createGateway(id, 5, technique);
      for (let i = 0; i < 5; i++) {
        const node = nodes[i % nodes.length] ?? server;
        assert.equal((await complete(node, id)).status, 200, String(i));
      }
      for (const node of nodes) {
        const refused = await complete(node, id);
        assert.equal(refused.status, 429);
        assert.equal(refused.code ?? refused.json.error.code, 2003);
        const seconds = INTERVAL_SECONDS + (technique === 'fixed' ? 0 : 1);
        assert.equal(refused.headers.get('retry-after'), String(seconds));
      }
      clock.advance(INTERVAL_SECONDS * 1_000 - 1);
      assert.equal((await complete(server, id)).status, 429);
      // A sliding window forgets the whole second at once.
      clock.advance(technique === 'fixed' ? 1 : 1_001);
      assert.equal((await complete(server, id)).status, 200);
    });
  }

  test('a limit of 0 is none', async () => {
    await createGateway('unlimited', 0, 'fixed');
    for (let i = 0; i < 3; i++) {
      assert.equal((await complete(server, 'unlimited')).status, 200);
    }
  });
});
