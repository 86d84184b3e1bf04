import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyAuditLog } from '../../src/iam/audit/verify-log.ts';
import { openDatabaseForReading } from '../../src/storage/database.ts';
import { eventually } from '../support/eventually.ts';
import type { PostgresPair } from '../support/postgres-pair.ts';
import { allowPolicy, request } from '../support/server.ts';
import { readStoredLogs, storedIds } from '../support/stored-logs.ts';
import type { LoadedInstallation, LoadedNode, NodeLoad } from './node-load.ts';

/** What a failover was like. */
export interface Failover {
  /** Acknowledged before the primary died, and since there is another one. */
  changesBefore: number;
  changesAfter: number;
  refusals: number;
  /** From the promotion to the first change that each node acknowledged. */
  backMs: number[];
}

export interface FailoverOptions {
  /** Before the primary goes, and after the service is back. */
  changesPerNode: number;
  /** How long there is no primary. */
  outageMs: number;
  /** Its connections end, or nothing comes from it any more. */
  how: 'killed' | 'silent';
}

const BACK_MS = 60_000;
// The promise is one second; the rest is for a machine with much else to do.
const REVOKED_MS = 20_000;

async function isReady({ origin }: LoadedNode): Promise<boolean> {
  return (await request('GET', `${origin}/readyz`)).status === 200;
}

/**
 * Ends the primary while all nodes write, promotes the standby, and waits until all nodes write again.
 */
export async function failOver(
  pair: PostgresPair,
  nodes: readonly LoadedNode[],
  load: NodeLoad,
  { changesPerNode, outageMs, how }: FailoverOptions,
): Promise<Failover> {
  const startChanges = load.changes;
  const startRefusals = load.refusals;
  await load.progress(changesPerNode, BACK_MS);
  await (how === 'killed' ? pair.killPrimary() : pair.silencePrimary());
  const diedMs = performance.now();
  for (const node of nodes) {
    const isNotReady = async (): Promise<boolean> => !(await isReady(node));
    await eventually(`${node.name} says that it is not ready`, isNotReady, BACK_MS);
  }
  const changesBefore = load.changes - startChanges;
  await delay(Math.max(0, outageMs - (performance.now() - diedMs)));
  await pair.promote();
  const promotedMs = performance.now();
  const backMs = await Promise.all(
    nodes.map(async (node) => {
      const isBack = async (): Promise<boolean> =>
        (load.lastChangeMs.get(node.name) ?? 0) > promotedMs;
      await eventually(`${node.name} takes changes again`, isBack, BACK_MS);
      return (load.lastChangeMs.get(node.name) ?? 0) - promotedMs;
    }),
  );
  for (const node of nodes) {
    await eventually(`${node.name} says that it is ready`, () => isReady(node), BACK_MS);
  }
  await load.progress(changesPerNode, BACK_MS);
  await pair.endSilent();
  return {
    changesBefore,
    changesAfter: load.changes - startChanges - changesBefore,
    refusals: load.refusals - startRefusals,
    backMs,
  };
}

/**
 * Everything that was acknowledged is there, all nodes say the same, and the books are in order.
 * @param url of the database
 */
export async function assertNothingLost(
  nodes: readonly LoadedNode[],
  load: NodeLoad,
  url: string,
): Promise<void> {
  const [first, ...others] = await Promise.all(nodes.map(({ name }) => load.assertKept(name)));
  for (const other of others) assert.deepEqual(other, first);
  await assertAuditVerifies(url);
  await eventually(
    'every request that was answered is in the log',
    async () => {
      const ids = await readStoredLogs({ dataDir: '', postgresUrl: url }, storedIds);
      return load.acknowledged.logIds.every((id) => ids.has(id));
    },
    BACK_MS,
  );
}

/** A token that one node revokes is refused by the others. @returns after how long the last one did */
export async function revokeEverywhere(
  nodes: readonly LoadedNode[],
  load: NodeLoad,
  { accountId }: LoadedInstallation,
): Promise<number> {
  const [first, ...others] = nodes;
  assert.ok(first);
  const tokens = `/client/v4/accounts/${accountId}/tokens`;
  const body = { name: 'revoked', policies: [allowPolicy(accountId, ['api-tokens.read'])] };
  const made = await load.call(first.name, 'POST', tokens, { body });
  assert.ok(made, 'there is no service');
  const { id, value } = made.json.result;
  const statusOn = async ({ name }: LoadedNode): Promise<number | undefined> =>
    (await load.call(name, 'GET', `${tokens}/permission_groups`, { token: value }))?.status;
  for (const node of nodes) assert.equal(await statusOn(node), 200);
  assert.equal((await load.call(first.name, 'DELETE', `${tokens}/${id}`))?.status, 200);
  const revokedMs = performance.now();
  assert.equal(await statusOn(first), 401);
  for (const node of others) {
    const isRefused = async (): Promise<boolean> => (await statusOn(node)) === 401;
    await eventually(`${node.name} refuses it`, isRefused, REVOKED_MS);
  }
  return performance.now() - revokedMs;
}

async function assertAuditVerifies(url: string): Promise<void> {
  const database = openDatabaseForReading({ databaseUrl: url, dataDir: '' }, (error) => {
    throw error;
  });
  try {
    let rows = 0;
    for await (const chain of verifyAuditLog(database.read, () => {})) {
      assert.equal(chain.fault, undefined);
      rows += chain.rows;
    }
    assert.ok(rows > 0);
  } finally {
    await database.close();
  }
}
