import { RollupWriter } from '../rollups/rollup-writer.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { BatchContext, BatchGateway, LogBatch, BatchRecord } from '../threads/log-batch.ts';
import { OWN_COLUMNS } from '../columns.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { deleteOldest } from './delete-entries.ts';
import { pauseWriter, slicesOf } from './pace.ts';
import { type CountedGateway, countGateways } from './gateway-counts.ts';
import { storedBodies } from './stored-bodies.ts';
import { type LogInserts, createLogInserts } from './log-inserts.ts';
import { findCapacity } from './log-capacity.ts';
import { metadataPairsOf } from './metadata-pairs.ts';
import type { ScopeOf } from '../rollups/rollup-buckets.ts';

/** The records of a gateway to write. */
interface Share {
  gateway: BatchGateway;
  scope: LogScope;
  records: readonly BatchRecord[];
}

/** A record with the key of its gateway. */
interface KeyedRecord {
  key: readonly unknown[];
  record: BatchRecord;
}

/** Runs a transaction. */
export type Transact = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** The batch is stored already, so its transaction is rolled back. */
class WrittenBefore extends Error {}

// Rows beyond a lowered limit are deleted along with new rows.
const SURPLUS_PER_BATCH = 500;

/** Writes batches of log records, each in one transaction. */
export class LogInserter {
  readonly #dialect: LogDialect;
  readonly #inserts: LogInserts;
  readonly #rollups = new RollupWriter();
  /** The last batch, if its result is unknown. */
  #tried: number | undefined;

  constructor(dialect: LogDialect) {
    this.#dialect = dialect;
    this.#inserts = createLogInserts(dialect);
  }

  /**
   * Writes a batch. A batch that was stored before, and whose result was lost, counts once.
   * @returns the number of rows that exceed the limits of their gateways
   */
  async insert(transact: Transact, batch: LogBatch, nowMs: number): Promise<number> {
    const rows = batch.gateways.flatMap(({ records }) => records.map(({ row }) => row));
    const staged = this.#rollups.stage(rows, nowMs);
    const isOwn = this.#tried === batch.number;
    this.#tried = batch.number;
    try {
      const leftOut = await transact(async (tx) => {
        if (batch.isAgain && (await this.#isWritten(tx, batch))) throw new WrittenBefore();
        const shares = await this.#shares(tx, batch);
        await this.#insertRows(tx, shares);
        await staged.write(tx, scopesOf(shares));
        await this.#count(tx, shares);
        return rows.length - shares.reduce((sum, { records }) => sum + records.length, 0);
      });
      staged.commit();
      this.#tried = undefined;
      return leftOut;
    } catch (error) {
      if (!(error instanceof WrittenBefore)) throw error;
      // A thread that ended has summed up its rows under its own writer id.
      if (isOwn) staged.commit();
      this.#tried = undefined;
      return 0;
    }
  }

  /** Returns true if a row of a batch is stored, and so all of its rows. */
  async #isWritten(tx: Transaction, { gateways }: LogBatch): Promise<boolean> {
    for (const { accountId, gatewayId, records } of gateways) {
      const scope = await this.#dialect.findScope(tx, accountId, gatewayId);
      if (scope === undefined) continue;
      const row = await tx
        .selectFrom('gateway_log_entries')
        .select('id')
        .where((where) => where.and(scope))
        .where(
          'id',
          'in',
          records.map(({ row: { id } }) => this.#dialect.toColumn(id)),
        )
        .limit(1)
        .executeTakeFirst();
      if (row !== undefined) return true;
    }
    return false;
  }

  /** Returns the records that the gateways can store. */
  async #shares(tx: Transaction, { gateways }: LogBatch): Promise<Share[]> {
    const capacities = await findCapacity(tx, this.#dialect, gateways);
    return gateways.map((gateway, index) => {
      const { scope, rows } = capacities[index] as (typeof capacities)[number];
      const { records } = gateway;
      if (records.length <= rows) return { gateway, scope, records };
      const byAge = records.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1));
      return { gateway, scope, records: byAge.slice(0, rows) };
    });
  }

