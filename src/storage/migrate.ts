import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Dialect } from './dialect.ts';
import { allMigrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { Db } from './schema.ts';

/**
 * Brings the schema up to date. Any number of nodes may do this at the same moment: each migration
 * is one transaction that begins by inserting its own name, so the primary key lets one node in and
 * makes the others wait for its commit. That needs no advisory lock, which distributed databases lack.
 * @returns the names of the migrations that this call ran
 * @throws when the database was written by a newer version
 */
export async function migrate(
  dialect: Dialect,
  clock: Clock,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { writer, traits } = dialect;
  await createMigrationsTable(dialect);
  const known = new Set(allMigrations.map((migration) => migration.name));
  const applied = await writer.selectFrom('schema_migrations').select('name').execute();
  const unknown = applied.find((row) => !known.has(row.name));
  if (unknown !== undefined) {
    throw new Error(
      `the database was written by a newer version of latchkey (it has migration ${unknown.name})`,
    );
  }
  const appliedNames = new Set(applied.map((row) => row.name));
  const ran: string[] = [];
  for (const migration of migrations) {
    if (appliedNames.has(migration.name)) continue;
    const won = await writer.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('schema_migrations')
        .values({ name: migration.name, applied_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) return false;
      await migration.up(tx, traits);
      return true;
    });
    if (won) ran.push(migration.name);
  }
  return ran;
}

/**
 * Whether the database has just these migrations, so that there is nothing for {@link migrate} to do
 * or to say.
 */
export async function isUpToDate(db: Db, migrations: readonly Migration[]): Promise<boolean> {
  try {
    const applied = await db.selectFrom('schema_migrations').select('name').execute();
    const names = new Set(applied.map(({ name }) => name));
    return names.size === migrations.length && migrations.every(({ name }) => names.has(name));
  } catch {
    // There is no table yet; any other failure comes again.
    return false;
  }
}

async function createMigrationsTable(dialect: Dialect): Promise<void> {
  const create = (db: Db): Promise<void> =>
    db.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('name', dialect.traits.text, (column) => column.primaryKey())
      .addColumn('applied_at', sql`bigint`, (column) => column.notNull())
      .execute();
  try {
    await create(dialect.writer);
  } catch {
    // PostgreSQL: sessions that create the same table at once collide in its catalogue, under one of
    // several codes. The other one is done by then; any other failure comes again.
    await create(dialect.writer);
  }
}
