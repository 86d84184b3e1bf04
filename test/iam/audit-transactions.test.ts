import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

/** The change and its row: both or none. */
onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database);
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const tokenBody = (name: string) => ({
    name,
    policies: [allowPolicy(server.accountId, ['tags.read'])],
  });

  /** The rows that something adds to the log. */
  async function addedBy(work: () => Promise<unknown>): Promise<AuditRow[]> {
    const rows = () => readAuditRows(server.app.database, server.accountId);
    const before = (await rows()).length;
    await work();
    return (await rows()).slice(before);
  }

  const named = async (name: string): Promise<number> =>
    (
      await server.app.database.read
        .selectFrom('api_tokens')
        .select('id')
        .where('name', '=', name)
        .execute()
    ).length;

  test('no row, no change', async (t) => {
    for (const [kind, table] of [
      ['insert', 'audit_logs'],
      ['update', 'audit_heads'],
    ] as const) {
      const restore = await refuseWrites(server.app.database, kind, table);
      t.after(restore);
      const added = await addedBy(async () => {
        const failed = await server.call('POST', tokens, { body: tokenBody(`no ${table}`) });
        assert.deepEqual([failed.status, failed.code], [500, 1000]);
      });
      assert.deepEqual(added, []);
      assert.equal(await named(`no ${table}`), 0);
      await restore();
      const [row, ...more] = await addedBy(() =>
        server.call('POST', tokens, { body: tokenBody(`no ${table}`) }),
      );
      assert.deepEqual([row?.action_type, more], ['create', []]);
    }
  });

  test('no change, no row: also when the row was written first', async (t) => {
    const restore = await refuseWrites(server.app.database, 'update', 'idempotency_keys');
    t.after(restore);
    const added = await addedBy(async () => {
      const failed = await server.call('POST', tokens, {
        headers: { 'idempotency-key': 'fails late' },
        body: tokenBody('fails late'),
      });
      assert.equal(failed.status, 500);
    });
    assert.deepEqual(added, []);
    assert.equal(await named('fails late'), 0);
    await restore();
  });

  test('a refusal within the transaction leaves no row of the change', async () => {
    const body = gatewayBody('twice');
    const path = `${server.account}/ai-gateway/gateways`;
    await server.call('POST', path, { body });
    const added = await addedBy(async () => {
      assert.equal((await server.call('POST', path, { body })).status, 400);
    });
    assert.deepEqual(added, []);
  });
});
