import { CompiledQuery } from 'kysely';
import type { Database } from '../../src/storage/database.ts';

/**
 * From now on the database refuses one kind of write, so that a transaction fails half-way.
 * @param condition SQL on the row as it would be, `new`; only such rows are refused
 * @returns what ends that
 */
export async function refuseWrites(
  database: Database,
  kind: 'insert' | 'update',
  table: string,
  condition = 'true',
): Promise<() => Promise<void>> {
  const run = (...statements: string[]): Promise<void> =>
    database.transaction(async (tx) => {
      for (const statement of statements) await tx.executeQuery(CompiledQuery.raw(statement));
    });
  if (database.dialect === 'sqlite') {
    await run(
      `create trigger refuse_writes before ${kind} on ${table} when ${condition}
       begin select raise(abort, 'refused by the test'); end`,
    );
    return () => run('drop trigger if exists refuse_writes');
  }
  await run(
    `create or replace function refuse_write() returns trigger language plpgsql
     as $$ begin raise exception 'refused by the test'; end $$`,
    `create trigger refuse_writes before ${kind} on ${table}
     for each row when (${condition}) execute function refuse_write()`,
  );
  return () => run(`drop trigger if exists refuse_writes on ${table}`);
}
