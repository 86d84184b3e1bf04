import { type RawBuilder, sql } from 'kysely';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * The gateway's logs in a form that holds tens of millions of rows and finds among them (see
 * src/storage/log-tables.ts for the columns).
 *
 * - `gateway_log_gateways` and `gateway_log_contexts` count their rows, so that nobody has to.
 * - `gateway_log_entries` keeps a gateway's rows in the order of time, since a UUIDv7 begins with it.
 *   The one index on it finds the rows of a context, newest first; those of an event and those that
 *   somebody has judged are few, and have small ones of their own.
 * - Bodies, metadata and sums (`gateway_log_rollups`) stand apart, so that a list reads none of them.
 *
 * On PostgreSQL the tables that grow are partitioned by time, one partition a day: old logs go with
 * their partition. What was there before this migration is in one partition of its own.
 */
export const logStore: Migration = {
  name: 'logs-0003-log-store',
  async up(tx, traits) {
    await createGateways(tx, traits);
    await createContexts(tx, traits);
    await createEntries(tx, traits);
    await createBodies(tx, traits);
    await createMetadata(tx, traits);
    await createRollups(tx, traits);
    if (traits.name === 'postgres') await partitionUntilTomorrow(tx);
    await moveRows(tx, traits);
    await tx.schema.dropTable('gateway_logs').execute();
  },
};

const SCOPES = {
  sqlite: ['gateway_key'],
  postgres: ['account_id', 'gateway_id'],
} as const;

/** The columns that name a gateway, and the type of a log's id. */
function scopeOf({ name, text }: DialectTraits) {
  const isSqlite = name === 'sqlite';
  const type: RawBuilder<unknown> = isSqlite ? sql`integer` : text;
  return {
    keys: SCOPES[name],
    columns: SCOPES[name].map((column) => sql`${sql.ref(column)} ${type} not null`),
    id: isSqlite ? sql`blob` : sql`uuid`,
    bytes: isSqlite ? sql`blob` : sql`bytea`,
    /** Appended to CREATE TABLE of what grows with every row. */
    byTime: isSqlite ? sql`without rowid` : sql`partition by range (id)`,
  };
}

async function createGateways(tx: Transaction, { name, text }: DialectTraits): Promise<void> {
  const isSqlite = name === 'sqlite';
  // A number that is free again would lead whoever still has it to another's logs.
  const key = isSqlite ? sql`gateway_key integer primary key autoincrement,` : sql``;
  const unique = isSqlite ? sql`unique` : sql`primary key`;
  await sql`
    create table gateway_log_gateways (
      ${key}
      account_id ${text} not null,
      gateway_id ${text} not null,
      log_count bigint not null,
      ${unique} (account_id, gateway_id)
    )`.execute(tx);
}

async function createContexts(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { keys, columns } = scopeOf(traits);
  const { text, clustered } = traits;
  await sql`
    create table gateway_log_contexts (
      ${sql.join(columns)},
      context_id bigint not null,
      provider ${text} not null,
      model ${text} not null,
      model_type ${text},
      path ${text} not null,
      request_type ${text} not null,
      request_content_type ${text},
      response_content_type ${text},
      token_id ${text},
      user_id ${text},
      oauth_client_id ${text},
      status_code integer not null,
      success smallint not null,
      cached smallint not null,
      step smallint not null,
      attempts smallint not null,
      custom_cost smallint not null,
      log_count bigint not null,
      primary key (${sql.join(keys.map((key) => sql.ref(key)))}, context_id)
    ) ${clustered}`.execute(tx);
}

async function createEntries(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { keys, columns, id, byTime } = scopeOf(traits);
  const { text } = traits;
  const scope = sql.join(keys.map((key) => sql.ref(key)));
  await sql`
    create table gateway_log_entries (
      ${sql.join(columns)},
      id ${id} not null,
      context_id bigint not null,
      duration_ms integer not null,
      ttft_ms integer,
      tokens_in bigint,
      tokens_out bigint,
      cache_tokens bigint,
      cost_nano_usd bigint,
      metadata ${text},
      event_id ${text},
      feedback smallint,
      score double precision,
      request_size bigint,
      response_size bigint,
      primary key (${scope}, id)
    ) ${byTime}`.execute(tx);
  await sql`
    create index gateway_log_entries_context
    on gateway_log_entries (${scope}, context_id, id)`.execute(tx);
  await sql`
    create index gateway_log_entries_event
    on gateway_log_entries (${scope}, event_id, id) where event_id is not null`.execute(tx);
  await sql`
    create index gateway_log_entries_feedback
    on gateway_log_entries (${scope}, feedback, id) where feedback is not null`.execute(tx);
}

async function createBodies(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { keys, columns, id, bytes } = scopeOf(traits);
  const { text } = traits;
  // On SQLite a row with a body is too long to stand in an index, which a clustered table is.
  const byTime = traits.name === 'sqlite' ? sql`` : sql`partition by range (id)`;
  await sql`
    create table gateway_log_bodies (
      ${sql.join(columns)},
      id ${id} not null,
      request ${bytes} not null,
      response ${bytes} not null,
      request_is_whole smallint not null,
      response_is_whole smallint not null,
      request_headers ${text} not null,
      response_headers ${text} not null,
      primary key (${sql.join(keys.map((key) => sql.ref(key)))}, id)
    ) ${byTime}`.execute(tx);
}

