import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { allMigrations, migrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { echo } from '../gateway/limit-nodes.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type TestServer, bootServer, newInstallation } from '../support/server.ts';

const NODES = 3;
/** As an installation had it that knew neither OAuth nor logs of the gateway. */
const OLD_MIGRATIONS = migrations.slice(0, 7);
// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 20_000;

describe('three nodes that start at the same moment on the database of an older version', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
  const nodes: TestServer[] = [];
  let first: TestServer;
  before(async () => {
    postgres = await createPostgresDatabase();
    const old = openPostgres(postgres.url, assert.fail);
    await migrate(old, systemClock, OLD_MIGRATIONS);
    // A migration of one node must not be that of another: whoever writes a name twice is refused.
    await sql`create table migration_runs (name text primary key)`.execute(old.writer);
    await sql`
      create function note_run() returns trigger language plpgsql as $$
      begin insert into migration_runs values (new.name); return new; end $$`.execute(old.writer);
    await sql`
      create trigger note_run after insert on schema_migrations
      for each row execute function note_run()`.execute(old.writer);
    await old.close();
    const besides = newInstallation(postgres.url);
    const boots = Array.from({ length: NODES }, async () => {
      nodes.push(await bootServer('postgres', { besides }));
    });
    // Those that come up are stopped, whatever becomes of the others.
    await Promise.allSettled(boots);
    await Promise.all(boots);
    first = nodes[0] as TestServer;
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await postgres.drop();
  });

  test('all come up; each migration ran once, and one set up the installation', async () => {
    const { read } = first.app.database;
    const { rows } = await sql<{ name: string }>`select name from migration_runs`.execute(read);
    const left = allMigrations.slice(OLD_MIGRATIONS.length).map(({ name }) => name);
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), left.toSorted());
    assert.equal(nodes.filter(({ app }) => app.firstStart !== undefined).length, 1);
    for (const node of nodes) {
      assert.equal((await node.call('GET', `${node.account}/tokens`)).status, 200);
    }
  });

  test('what one revokes, both others refuse', async () => {
    const { id, value } = await first.createToken(['api-tokens.read']);
    const statusOn = async (node: TestServer): Promise<number> =>
      (await node.call('GET', `${node.account}/tokens`, { token: value })).status;
    for (const node of nodes) assert.equal(await statusOn(node), 200);
    assert.equal((await first.call('DELETE', `${first.account}/tokens/${id}`)).status, 200);
    await Promise.all(
      nodes.map((node) =>
        eventually('it is refused', async () => (await statusOn(node)) === 401, PATIENCE_MS),
      ),
    );
  });

  for (const technique of ['fixed', 'sliding'] as const) {
    test(`a ${technique} limit is one for all, however many ask at once`, async () => {
      const limit = 20;
      const fields = {
        // So long that no window ends meanwhile.
        rate_limiting_interval: 86_400,
        rate_limiting_limit: limit,
        rate_limiting_technique: technique,
      };
      const path = `${first.account}/ai-gateway/gateways`;
      const created = await first.call('POST', path, { body: gatewayBody(technique, fields) });
      assert.equal(created.status, 200, created.text);
      const statuses = await Promise.all(
        nodes.flatMap((node) =>
          Array.from({ length: limit }, async () => (await echo(node, technique)).status),
        ),
      );
      const passed = statuses.filter((status) => status === 200).length;
      assert.ok(passed > 0 && passed <= limit, String(passed));
      assert.equal(statuses.filter((status) => status === 429).length, statuses.length - passed);
      // What one node has leased and does not need, is not lost: others wait for nothing else.
      for (let i = passed; i < limit; i++) {
        const answers = await Promise.all(nodes.map((node) => echo(node, technique)));
        i += answers.filter(({ status }) => status === 200).length - 1;
      }
      for (const node of nodes) assert.equal((await echo(node, technique)).status, 429);
    });
  }
});
