import { sql } from 'kysely';
import { systemClock } from '../../lib/clock.ts';
import { listPublishedKeys } from '../../oauth/oidc/signing-key-store.ts';
import { endLoggedSessions } from '../../storage/migrations/0013-end-logged-sessions.ts';
import { allMigrations, migrations } from '../../storage/migrations/index.ts';
import {
  type PostgresDatabaseFacts,
  unmetRequirements,
} from '../../storage/postgres-requirements.ts';
import type { Db } from '../../storage/schema.ts';
import { type Check, type Finding, fault, ok, warning } from './check.ts';

const SLOW_MS = 20;
const LOOKS = 5;
const SKEW_MS = 1_000;
const OLD_KEY_DAYS = 365;
const MS_PER_DAY = 86_400_000;
/** Of the audit log, chosen as they come. */
const HEADS = 200;

const database: Check = {
  name: 'database',
  async run({ settings, db }) {
    if (db === undefined) {
      return [
        warning(
          'not created yet',
          'the first start creates it. Check DATA_DIR if you expected data',
        ),
      ];
    }
    if (settings.DATABASE_URL === undefined) return [ok('embedded')];
    return lookAtPostgres(db);
  },
};

interface PostgresFacts extends PostgresDatabaseFacts {
  /** Time of its clock, in milliseconds. */
  now: number;
  follows: boolean;
}

/** The quickest of a few answers: the first one waits for a connection, and any for a busy machine. */
async function askQuickly(db: Db): Promise<{ rows: PostgresFacts[]; tookMs: number }> {
  let tookMs = Infinity;
  let rows: PostgresFacts[] = [];
  for (let looks = 0; looks < LOOKS; looks++) {
    const startMs = performance.now();
    // Its clock is compared with ours of now: the latest answer tells the time.
    ({ rows } = await sql<PostgresFacts>`
      select current_setting('server_version') as version,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as follows,
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db));
    tookMs = Math.min(tookMs, performance.now() - startMs);
  }
  return { rows, tookMs };
}

async function lookAtPostgres(db: Db): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { rows, tookMs } = await askQuickly(db);
  const row = rows[0];
  if (row === undefined) throw new Error('it does not respond');
  const latency = `PostgreSQL ${row.version}, responds in ${tookMs.toFixed(1)} ms`;
  for (const { message, advice } of unmetRequirements(row)) findings.push(fault(message, advice));
  if (tookMs < SLOW_MS) findings.push(ok(latency));
  else
    findings.push(
      warning(latency, 'move the database closer to the nodes: every write waits for it'),
    );
  if (row.follows) {
    findings.push(
      fault('it is a standby and does not accept writes', 'set DATABASE_URL to the primary'),
    );
  }
  const skewMs = Math.round(row.now - (Date.now() - tookMs / 2));
  if (Math.abs(skewMs) > SKEW_MS) {
    const message = `its clock differs from the clock of this machine by ${skewMs} ms`;
    findings.push(warning(message, 'synchronize both with NTP: nodes compare timestamps'));
  }
  return findings;
}

const schema: Check = {
  name: 'schema',
  async run({ settings, db }) {
    if (db === undefined) return [];
    const rows = await db.selectFrom('schema_migrations').select('name').execute();
    const applied = new Set(rows.map(({ name }) => name));
    const known = new Set(allMigrations.map(({ name }) => name));
    const newer = [...applied].filter((name) => !known.has(name));
    if (newer.length > 0) {
      const message = `created by a newer version (${newer.join(', ')})`;
      return [
        fault(
          message,
          'run that version, or restore a backup of this version: downgrades are not supported',
        ),
      ];
    }
    const wanted = settings.DATABASE_URL === undefined ? migrations : allMigrations;
    const pending = wanted.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
    if (pending.length === 0) return [ok('up to date')];
    const advice = 'back up, then start the server or run `latchkey migrate`';
    return [warning(`pending: ${pending.join(', ')}`, advice)];
  },
};

const audit: Check = {
  name: 'audit log',
  async run({ db }) {
    if (db === undefined) return [];
    // By primary key, as the look-up of each latest row is.
    const heads = await db
      .selectFrom('audit_heads')
      .leftJoin('audit_logs', (join) =>
        join
          .onRef('audit_logs.chain_id', '=', 'audit_heads.chain_id')
          .onRef('audit_logs.seq', '=', 'audit_heads.seq'),
      )
      .select(['audit_heads.chain_id', 'audit_heads.hash', 'audit_logs.hash as found'])
      .limit(HEADS)
      .execute();
    const broken = heads.filter(({ hash, found }) => hash !== found);
    const advice =
      'run `latchkey audit verify` and keep the files as evidence: someone may have changed them';
    const named = broken.map(({ chain_id: id }) => id).join(', ');
    if (broken.length > 0)
      return [fault(`the latest row is not the recorded one: ${named}`, advice)];
    return [
      ok(`the ends of ${heads.length} chains are valid; \`latchkey audit verify\` checks all rows`),
    ];
  },
};

const loggedSessions: Check = {
  name: 'sessions',
  async run({ db }) {
    const applied = await db
      ?.selectFrom('schema_migrations')
      .select('applied_at')
      .where('name', '=', endLoggedSessions.name)
      .executeTakeFirst();
    if (db === undefined || applied === undefined) return [];
    // No index covers the action type: the query scans the log, at most once for each run of `doctor`.
    const row = await db
      .selectFrom('audit_logs')
      .select('id')
      .where('action_type', '=', 'accept')
      .where('created_at', '<', applied.applied_at)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return [];
    const date = new Date(applied.applied_at).toISOString().slice(0, 10);
    return [
      ok(
        `the upgrade ended all sessions and devices on ${date}, because the audit log of version 0.1.0 contains some of their cookies. These cookies are no longer valid`,
      ),
    ];
  },
};

const signingKeys: Check = {
  name: 'signing keys',
  async run({ db }) {
    if (db === undefined) return [];
    const nowMs = systemClock.now();
    const keys = await listPublishedKeys(db, nowMs);
    if (keys.length === 0) return [ok('none yet: the first use creates one')];
    const youngest = Math.max(...keys.map(({ createdAtMs }) => createdAtMs));
    const days = Math.floor((nowMs - youngest) / MS_PER_DAY);
    if (days <= OLD_KEY_DAYS) return [ok(`${days} days old`)];
    return [warning(`${days} days old`, 'rotate them: `latchkey keys rotate`')];
  },
};

/** About what the database holds. */
export const databaseChecks: readonly Check[] = [
  database,
  schema,
  audit,
  loggedSessions,
  signingKeys,
];