async function createMetadata(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { keys, columns, id, byTime } = scopeOf(traits);
  const { text } = traits;
  await sql`
    create table gateway_log_metadata (
      ${sql.join(columns)},
      key ${text} not null,
      value ${text} not null,
      id ${id} not null,
      primary key (${sql.join(keys.map((key) => sql.ref(key)))}, key, value, id)
    ) ${byTime}`.execute(tx);
}

async function createRollups(tx: Transaction, traits: DialectTraits): Promise<void> {
  const { keys, columns } = scopeOf(traits);
  const { text, clustered } = traits;
  const scope = sql.join(keys.map((key) => sql.ref(key)));
  await sql`
    create table gateway_log_rollups (
      ${sql.join(columns)},
      step_seconds integer not null,
      dimension ${text} not null,
      start_at bigint not null,
      value ${text} not null,
      writer_id ${text} not null,
      requests bigint not null,
      errors bigint not null,
      cached bigint not null,
      unpriced bigint not null,
      tokens_in bigint not null,
      tokens_out bigint not null,
      cache_tokens bigint not null,
      cost_nano_usd bigint not null,
      durations ${text} not null,
      ttfts ${text} not null,
      extremes ${text},
      primary key (${scope}, step_seconds, dimension, start_at, value, writer_id)
    ) ${clustered}`.execute(tx);
}

const DAY_MS = 86_400_000;

/**
 * What was written before has no partition of its own day. Some of it may be from tomorrow, by the
 * clock of another node.
 */
async function partitionUntilTomorrow(tx: Transaction): Promise<void> {
  const { rows } = await sql<{ id: string | null }>`
    select max(id) as id from gateway_logs`.execute(tx);
  const newest = rows[0]?.id ?? '';
  // The first 48 bits of a UUIDv7 are milliseconds.
  const newestMs = Number.parseInt(newest.replaceAll('-', '').slice(0, 12) || '0', 16);
  const untilMs = (Math.floor(Math.max(Date.now(), newestMs) / DAY_MS) + 1) * DAY_MS;
  const time = untilMs.toString(16).padStart(12, '0');
  const bound = `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
  for (const table of ['entries', 'bodies', 'metadata']) {
    await sql`
      create table ${sql.ref(`gateway_log_${table}_before`)}
      partition of ${sql.ref(`gateway_log_${table}`)}
      for values from (minvalue) to (${sql.lit(bound)})`.execute(tx);
  }
}

const SHARED =
  'provider, model, path, request_type, request_content_type, response_content_type, token_id, user_id, oauth_client_id, status_code, success, cached, step, attempts, custom_cost';
const OWN =
  'duration_ms, ttft_ms, tokens_in, tokens_out, cache_tokens, cost_nano_usd, metadata, event_id';

/** Rows keep everything that they had; there are no sums of the time before. */
async function moveRows(tx: Transaction, { name }: DialectTraits): Promise<void> {
  const isSqlite = name === 'sqlite';
  await sql`
    insert into gateway_log_gateways (account_id, gateway_id, log_count)
    select account_id, gateway_id, count(*) from gateway_logs group by account_id, gateway_id
  `.execute(tx);
  // Small numbers are as good as the digests of later contexts, which are spread over 53 bits.
  const scope = sql.raw(isSqlite ? 'gateway_key' : 'account_id, gateway_id');
  const shared = sql.raw(SHARED);
  const gateways = isSqlite
    ? sql`gateway_logs join gateway_log_gateways using (account_id, gateway_id)`
    : sql`gateway_logs`;
  await sql`
    create temporary table moved_logs as
    select ${scope}, id, ${sql.raw(OWN)}, ${shared},
      dense_rank() over (order by ${scope}, ${shared}) as context_id
    from ${gateways}`.execute(tx);
  await sql`
    insert into gateway_log_contexts (${scope}, context_id, ${shared}, log_count)
    select ${scope}, context_id, ${shared}, count(*)
    from moved_logs group by ${scope}, context_id, ${shared}`.execute(tx);
  const movedId = isSqlite ? sql`unhex(replace(moved_logs.id, '-', ''))` : sql`moved_logs.id::uuid`;
  await sql`
    insert into gateway_log_entries (${scope}, id, context_id, ${sql.raw(OWN)})
    select ${scope}, ${movedId}, context_id, ${sql.raw(OWN)} from moved_logs`.execute(tx);
  const entries = isSqlite ? sql`json_each(metadata)` : sql`json_each_text(metadata::json)`;
  // A boolean is a number to SQLite, where its type has its name.
  const value = isSqlite ? sql`iif(type in ('true', 'false'), type, value)` : sql`value`;
  await sql`
    insert into gateway_log_metadata (${scope}, key, value, id)
    select ${scope}, substr(key, 1, 200), coalesce(substr(${value}, 1, 200), 'null'), ${movedId}
    from moved_logs, ${entries} where metadata is not null`.execute(tx);
  await sql`drop table moved_logs`.execute(tx);
}
