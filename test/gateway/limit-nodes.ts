import assert from 'node:assert/strict';
import type { TestDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

/** The nodes of one installation, on one clock: an embedded database has one. */
export interface LimitNodes {
  clock: ManualClock;
  /** The first of the nodes. */
  server: TestServer;
  nodes: TestServer[];
  createGateway(id: string, fields: object): Promise<void>;
  stop(): Promise<void>;
}

export async function startLimitNodes(database: TestDatabase): Promise<LimitNodes> {
  const clock = new ManualClock();
  const server = await bootServer(database, { clock });
  const nodes = [server];
  if (database === 'postgres') nodes.push(await bootServer(database, { clock, besides: server }));
  return {
    clock,
    server,
    nodes,
    async createGateway(id, fields) {
      const body = gatewayBody(id, fields);
      const path = `${server.account}/ai-gateway/gateways`;
      assert.equal((await server.call('POST', path, { body })).status, 200);
    },
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}

/** One completion of the echo model. */
export function echo(
  server: TestServer,
  gateway: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    headers: { 'cf-aig-gateway-id': gateway, ...headers },
    body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
  });
}
