import { LRUCache } from 'lru-cache';
import type { Selectable } from 'kysely';
import { upToEntries } from '../../lib/cache-bound.ts';
import { leastUuidV7, timeOfUuidV7 } from '../../lib/ids.ts';
import type {
  GatewayLogContextsTable,
  GatewayLogEntriesTable,
  LogIdColumn,
} from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import { type ExportedBodies, withBodies, withoutBodies } from './export-bodies.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { presentLog } from '../api/log-presenter.ts';

/** The logs to export. Undefined members exclude no logs. */
export interface ExportSelection {
  accountId: string | undefined;
  gatewayId: string | undefined;
  /** The time of the requests; the end is exclusive. */
  sinceMs: number | undefined;
  untilMs: number | undefined;
  withBodies: boolean;
}

/** The databases of the logs, which are the same on PostgreSQL. */
export interface ExportSource {
  /** The database with the gateways. */
  main: Db;
  /** Undefined: there are no logs yet. */
  logs: Db | undefined;
  dialect: LogDialect;
  /** Returns the start of the visible logs of a gateway. */
  visibleSinceMs(gateway: { createdAtMs: number }): number;
}

/** Some logs, each as a line of JSON with a line feed. */
export interface ExportedLines {
  text: string;
  rows: number;
}

/** A gateway whose logs are exported. */
interface ExportedGateway {
  account_id: string;
  id: string;
  created_at: number;
}

type EntryRow = Selectable<GatewayLogEntriesTable>;
type ContextRow = Omit<Selectable<GatewayLogContextsTable>, 'log_count'>;

// About a hundred KB of lines, which need little memory and time.
const PAGE_ROWS = 1_000;
const PAGE_GATEWAYS = 100;
// A gateway has a few hundred.
const MAX_CONTEXTS = 10_000;

/**
 * Returns the logs of all selected gateways in succession, the oldest first, without logs of deleted gateways and logs past the
 * retention, like the API. Rows that are written during the export may be missing.
 * @throws Error if the gateway does not exist
 */
export async function* exportLogs(
  source: ExportSource,
  selection: ExportSelection,
): AsyncGenerator<ExportedLines> {
  let last: ExportedGateway | undefined;
  for (;;) {
    const gateways = await readGateways(source.main, selection, last);
    if (gateways.length === 0 && last === undefined) refuseUnknown(selection);
    for (const gateway of gateways) yield* exportGateway(source, gateway, selection);
    last = gateways.at(-1);
    if (gateways.length < PAGE_GATEWAYS) return;
  }
}

function refuseUnknown({ accountId, gatewayId }: ExportSelection): void {
  if (accountId === undefined && gatewayId === undefined) return;
  const which = gatewayId === undefined ? '' : ` ${gatewayId}`;
  const where = accountId === undefined ? '' : ` in account ${accountId}`;
  throw new Error(`no gateway${which}${where}`);
}

/**
 * Returns the maximum number of rows to export by the stored counts; undefined: there are no counts for a part of the time.
 */
export async function countExported(
  { logs }: ExportSource,
  { accountId, gatewayId, sinceMs, untilMs }: ExportSelection,
): Promise<number | undefined> {
  if (logs === undefined) return 0;
  if (sinceMs !== undefined || untilMs !== undefined) return undefined;
  let counts = logs
    .selectFrom('gateway_log_gateways')
    .select((select) => select.fn.sum<number | string | null>('log_count').as('count'));
  if (accountId !== undefined) counts = counts.where('account_id', '=', accountId);
  if (gatewayId !== undefined) counts = counts.where('gateway_id', '=', gatewayId);
  const { count } = await counts.executeTakeFirstOrThrow();
  // PostgreSQL sums as `numeric`, which arrives as a text.
  return Number(count ?? 0);
}

