import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer, TestServer } from '../support/server.ts';
import { type LimitNodes, echo, startLimitNodes } from './limit-nodes.ts';

const WINDOW_SECONDS = 3_600;

/** One completion at a price of its own: some dollars. */
function complete(
  server: TestServer,
  gateway: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const price = JSON.stringify({ per_token_in: 1, per_token_out: 1 });
  return echo(server, gateway, { 'cf-aig-custom-cost': price, ...headers });
}

onEachDatabase((database) => {
  let bench: LimitNodes;
  let server: TestServer;
  let nodes: TestServer[];
  before(async () => {
    bench = await startLimitNodes(database);
    ({ server, nodes } = bench);
  });
  after(() => bench.stop());

  const createGateway = (id: string, rule: object) => {
    const whole = { limit: 1, limitType: 'cost', window: WINDOW_SECONDS, ...rule };
    return bench.createGateway(id, { spend_limits: { enabled: true, rules: [whole] } });
  };

  const isRefused = async (node: TestServer, id: string, headers = {}): Promise<boolean> =>
    (await complete(node, id, headers)).status === 429;

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`${technique}: when the limit is spent, every node refuses until the window is over`, async () => {
      const id = `spend-${technique}`;
      await createGateway(id, { technique });
      assert.equal((await complete(server, id)).status, 200);
      for (const node of nodes) {
        // What a request has cost is counted after its answer.
        await eventually('the limit is reached', () => isRefused(node, id));
        const refused = await complete(node, id);
        assert.equal(refused.code ?? refused.json.error.code, 2011);
        const seconds = WINDOW_SECONDS + (technique === 'fixed' ? 0 : WINDOW_SECONDS / 30);
        assert.equal(refused.headers.get('retry-after'), String(seconds));
      }
      bench.clock.advance(WINDOW_SECONDS * 1_000 + WINDOW_SECONDS * 1_000);
      assert.equal((await complete(server, id)).status, 200);
    });
  }

  test('what costs nothing is never refused', async () => {
    await createGateway('free', {});
    const free = { 'cf-aig-custom-cost': JSON.stringify({ per_token_in: 0, per_token_out: 0 }) };
    for (let i = 0; i < 3; i++) {
      assert.equal((await complete(server, 'free', free)).status, 200);
    }
  });

  test('a budget for each value of a metadata key', async () => {
    await createGateway('teams', { metadata: { team: { mode: 'partition' } } });
    const team = (name: string) => ({ 'cf-aig-metadata': JSON.stringify({ team: name }) });
    assert.equal((await complete(server, 'teams', team('red'))).status, 200);
    await eventually('red has spent it', () => isRefused(server, 'teams', team('red')));
    assert.equal(await isRefused(server, 'teams', team('blue')), false);
    assert.equal(await isRefused(server, 'teams'), false);
  });
});
