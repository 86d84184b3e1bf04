import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { CursorPage } from '../../http/paging.ts';
import type { Db, Schema } from '../../storage/schema.ts';
import type { AuditRow } from './audit-chain.ts';
import type { AuditCondition } from './audit-filter.ts';

/** Selects rows of one chain, in the order of time. */
export interface AuditQuery {
  chainId: string;
  sinceMs: number;
  /** The first moment that is too late. */
  beforeMs: number;
  direction: 'asc' | 'desc';
  conditions: readonly AuditCondition[];
}

/** The position of a row in the order of time. Two rows of one millisecond differ in `seq`. */
export interface AuditPlace {
  createdAtMs: number;
  seq: number;
}

// On the embedded database, one scan runs on this thread for a few milliseconds. Each value of a filter adds time per row.
const CHUNK_ROWS = 1_000;
const ROWS_LESS_PER_VALUE = 8;
const MIN_CHUNK_ROWS = 200;
// After so many rows, a list returns the matches found so far, with a cursor.
const MAX_SCANNED_ROWS = 50_000;
// A list without matches has no cursor to continue from. The limit is far above the size of most logs. The search takes
// some seconds and yields to other requests.
const MAX_SCANNED_IN_VAIN_ROWS = 1_000_000;
// Requests and results may be long: the page then ends early, with a cursor.
const MAX_PAGE_BYTES = 1024 * 1024;

/** A scanned row. */
interface Candidate extends AuditPlace {
  /** Length of the stored request and result; null for a row that does not match. */
  bytes: number | null;
}

/**
 * Returns one page of the matching rows of a chain. Only the last page can be empty, and any page may be shorter than
 * the limit. Yields to other requests between scans.
 * @param after position of the last row of the previous page
 * @param maxInVainRows number of rows to search without a match before the error
 * @throws ApiError 6010 if so many rows were searched without a match
 */
export async function listAuditRows(
  db: Db,
  query: AuditQuery,
  after: AuditPlace | undefined,
  limit: number,
  maxInVainRows = MAX_SCANNED_IN_VAIN_ROWS,
): Promise<CursorPage<AuditRow>> {
  const wanted: AuditPlace[] = [];
  let bytes = 0;
  let scanned = 0;
  let place = after;
  const rowsPerChunk = query.conditions.length === 0 ? limit + 1 : chunkRows(query.conditions);
  for (;;) {
    const chunk = await scan(db, query, place, rowsPerChunk);
    for (const candidate of chunk) {
      if (candidate.bytes === null) continue;
      const isFull = wanted.length >= limit || bytes + candidate.bytes > MAX_PAGE_BYTES;
      if (isFull && wanted.length > 0) return readPage(db, query, wanted, wanted.at(-1));
      wanted.push(candidate);
      bytes += candidate.bytes;
    }
    if (chunk.length < rowsPerChunk) return readPage(db, query, wanted, undefined);
    place = chunk.at(-1);
    scanned += chunk.length;
    if (scanned >= MAX_SCANNED_ROWS && wanted.length > 0) return readPage(db, query, wanted, place);
    if (scanned >= maxInVainRows) throw foundTooFew(scanned);
    await nextTurn();
  }
}

/**
 * Returns the matching rows of a chain from an offset on.
 * @param offset number of matching rows before the first one
 * @param maxScannedRows number of rows to search before the error
 * @throws ApiError 6010 if a million rows were searched before the page was complete
 */
export async function listAuditRowsFrom(
  db: Db,
  query: AuditQuery,
  offset: number,
  limit: number,
  maxScannedRows = MAX_SCANNED_IN_VAIN_ROWS,
): Promise<AuditRow[]> {
  const wanted: AuditPlace[] = [];
  const rowsPerChunk = chunkRows(query.conditions);
  let matches = 0;
  let scanned = 0;
  let place: AuditPlace | undefined;
  let isLast = false;
  while (!isLast && wanted.length < limit) {
    if (scanned >= maxScannedRows) throw foundTooFew(scanned);
    if (scanned > 0) await nextTurn();
    const chunk = await scan(db, query, place, rowsPerChunk);
    for (const candidate of chunk) {
      if (candidate.bytes === null || wanted.length === limit) continue;
      matches++;
      if (matches > offset) wanted.push(candidate);
    }
    scanned += chunk.length;
    place = chunk.at(-1);
    isLast = chunk.length < rowsPerChunk;
  }
  const { items } = await readPage(db, query, wanted, undefined);
  return items;
}

function chunkRows(conditions: readonly AuditCondition[]): number {
  const values = conditions.reduce((sum, condition) => sum + condition.values.length, 0);
  return Math.max(MIN_CHUNK_ROWS, CHUNK_ROWS - ROWS_LESS_PER_VALUE * values);
}

function foundTooFew(rows: number): Error {
  return apiError(httpErrors.invalidParameter, {
    message:
      `Invalid request parameter: too few of the ${rows} rows searched match the filters. ` +
      'Use a shorter period between since and before',
    pointer: 'since',
  });
}

async function readPage(
  db: Db,
  { chainId, direction }: AuditQuery,
  places: readonly AuditPlace[],
  next: AuditPlace | undefined,
): Promise<CursorPage<AuditRow>> {
  const items =
    places.length === 0
      ? []
      : await db
          .selectFrom('audit_logs')
          .selectAll()
          .where('chain_id', '=', chainId)
          .where(
            'seq',
            'in',
            places.map(({ seq }) => seq),
          )
          .orderBy('created_at', direction)
          .orderBy('seq', direction)
          .execute();
  return { items, next: next && [next.createdAtMs, next.seq] };
}

/** Scans the next rows of the period in order. Uses `audit_logs_time`. */
async function scan(
  db: Db,
  { chainId, sinceMs, beforeMs, direction, conditions }: AuditQuery,
  after: AuditPlace | undefined,
  limit: number,
): Promise<Candidate[]> {
  const isUp = direction === 'asc';
  // One bound per side: SQLite starts at the first bound of the index and filters by the others.
  const fromMs = isUp && after !== undefined ? Math.max(sinceMs, after.createdAtMs) : sinceMs;
  const untilMs =
    isUp || after === undefined ? beforeMs : Math.min(beforeMs, after.createdAtMs + 1);
  let rows = db
    .selectFrom('audit_logs')
    .where('chain_id', '=', chainId)
    .where('created_at', '>=', fromMs)
    .where('created_at', '<', untilMs);
  if (after !== undefined) {
    const past = isUp ? '>' : '<';
    // `seq` distinguishes rows of one millisecond.
    rows = rows.where((row) =>
      row.or([row('created_at', past, after.createdAtMs), row('seq', past, after.seq)]),
    );
  }
  return rows
    .select(['created_at as createdAtMs', 'seq'])
    .select((row) =>
      row
        .case()
        .when(row.and(conditions.map((condition) => holds(row, condition))))
        .then(
          sql<number>`coalesce(octet_length(resource_request), 0) + coalesce(octet_length(resource_response), 0)`,
        )
        .end()
        .as('bytes'),
    )
    .orderBy('created_at', direction)
    .orderBy('seq', direction)
    .limit(limit)
    .execute();
}

function holds(
  row: ExpressionBuilder<Schema, 'audit_logs'>,
  { column, values, isNegated }: AuditCondition,
): Expression<SqlBool> {
  if (column === null) return row.lit(isNegated);
  if (!isNegated) return row(column, 'in', values);
  return row.or([row(column, 'is', null), row(column, 'not in', values)]);
}
