import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { LogScope } from '../logs/log-dialect.ts';
import { RowInsert, placeholders } from '../logs/write/row-insert.ts';
import { SUM_COLUMNS } from './rollup-sums.ts';
import type { ScopeOf, StagedRow } from './rollup-writer.ts';

// In the order in which a row's values are sent, after those that name its gateway.
const KEYS = [
  'step_seconds',
  'dimension',
  'start_at',
  'value',
  'writer_id',
] as const satisfies readonly (keyof GatewayLogRollupsTable)[];

const SUMS = [...SUM_COLUMNS, 'extremes'] as const;

/** Writes rows of sums, in the place of what the same writers have written of them before. */
export type UpsertRollups = (
  tx: Transaction,
  rows: readonly StagedRow[],
  scopeOf: ScopeOf,
) => Promise<void>;

export function createUpsertRollups(): UpsertRollups {
  let insert: RowInsert | undefined;
  return async (tx, rows, scopeOf) => {
    const values = rows.toSorted(compare).map((row) => {
      const { accountId, gatewayId } = row.bucket;
      const scope = scopeOf({ account_id: accountId, gateway_id: gatewayId });
      // All scopes of a database have the same columns.
      insert ??= new RowInsert((db, count) => buildUpsert(db, count, Object.keys(scope)));
      return valuesOf(row, scope);
    });
    await insert?.run(tx, values);
  };
}

/** Rows that lie beside one another in the table come one after the other. */
function compare(one: StagedRow, other: StagedRow): number {
  return (
    compareTexts(one.bucket.accountId, other.bucket.accountId) ||
    compareTexts(one.bucket.gatewayId, other.bucket.gatewayId) ||
    one.bucket.stepSeconds - other.bucket.stepSeconds ||
    compareTexts(one.dimension, other.dimension) ||
    one.bucket.startMs - other.bucket.startMs ||
    compareTexts(one.value, other.value)
  );
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function valuesOf({ bucket, dimension, value, sums }: StagedRow, scope: LogScope) {
  return [
    ...Object.values(scope),
    bucket.stepSeconds,
    dimension,
    bucket.startMs,
    value,
    bucket.writerId,
    sums.requests,
    sums.errors,
    sums.cached,
    sums.unpriced,
    sums.tokensIn,
    sums.tokensOut,
    sums.cacheTokens,
    sums.costNanoUsd,
    JSON.stringify(sums.durations),
    JSON.stringify(sums.ttfts),
    sums.extremes === null ? null : JSON.stringify(sums.extremes),
  ];
}

function buildUpsert(db: Db, rows: number, scopeColumns: readonly string[]) {
  const keys = [...(scopeColumns as (keyof GatewayLogRollupsTable)[]), ...KEYS];
  return db
    .insertInto('gateway_log_rollups')
    .values(placeholders<GatewayLogRollupsTable>(rows, [...keys, ...SUMS]))
    .onConflict((conflict) =>
      conflict
        .columns(keys)
        .doUpdateSet((set) =>
          Object.fromEntries(SUMS.map((column) => [column, set.ref(`excluded.${column}`)])),
        ),
    );
}
