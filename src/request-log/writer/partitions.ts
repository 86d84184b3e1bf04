import { sql } from 'kysely';
import { leastUuidV7, timeOfUuidV7 } from '../../lib/ids.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

/**
 * The growing tables are partitioned on PostgreSQL by id, and so by time: one partition per day in UTC. Creating, attaching and
 * detaching one takes no lock that blocks readers or writers.
 */
const TABLES = ['gateway_log_entries', 'gateway_log_bodies', 'gateway_log_metadata'] as const;
const ENTRIES = TABLES[0];
/** The partition of rows from before there were partitions, instead of a day. */
const BEFORE = 'before';

const DAY_MS = 86_400_000;
// From yesterday, because clocks differ, until after a weekend without periodic jobs.
const DAYS_BEHIND = 1;
const DAYS_AHEAD = 3;
// A statement that waits for a lock on a table blocks all later ones.
const LOCK_TIMEOUT_MS = 2_000;

interface Partition {
  /** `20261120`, or `before` for rows from before there were partitions. */
  day: string;
  /** All of its rows are older. */
  untilMs: number;
  /** Detaching has started and not ended. */
  isLeaving: boolean;
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Opens the database for long statements. */
export type OpenMaintenanceConnection = () => Dialect;

/** Creates the partitions of today and of the days around it, and completes interrupted work. */
export async function preparePartitions(
  database: Dialect,
  openMaintenanceConnection: OpenMaintenanceConnection,
  nowMs: number,
): Promise<void> {
  await finishDrops(openMaintenanceConnection, await listUnfinished(database.reader));
  const days = DAYS_BEHIND + 1 + DAYS_AHEAD;
  await makePartitions(
    database,
    openMaintenanceConnection,
    Array.from({ length: days }, (_, index) => nowMs + (index - DAYS_BEHIND) * DAY_MS),
  );
}

/** Creates the missing partitions for these times. */
export async function makePartitions(
  database: Dialect,
  openMaintenanceConnection: OpenMaintenanceConnection,
  timesMs: Iterable<number>,
): Promise<void> {
  const starts = new Set([...timesMs].map((timeMs) => Math.floor(timeMs / DAY_MS) * DAY_MS));
  for (const startMs of [...starts].sort((a, b) => a - b)) {
    if (await isCovered(database.reader, startMs)) continue;
    // A remaining table of an interrupted run has this name.
    const left = (await listUnfinished(database.reader)).filter(
      (day) => day === dayOf(startMs) || day === BEFORE,
    );
    await finishDrops(openMaintenanceConnection, left);
    try {
      await database.transact((tx) => makePartition(tx, startMs));
    } catch (error) {
      // Another node was faster.
      if (!(await isCovered(database.reader, startMs))) throw error;
    }
  }
}

async function makePartition(tx: Transaction, startMs: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
  const from = sql.lit(leastUuidV7(startMs));
  const to = sql.lit(leastUuidV7(startMs + DAY_MS));
  for (const table of TABLES) {
    const partition = sql.table(`${table}_${dayOf(startMs)}`);
    await sql`create table ${partition} (like ${sql.table(table)} including all)`.execute(tx);
    // Unlike CREATE TABLE … PARTITION OF, this blocks no other statement.
    await sql`
      alter table ${sql.table(table)} attach partition ${partition}
      for values from (${from}) to (${to})`.execute(tx);
  }
}

/** Returns for each table if a day has a partition. */
async function isCovered(db: Db, startMs: number): Promise<boolean> {
  for (const table of TABLES) {
    const partitions = await listPartitions(db, table);
    const partition = partitions.find(
      ({ day, untilMs }) => day === dayOf(startMs) || (day === BEFORE && untilMs > startMs),
    );
    if (partition === undefined || partition.isLeaving) return false;
  }
  return true;
}

/** Returns the partitions of a table, the oldest first. */
async function listPartitions(db: Db, table: string): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string; isLeaving: boolean }>`
    select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bound,
      inhdetachpending as "isLeaving"
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${sql.lit(table)}::regclass`.execute(db);
  return rows
    .map(({ name, bound, isLeaving }) => {
      const [, until = ''] = /TO \('([0-9a-f-]{36})'\)/.exec(bound) ?? [];
      const day = name.slice(table.length + 1);
      return { day, untilMs: timeOfUuidV7(until), isLeaving };
    })
    .sort((a, b) => a.untilMs - b.untilMs);
}