  async #insertRows(tx: Transaction, shares: readonly Share[]): Promise<void> {
    const all = shares.flatMap(({ scope, records }) => {
      const key = Object.values(scope);
      return records.map((record) => ({ key, record }));
    });
    for (const some of slicesOf(all)) {
      await this.#insertSlice(tx, some);
      if (some.length < all.length) pauseWriter();
    }
  }

  async #insertSlice(tx: Transaction, some: readonly KeyedRecord[]): Promise<void> {
    const entries: unknown[][] = [];
    const bodies: unknown[][] = [];
    const metadata: unknown[][] = [];
    for (const { key, record } of some) {
      const id = this.#dialect.toColumn(record.row.id);
      entries.push([...key, id, ...entryValues(record)]);
      if (record.payload !== undefined) bodies.push([...key, id, ...bodyValues(record.payload)]);
      if (record.row.metadata === null) continue;
      for (const pair of metadataPairsOf(record.row.metadata)) metadata.push([...key, ...pair, id]);
    }
    // Random ids: all rows are new, or none is.
    const written = await this.#inserts.entries.change(tx, entries);
    if (written < entries.length) throw new WrittenBefore();
    await this.#inserts.bodies.change(tx, bodies);
    await this.#inserts.metadata.change(tx, metadata);
  }

  /** Runs last, because other writers to these gateways wait from here on. */
  async #count(tx: Transaction, shares: readonly Share[]): Promise<void> {
    const written = shares.filter(({ records }) => records.length > 0);
    const counted = await countGateways(
      tx,
      this.#dialect,
      written.map(({ gateway, records }) => ({ ...gateway, added: records.length })),
    );
    await this.#inserts.contexts.change(tx, written.flatMap(contextRows));
    for (const [index, share] of written.entries()) {
      await this.#deleteSurplus(tx, share, counted[index] as CountedGateway);
    }
  }

  async #deleteSurplus(
    tx: Transaction,
    { gateway: { limit }, records }: Share,
    { scope, logCount }: CountedGateway,
  ): Promise<void> {
    if (limit?.strategy !== 'DELETE_OLDEST') return;
    const surplus = Math.min(logCount - limit.maxRows, records.length + SURPLUS_PER_BATCH);
    if (surplus > 0) await deleteOldest(tx, this.#dialect, scope, { limit: surplus });
  }
}

function scopesOf(shares: readonly Share[]): ScopeOf {
  const scopes = new Map(
    shares.map(({ gateway, scope }) => [`${gateway.accountId} ${gateway.gatewayId}`, scope]),
  );
  return ({ account_id: accountId, gateway_id: gatewayId }) => {
    const scope = scopes.get(`${accountId} ${gatewayId}`);
    if (scope === undefined) throw new Error(`the gateway ${gatewayId} is not part of the batch`);
    return scope;
  };
}

function entryValues({ row, context, payload }: BatchRecord): unknown[] {
  return [
    context.id,
    ...OWN_COLUMNS.map((column) => row[column]),
    payload?.requestSize ?? null,
    payload?.responseSize ?? null,
  ];
}

function bodyValues(payload: NonNullable<BatchRecord['payload']>): unknown[] {
  const { request, response, isRequestWhole, isResponseWhole } = storedBodies(payload);
  return [
    request,
    response,
    isRequestWhole ? 1 : 0,
    isResponseWhole ? 1 : 0,
    payload.requestHeaders,
    payload.responseHeaders,
  ];
}

/** Returns the contexts of a share with the number of their new rows. */
function contextRows({ scope, records }: Share): unknown[][] {
  const counts = new Map<number, { context: BatchContext; count: number }>();
  for (const { context } of records) {
    const known = counts.get(context.id);
    if (known === undefined) counts.set(context.id, { context, count: 1 });
    else known.count++;
  }
  const key = Object.values(scope);
  return [...counts.values()].map(({ context: { id, values }, count }) => [
    ...key,
    id,
    ...values,
    count,
  ]);
}
