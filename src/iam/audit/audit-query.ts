import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { CursorPage } from '../../http/paging.ts';
import type { Db, Schema } from '../../storage/schema.ts';
import type { AuditRow } from './audit-chain.ts';
import type { AuditCondition } from './audit-filter.ts';

/** Which rows of one chain are wanted, and in which order of time. */
export interface AuditQuery {
  chainId: string;
  sinceMs: number;
  /** The first moment that is too late. */
  beforeMs: number;
  direction: 'asc' | 'desc';
  conditions: readonly AuditCondition[];
}

/** The place of a row in the order of time: clocks of several nodes may name one millisecond twice. */
export interface AuditPlace {
  createdAtMs: number;
  seq: number;
}

// What is looked at in one go on the embedded database, on this thread: a few milliseconds. Each value
// makes a row take longer.
const CHUNK_ROWS = 1_000;
const ROWS_LESS_PER_VALUE = 8;
const MIN_CHUNK_ROWS = 200;
// Whoever looks for a needle gets what was found until here, and a cursor to go on.
const MAX_SCANNED_ROWS = 50_000;
// Without a find there is no cursor, and nobody can go on: far above what most logs have in all. It takes
// some seconds, in which others have their turn.
const MAX_SCANNED_IN_VAIN_ROWS = 1_000_000;
// What was asked and answered may be long: the page then ends early, with a cursor.
const MAX_PAGE_BYTES = 1024 * 1024;

/** A row that was looked at. */
interface Candidate extends AuditPlace {
  /** Length of what was asked and answered; null for a row that is not wanted. */
  bytes: number | null;
}

/**
 * One page of a chain. It is empty only when nothing more is wanted, and may be shorter than the limit
 * before. However large the log is and whatever is looked for, other requests have their turn.
 * @param after the place after which the page starts
 * @param maxInVainRows how many rows are looked at when none is wanted
 * @throws ApiError 6010 when there were so many
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
    if (scanned >= maxInVainRows) throw foundNothing(scanned);
    await nextTurn();
  }
}

function chunkRows(conditions: readonly AuditCondition[]): number {
  const values = conditions.reduce((sum, condition) => sum + condition.values.length, 0);
  return Math.max(MIN_CHUNK_ROWS, CHUNK_ROWS - ROWS_LESS_PER_VALUE * values);
}

function foundNothing(rows: number): Error {
  return apiError(httpErrors.invalidParameter, {
    message:
      `Invalid request parameter: none of the ${rows} rows searched matches the filters. ` +
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

/** Looks at the next rows of the window in their order. Uses `audit_logs_time`. */
async function scan(
  db: Db,
  { chainId, sinceMs, beforeMs, direction, conditions }: AuditQuery,
  after: AuditPlace | undefined,
  limit: number,
): Promise<Candidate[]> {
  const isUp = direction === 'asc';
  // One bound on each side: SQLite walks from the first that it finds and only skips by the others.
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
    // Rows of one moment are told apart by it.
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
