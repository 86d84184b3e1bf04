import assert from 'node:assert/strict';
import type { Selectable } from 'kysely';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { createId } from '../../src/lib/ids.ts';
import type { GatewayProviderConfigsTable } from '../../src/storage/gateway-tables.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import type { TestDatabase } from '../support/databases.ts';
import { type Answer, type CallOptions, type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../support/upstream-process.ts';
import { gatewayBody } from './gateway-bodies.ts';

let count = 0;

/** A name that no other test of the file uses. */
export const freshName = (): string => `g${++count}`;

/** A key that no other test stores. */
export const newSecret = (): string => `sk-${createId()}`;

/** A body that stores a key. */
export const validKey = (fields: object = {}) => ({
  alias: 'main',
  default_config: true,
  provider_slug: 'openai',
  secret: newSecret(),
  ...fields,
});

/** A server whose provider `openai` is a process that remembers what it was shown. */
export interface KeyBench {
  server: TestServer;
  upstream: Upstream;
  /** For another node. */
  settings: Record<string, string>;
  /** Path of the gateways. */
  gateways: string;
  newGateway(fields?: object): Promise<string>;
  /** Path of the stored keys of a gateway. */
  configs(gateway: string): string;
  store(gateway: string, fields?: object, options?: CallOptions): Promise<Answer>;
  rowsOf(gateway: string): Promise<Selectable<GatewayProviderConfigsTable>[]>;
  /** One request to the provider. */
  run(
    gateway: string,
    headers?: Record<string, string>,
    at?: TestServer,
    token?: string | null,
  ): Promise<Answer>;
  /** The `Authorization` that the provider was shown last. */
  shown(): Promise<string | undefined>;
  lastAudit(): Promise<AuditRow | undefined>;
  stop(): Promise<void>;
}

export async function startKeyBench(database: TestDatabase): Promise<KeyBench> {
  const upstream = await startUpstream();
  const settings = { PROVIDER_OPENAI_BASE_URL: upstream.baseUrl };
  const server = await bootServer(database, { settings });
  const gateways = `${server.account}/ai-gateway/gateways`;
  const configs = (gateway: string): string => `${gateways}/${gateway}/provider_configs`;
  return {
    server,
    upstream,
    settings,
    gateways,
    async newGateway(fields = {}) {
      const id = freshName();
      const body = gatewayBody(id, fields);
      assert.equal((await server.call('POST', gateways, { body })).status, 200);
      return id;
    },
    configs,
    store: (gateway, fields = {}, options = {}) =>
      server.call('POST', configs(gateway), { body: validKey(fields), ...options }),
    rowsOf: (gateway) =>
      server.app.database.read
        .selectFrom('gateway_provider_configs')
        .selectAll()
        .where('gateway_id', '=', gateway)
        .execute(),
    run: (gateway, headers = {}, at = server, token = at.token) =>
      at.call('POST', `${at.account}/ai/v1/chat/completions`, {
        token,
        headers: { 'cf-aig-gateway-id': gateway, ...headers },
        body: { model: 'openai/plain', messages: [{ role: 'user', content: 'x' }] },
      }),
    shown: async () => headerOf(await upstream.lastSent(), 'authorization'),
    lastAudit: async () => (await readAuditRows(server.app.database, server.accountId)).at(-1),
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
}
