import { CompiledQuery, type Insertable } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { LogScope } from '../logs/log-dialect.ts';
import type { ScopeOf, StagedRow } from './rollup-writer.ts';

// In the order in which a row's values are sent, after those that name its gateway.
const KEYS = [
  'step_seconds',
  'dimension',
  'start_at',
  'value',
  'writer_id',
] as const satisfies readonly (keyof GatewayLogRollupsTable)[];

const SUMS = [
  'requests',
  'errors',
  'cached',
  'unpriced',
  'tokens_in',
  'tokens_out',
  'cache_tokens',
  'cost_nano_usd',
  'durations',
  'ttfts',
  'extremes',
] as const satisfies readonly (keyof GatewayLogRollupsTable)[];

// More rows in a statement make it no faster.
const ROWS_PER_STATEMENT = 50;

/** Writes rows of sums, in the place of what the same writers have written of them before. */
export type UpsertRollups = (
  tx: Transaction,
  rows: readonly StagedRow[],
  scopeOf: ScopeOf,
) => Promise<void>;

/** The same for one database, whose statements are built once each: see {@link createInsertLogs}. */
export function createUpsertRollups(): UpsertRollups {
  const statements = new Map<number, string>();
  const statementFor = (tx: Transaction, rows: number, scope: LogScope): string => {
    const known = statements.get(rows);
    if (known !== undefined) return known;
    const text = upsertText(tx, rows, scope);
    statements.set(rows, text);
    return text;
  };
  return async (tx, rows, scopeOf) => {
    const sorted = rows.toSorted(compare);
    for (let start = 0; start < sorted.length; start += ROWS_PER_STATEMENT) {
      const some = sorted.slice(start, start + ROWS_PER_STATEMENT);
      const scopes = some.map(({ bucket }) =>
        scopeOf({ account_id: bucket.accountId, gateway_id: bucket.gatewayId }),
      );
      const [scope] = scopes;
      if (scope === undefined) return;
      const values = some.flatMap((row, index) => valuesOf(row, scopes[index] ?? scope));
      await tx.executeQuery(CompiledQuery.raw(statementFor(tx, some.length, scope), values));
    }
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

function upsertText(tx: Transaction, rows: number, scope: LogScope): string {
  const scopeKeys = Object.keys(scope) as (keyof GatewayLogRollupsTable)[];
  const columns = [...scopeKeys, ...KEYS, ...SUMS];
  const any = Object.fromEntries(columns.map((column) => [column, ''])) as unknown;
  return tx
    .insertInto('gateway_log_rollups')
    .values(Array.from({ length: rows }, () => any as Insertable<GatewayLogRollupsTable>))
    .onConflict((conflict) =>
      conflict
        .columns([...scopeKeys, ...KEYS])
        .doUpdateSet((set) =>
          Object.fromEntries(SUMS.map((column) => [column, set.ref(`excluded.${column}`)])),
        ),
    )
    .compile().sql;
}
