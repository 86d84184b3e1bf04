import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '../../src/storage/schema.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer } from '../support/server.ts';

/** `table(column, …)` of each reference, and of each index or key. */
interface Columns {
  references: string[];
  indexes: string[];
}

async function readSqlite(db: Db): Promise<Columns> {
  const list = async (query: ReturnType<typeof sql<{ text: string }>>) =>
    (await query.execute(db)).rows.map(({ text }) => text);
  return {
    references: await list(sql`
      select name || '(' || columns as text from (
        select t.name, group_concat(f."from", ',' order by f.seq) as columns
        from sqlite_master t, pragma_foreign_key_list(t.name) f
        where t.type = 'table' group by t.name, f.id
      )`),
    indexes: await list(sql`
      select name || '(' || columns as text from (
        select t.name, group_concat(c.name, ',' order by c.seqno) as columns
        from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        where t.type = 'table' and i.partial = 0 group by t.name, i.name
      )`),
  };
}

async function readPostgres(db: Db): Promise<Columns> {
  const { rows } = await sql<{ kind: 'r' | 'i'; text: string }>`
    select 'r' as kind, conrelid::regclass || '(' || (
      select string_agg(attname, ',' order by place)
      from unnest(conkey) with ordinality as k(number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
    ) as text
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    union all
    select 'i', indrelid::regclass || '(' || (
      select string_agg(attname, ',' order by place)
      from unnest(indkey::int2[]) with ordinality as k(number, place)
      join pg_attribute on attrelid = indrelid and attnum = number
    )
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indpred is null
  `.execute(db);
  const of = (wanted: 'r' | 'i') => rows.filter(({ kind }) => kind === wanted);
  return {
    references: of('r').map(({ text }) => text),
    indexes: of('i').map(({ text }) => text),
  };
}

onEachDatabase((database) => {
  test('to delete what others refer to reads no whole table: references begin an index', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const { read } = server.app.database;
    const { references, indexes } = await (database === 'sqlite' ? readSqlite : readPostgres)(read);
    assert.ok(references.includes('oauth_families(grant_id'), references.join('\n'));
    const bare = references.filter(
      (reference) => !indexes.some((index) => `${index},`.startsWith(`${reference},`)),
    );
    assert.deepEqual(bare, []);
  });
});