/** Returns the gateways after the last one, in the order of the primary key. */
function readGateways(
  db: Db,
  { accountId, gatewayId }: ExportSelection,
  last: ExportedGateway | undefined,
): Promise<ExportedGateway[]> {
  let gateways = db.selectFrom('gateways').select(['account_id', 'id', 'created_at']);
  if (accountId !== undefined) gateways = gateways.where('account_id', '=', accountId);
  if (gatewayId !== undefined) gateways = gateways.where('id', '=', gatewayId);
  if (last !== undefined) {
    gateways = gateways.where((where) =>
      where(where.refTuple('account_id', 'id'), '>', where.tuple(last.account_id, last.id)),
    );
  }
  return gateways.orderBy('account_id').orderBy('id').limit(PAGE_GATEWAYS).execute();
}

async function* exportGateway(
  source: ExportSource,
  gateway: ExportedGateway,
  selection: ExportSelection,
): AsyncGenerator<ExportedLines> {
  const { logs, dialect } = source;
  const { account_id: accountId, id: gatewayId, created_at: createdAtMs } = gateway;
  if (logs === undefined) return;
  const scope = await dialect.findScope(logs, accountId, gatewayId);
  if (scope === undefined) return;
  const contexts = new ContextReader(logs, scope);
  const sinceMs = Math.max(source.visibleSinceMs({ createdAtMs }), selection.sinceMs ?? 0);
  const until =
    selection.untilMs === undefined
      ? undefined
      : dialect.toColumn(leastUuidV7(Math.max(0, selection.untilMs)));
  let last: LogIdColumn | undefined;
  for (;;) {
    const since = last ?? dialect.toColumn(leastUuidV7(sinceMs));
    const entries = await readEntries(logs, scope, {
      comparison: last === undefined ? '>=' : '>',
      since,
      until,
    });
    await contexts.load(entries);
    const parts = selection.withBodies
      ? withBodies(logs, dialect, scope, entries)
      : withoutBodies(entries);
    for await (const some of parts) {
      const lines = some.map(({ entry, bodies }) => {
        const context = contexts.find(entry);
        // Deleted in between.
        if (context === undefined) return '';
        return lineOf(gateway, dialect.toId(entry.id), { ...entry, ...context }, bodies);
      });
      yield { text: lines.join(''), rows: some.length };
    }
    last = entries.at(-1)?.id;
    if (entries.length < PAGE_ROWS) return;
  }
}

interface PageStart {
  comparison: '>' | '>=';
  since: LogIdColumn;
  until: LogIdColumn | undefined;
}

/** Reads a page of the rows of a gateway by the primary key. */
function readEntries(
  db: Db,
  scope: LogScope,
  { comparison, since, until }: PageStart,
): Promise<EntryRow[]> {
  let entries = db
    .selectFrom('gateway_log_entries')
    .selectAll()
    .where((where) => where.and(scope))
    .where('id', comparison, since);
  if (until !== undefined) entries = entries.where('id', '<', until);
  return entries.orderBy('id').limit(PAGE_ROWS).execute();
}

/** Reads the contexts of a gateway, each once. */
class ContextReader {
  readonly #db: Db;
  readonly #scope: LogScope;
  readonly #contexts = new LRUCache<number, ContextRow>(upToEntries(MAX_CONTEXTS));

  constructor(db: Db, scope: LogScope) {
    this.#db = db;
    this.#scope = scope;
  }

  /** Reads the contexts of these rows. */
  async load(entries: readonly EntryRow[]): Promise<void> {
    const wanted = new Set(entries.map((entry) => entry.context_id));
    const missing = [...wanted].filter((id) => this.#contexts.get(id) === undefined);
    if (missing.length === 0) return;
    const found = await this.#db
      .selectFrom('gateway_log_contexts')
      .selectAll()
      .where((where) => where.and(this.#scope))
      .where('context_id', 'in', missing)
      .execute();
    for (const { log_count: _count, ...context } of found) {
      this.#contexts.set(context.context_id, context);
    }
  }

  find(entry: EntryRow): ContextRow | undefined {
    return this.#contexts.get(entry.context_id);
  }
}

function lineOf(
  { account_id, id: gateway_id }: ExportedGateway,
  id: string,
  log: EntryRow & ContextRow,
  bodies: ExportedBodies | undefined,
): string {
  const row = { ...log, account_id, gateway_id, id, created_at: timeOfUuidV7(id) };
  return `${JSON.stringify({ account_id, gateway_id, ...presentLog(row), ...bodies })}\n`;
}
