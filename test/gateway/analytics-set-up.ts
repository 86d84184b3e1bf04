import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { LogRow } from '../../src/request-log/record.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import type { TestDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
  createDataDir,
} from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { logRecord, openLogStore } from './log-records.ts';

/** Neither a day nor an hour begins then. */
export const NOON_MS = Date.UTC(2026, 5, 15, 12, 30, 20, 500);

/** What an exchange is like, and how long before now it came in. */
export type Logged = Partial<LogRow> & { agoMs?: number };

/** A server with gateways whose logs a test writes itself. */
export interface AnalyticsBench {
  server: TestServer;
  dataDir: string;
  clock: ManualClock;
  logStore: LogStore;
  createGateway(id: string): Promise<void>;
  /** Writes logs of a gateway. */
  log(gatewayId: string, ...rows: Logged[]): Promise<void>;
  /** Asks about a gateway, or about all; with the token of the server unless another is given. */
  ask(gatewayId: string | undefined, query?: string, token?: string): Promise<Answer>;
  /** The same, which is answered. */
  analytics(gatewayId: string | undefined, query?: string, token?: string): Promise<Json>;
  /** A token with policies: `effect` and permissions on the account, or on one gateway. */
  createToken(
    ...policies: [effect: string, slugs: string[], gatewayId?: string][]
  ): Promise<string>;
  stop(): Promise<void>;
}

export async function startAnalytics(
  database: TestDatabase,
  gatewayIds: readonly string[] = ['main'],
): Promise<AnalyticsBench> {
  // The gateways were made a year before anything is logged.
  const clock = new ManualClock(NOON_MS - 366 * 86_400_000);
  const dataDir = await createDataDir();
  const server = await bootServer(database, { clock, dataDir });
  const logStore = openLogStore(server, dataDir, clock);
  const { account, accountId } = server;
  const createdAt = new Map<string, number>();
  const ask: AnalyticsBench['ask'] = (gatewayId, query = '', token = server.token) => {
    const where = gatewayId === undefined ? '' : `/gateways/${gatewayId}`;
    return server.call('GET', `${account}/ai-gateway${where}/analytics${query}`, { token });
  };
  const bench: AnalyticsBench = {
    server,
    dataDir,
    clock,
    logStore,
    async createGateway(id) {
      const body = gatewayBody(id);
      const { status, json } = await server.call('POST', `${account}/ai-gateway/gateways`, {
        body,
      });
      assert.equal(status, 200);
      createdAt.set(id, Date.parse(json.result.created_at));
    },
    async log(gatewayId, ...rows) {
      const records = rows.map(({ agoMs = 0, ...row }) =>
        logRecord(accountId, gatewayId, clock.now() - agoMs, {
          row: { gateway_created_at: createdAt.get(gatewayId) ?? 0, ...row },
        }),
      );
      await logStore.insert(records);
    },
    ask,
    async analytics(gatewayId, query, token) {
      const { status, json, text } = await ask(gatewayId, query, token);
      assert.equal(status, 200, text);
      return json.result;
    },
    async createToken(...policies) {
      const created = await server.call('POST', `${account}/tokens`, {
        body: {
          name: 'limited',
          policies: policies.map(([effect, slugs, gatewayId]) => ({
            ...allowPolicy(accountId, slugs, gatewayId),
            effect,
          })),
        },
      });
      assert.equal(created.status, 200, created.text);
      return created.json.result.value;
    },
    async stop() {
      await logStore.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  for (const id of gatewayIds) await bench.createGateway(id);
  clock.advance(NOON_MS - clock.now());
  return bench;
}

/** The totals of the groups, in their order, by what they stand for. */
export function requestsOf(result: Json): [value: string | null, requests: number][] {
  return result.groups.map(({ value, is_other: isOther, totals }: Json) => [
    isOther === true ? '(other)' : value,
    totals.requests,
  ]);
}
