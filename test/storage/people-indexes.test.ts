import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  test('what is looked for by person or by its end has an index', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const query =
      database === 'sqlite'
        ? sql<{
            definition: string;
          }>`select sql as definition from sqlite_master where type = 'index' and sql is not null`
        : sql<{
            definition: string;
          }>`select indexdef as definition from pg_indexes where schemaname = 'public'`;
    const { rows } = await query.execute(server.app.database.read);
    const indexes = rows.map(({ definition }) =>
      definition
        .replaceAll('"', '')
        .replace(/^create/i, '')
        .replace('public.', '')
        .toLowerCase(),
    );
    for (const [table, column] of [
      ['one_time_secrets', 'user_id'],
      ['one_time_secrets', 'expires_at'],
      ['sessions', 'expires_at'],
      ['sessions', 'user_id'],
      ['external_identities', 'user_id'],
    ] as const) {
      const isOn = new RegExp(` on ${table} (using btree )?\\(${column}[,)]`);
      assert.ok(
        indexes.some((index) => isOn.test(index)),
        `${table} by ${column} in ${indexes.join('\n')}`,
      );
    }
  });
});
