import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { createId } from '../../src/lib/ids.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { type Installation, bootServer, newInstallation } from '../support/server.ts';

const LIMIT = 8;
const REQUESTS = 60;

describe('the connections of a node to PostgreSQL', () => {
  const role = `role_${createId()}`;
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let admin: pg.Client;
  let installation: Installation;
  before(async () => {
    postgres = await createPostgresDatabase();
    admin = new pg.Client(postgres.url);
    await admin.connect();
    await admin.query(`create role ${role} login password 'right' connection limit ${LIMIT}`);
    await admin.query(`grant create, usage on schema public to ${role}`);
    const place = new URL(postgres.url);
    place.username = role;
    place.password = 'right';
    installation = newInstallation(place.href);
  });
  after(async () => {
    await admin.query(`drop owned by ${role}`);
    await admin.query(`drop role ${role}`);
    await admin.end();
    await postgres.drop();
  });

  async function countConnections(): Promise<number> {
    const { rows } = await admin.query<{ count: number }>(
      'select count(*)::integer as count from pg_stat_activity where usename = $1',
      [role],
    );
    return rows[0]?.count ?? 0;
  }

  /** The status codes of parallel requests that read and write, and the connections during them. */
  async function load(settings: Record<string, string>) {
    const server = await bootServer('postgres', { besides: installation, settings });
    try {
      const before = await countConnections();
      const requests = Array.from({ length: REQUESTS }, (_, index) =>
        index % 2 === 0
          ? server.call('GET', `${server.account}/members`)
          : server.call('POST', `${server.account}/ai-gateway/gateways`, {
              body: gatewayBody(createId()),
            }),
      );
      const statuses = new Set((await Promise.all(requests)).map(({ status }) => status));
      return { statuses: [...statuses], added: (await countConnections()) - before };
    } finally {
      await server.stop();
    }
  }

  test('requests wait for a connection when the role has no more of them', async () => {
    const { statuses, added } = await load({});
    assert.deepEqual(statuses, [200]);
    assert.ok(added > 0, 'the limit of the role must be the bottleneck');
  });

  test('the pool opens at most as many connections as the setting allows', async () => {
    await admin.query(`alter role ${role} connection limit -1`);
    for (const size of [1, 3]) {
      const { statuses, added } = await load({ DATABASE_POOL_SIZE: `${size}` });
      assert.deepEqual(statuses, [200]);
      // The node has opened at least one of them during its start.
      assert.ok(added < size, `${added} more connections with a pool of ${size}`);
    }
  });
});