/**
 * Drops one partition, with its bodies and metadata, if all of its rows are older than a time, and subtracts its rows from the
 * counts. Continues after a crash.
 * @param database for long statements, because counting the rows of a day takes a while
 * @returns true if there may be more
 */
export async function dropOldPartition(database: Dialect, beforeMs: number): Promise<boolean> {
  const partitions = await listPartitions(database.reader, ENTRIES);
  const old = partitions.find(({ untilMs }) => untilMs <= beforeMs);
  if (old !== undefined) await dropDay(database, old.day);
  for (const day of await listUnfinished(database.reader)) await dropDay(database, day);
  return old !== undefined;
}

async function finishDrops(
  openMaintenanceConnection: OpenMaintenanceConnection,
  days: readonly string[],
): Promise<void> {
  if (days.length === 0) return;
  const patient = openMaintenanceConnection();
  try {
    for (const day of days) await dropDay(patient, day);
  } finally {
    await patient.close();
  }
}

async function dropDay(database: Dialect, day: string): Promise<void> {
  try {
    // Rows are last, because their age identifies the partition while they are in the table.
    for (const table of TABLES.toReversed()) await detach(database, table, `${table}_${day}`);
    await database.transact((tx) => dropDetached(tx, day));
  } catch (error) {
    // Another node was faster.
    if (await isThere(database.reader, day)) throw error;
  }
}

/** Detaches a partition, unless it is detached. */
async function detach({ writer }: Dialect, table: string, partition: string): Promise<void> {
  const { rows } = await sql<{ isLeaving: boolean }>`
    select inhdetachpending as "isLeaving"
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${sql.lit(table)}::regclass and relname = ${partition}`.execute(writer);
  const [state] = rows;
  if (state === undefined) return;
  const how = state.isLeaving ? sql`finalize` : sql`concurrently`;
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(partition)} ${how}`.execute(
    writer,
  );
}

/** Returns the days whose drop was interrupted: one of their partitions is detached. */
async function listUnfinished(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct substring(relname from '[^_]+$') as day
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and (not relispartition or inhdetachpending)
      and relname ~ '^gateway_log_(entries|bodies|metadata)_([0-9]{8}|before)$'
    order by day`.execute(db);
  return rows.map(({ day }) => day);
}

async function isThere(db: Db, day: string): Promise<boolean> {
  const names = TABLES.map((table) => `${table}_${day}`);
  const { rows } = await sql`
    select 1 from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join(names)})
    limit 1`.execute(db);
  return rows.length > 0;
}

async function dropDetached(tx: Transaction, day: string): Promise<void> {
  // Another node that does the same finds no rows, and does not subtract them twice.
  await sql`lock table ${sql.table(`${ENTRIES}_${day}`)} in access exclusive mode`.execute(tx);
  await sql`
    create temporary table dropped_logs on commit drop as
    select account_id, gateway_id, context_id, count(*) as log_count
    from ${sql.table(`${ENTRIES}_${day}`)} group by account_id, gateway_id, context_id`.execute(tx);
  const ofContext = sql`kept.account_id = dropped.account_id and kept.gateway_id = dropped.gateway_id
    and kept.context_id = dropped.context_id`;
  await lockDropped(tx);
  await sql`
    update gateway_log_gateways as kept set log_count = kept.log_count - dropped.log_count
    from (
      select account_id, gateway_id, cast(sum(log_count) as bigint) as log_count
      from dropped_logs group by account_id, gateway_id
    ) as dropped
    where kept.account_id = dropped.account_id and kept.gateway_id = dropped.gateway_id
  `.execute(tx);
  await sql`
    update gateway_log_contexts as kept set log_count = kept.log_count - dropped.log_count
    from dropped_logs as dropped where ${ofContext}`.execute(tx);
  await sql`
    delete from gateway_log_contexts as kept using dropped_logs as dropped
    where ${ofContext} and kept.log_count <= 0`.execute(tx);
  for (const table of TABLES) {
    await sql`drop table if exists ${sql.table(`${table}_${day}`)}`.execute(tx);
  }
}

/** Compares by the order of locks on gateways. */
async function lockDropped(tx: Transaction): Promise<void> {
  await sql`
    select 1 from gateway_log_gateways as kept
    where exists (
      select 1 from dropped_logs as dropped
      where kept.account_id = dropped.account_id and kept.gateway_id = dropped.gateway_id
    )
    order by account_id, gateway_id for update`.execute(tx);
}
