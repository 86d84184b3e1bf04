import { sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import { RowStatement, columnList, insertInto } from '../../storage/row-statement.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { LogScope } from '../log-dialect.ts';
import { SUM_COLUMNS } from './rollup-sums.ts';
import type { ScopeOf, StagedRow } from './rollup-buckets.ts';

// In the order of the values of a row, after those of its gateway.
const KEYS = [
  'step_seconds',
  'dimension',
  'start_at',
  'value',
  'writer_id',
] as const satisfies readonly (keyof GatewayLogRollupsTable)[];

const SUMS = [...SUM_COLUMNS, 'extremes'] as const;

/** Writes rows of sums. They replace earlier rows of the same writers. */
export type UpsertRollups = (
  tx: Transaction,
  rows: readonly StagedRow[],
  scopeOf: ScopeOf,
) => Promise<void>;

export function createUpsertRollups(): UpsertRollups {
  let upsert: RowStatement | undefined;
  return async (tx, rows, scopeOf) => {
    const values = rows.toSorted(compare).map((row) => {
      const { accountId, gatewayId } = row.bucket;
      const scope = scopeOf({ account_id: accountId, gateway_id: gatewayId });
      // All scopes of a database have the same columns.
      upsert ??= upsertOf([...Object.keys(scope), ...KEYS]);
      return valuesOf(row, scope);
    });
    await upsert?.change(tx, values);
  };
}

/** Compares rows by their position in the table. */
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
    sums.estimated,
    sums.tokensIn,
    sums.tokensOut,
    sums.cacheTokens,
    sums.costNanoUsd,
    JSON.stringify(sums.durations),
    JSON.stringify(sums.ttfts),
    sums.extremes === null ? null : JSON.stringify(sums.extremes),
  ];
}

function upsertOf(keys: readonly string[]): RowStatement {
  const columns = [...keys, ...SUMS];
  const replaced = SUMS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return new RowStatement(
    columns.length,
    (rows) => sql`${insertInto('gateway_log_rollups', columns, rows)}
      on conflict (${columnList(keys)}) do update set ${sql.join(replaced)}`,
  );
}
