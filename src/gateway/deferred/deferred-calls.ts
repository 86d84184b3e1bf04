import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { createId, createUuidV7 } from '../../lib/ids.ts';
import type { MasterKey, Sealer } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import { type TakenQuota, addUnits } from '../../storage/quota-store.ts';
import type { LogLimit, LogRow, UsageSource } from '../../request-log/record.ts';
import type { RequestLog } from '../../request-log/request-log.ts';
import { type PricedCall, callCostOf } from '../limits/call-cost.ts';
import type { Prices } from '../pricing/cost.ts';
import type { HeaderPairs } from '../providers/provider.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import {
  BatchResultsReader,
  type DeferredApi,
  type DeferredState,
  DeferredStateReader,
  READ_RESULTS,
  resultsPathOf,
} from './deferred-api.ts';
import {
  type StoredDeferredCall,
  deleteDeferredCall,
  findByExternalId,
  insertDeferredCall,
  listDueCalls,
  postponeCall,
} from './deferred-call-store.ts';

const JOB = 'deferred-calls';
const INTERVAL_MS = 2_000;
const MIN_WAIT_MS = { response: 5_000, batch: 30_000, message_batch: 30_000 };
const MAX_WAIT_MS = { response: 60_000, batch: 600_000, message_batch: 600_000 };
// The wait grows with the age of the call.
const WAIT_PART = 5;
// Batches end within a day.
const MAX_AGE_MS = 26 * 3_600_000;
// A provider may need a moment to find a new response.
const NEW_MS = 60_000;
const STATE_TIMEOUT_MS = 30_000;
const RESULTS_TIMEOUT_MS = 300_000;
// When a node crashes, another one polls the call after this time.
const CLAIM_MS = 2 * (STATE_TIMEOUT_MS + RESULTS_TIMEOUT_MS);
const MAX_STATE_BYTES = 256 * 1024 * 1024;
const MAX_RESULTS_BYTES = 4 * 1024 * 1024 * 1024;
/** The maximum number of pending calls of a gateway. */
const MAX_PENDING_CALLS = 10_000;
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);
const OVER_AND_UNKNOWN: DeferredState = { isOver: true, usages: null };
// As in the log row of any other call.
const MAX_PATH_LENGTH = 256;

/** A call that the provider processes after its response, and the data to settle it. */
export interface DeferredCall {
  api: DeferredApi;
  /** The address of the provider is built in or set by the operator. */
  isTrusted: boolean;
  origin: string;
  /** The path of the state of the call. */
  path: string;
  headers: HeaderPairs;
  pricing: Omit<PricedCall, 'atMs'>;
  /** The estimate that was charged, in billionths of a US dollar. */
  chargedNanoUsd: number;
  estimate: { usage: Usage; nanoUsd: number | null };
  budgets: TakenQuota[];
  row: LogRow;
  /** Left out: the call is not logged. */
  logLimit?: LogLimit | null;
}

/** The gateway and the ids of a call. */
export interface DeferredCallOwner {
  accountId: string;
  gatewayId: string;
  provider: string;
  externalId: string;
}

interface Parts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  masterKey: MasterKey;
  prices: Prices;
  requestLog: RequestLog;
  agent: Dispatcher;
  guardedAgent: Dispatcher;
}

/** Encrypts stored calls; the context is their id. */
export function deferredCallSealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer('gateway_deferred_call');
}

/**
 * Settles background responses and batches when they end. Until then their estimate counts. Each node looks
 * for calls whose state is due and claims one at a time, so that a crash only delays it. A call is settled in
 * the transaction that deletes it, so it is charged once.
 */
export class DeferredCalls {
  readonly #parts: Parts;
  readonly #sealer: Sealer;
  /** Calls that are being stored, by provider and id. */
  readonly #storing = new Map<string, Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sealer = deferredCallSealer(parts.masterKey);
  }

  /** Adds the polling to the work of every node. */
  addTo(work: PeriodicWork): void {
    const run = (signal: AbortSignal): Promise<void> => this.pollDue(signal);
    work.add({ name: JOB, intervalMs: INTERVAL_MS, onEveryNode: true, run });
  }

  /** Checks that a gateway has fewer than {@link MAX_PENDING_CALLS}. */
  async hasCapacity(accountId: string, gatewayId: string): Promise<boolean> {
    const { count } = await this.#parts.database.read
      .selectFrom('gateway_deferred_calls')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirstOrThrow();
    return count < MAX_PENDING_CALLS;
  }

  /** Stores a call whose estimate is charged. When that fails, the estimate stays. Never rejects. */
  async track(owner: DeferredCallOwner, call: DeferredCall): Promise<void> {
    const { database, clock, report } = this.#parts;
    const key = keyOf(owner.provider, owner.externalId);
    const nowMs = clock.now();
    const id = createId();
    const sealed = this.#sealer.seal(JSON.stringify(call).toWellFormed(), id);
    const nextPollAtMs = nowMs + MIN_WAIT_MS[call.api];
    const stored = { ...owner, id, sealed, createdAtMs: nowMs, nextPollAtMs };
    const storing = database
      .transaction((tx) => insertDeferredCall(tx, stored))
      .catch((error: unknown) => report(error as Error, 'failed to store a deferred call'));
    this.#storing.set(key, storing);
    await storing;
    this.#storing.delete(key);
  }

  /**
   * Settles the call of a response or batch before its deletion, since its usage cannot be read afterwards.
   * @returns false while it has not ended
   * @throws the error of the provider or the database
   */
  async settleBeforeDeletion(provider: string, externalId: string): Promise<boolean> {
    await this.#storing.get(keyOf(provider, externalId));
    const { read } = this.#parts.database;
    for (const stored of await findByExternalId(read, provider, externalId)) {
      if (!(await this.#poll(stored, AbortSignal.timeout(CLAIM_MS)))) return false;
    }
    return true;
  }

  /** Polls each call that is due. */
  async pollDue(signal: AbortSignal): Promise<void> {
    const { database, clock, report } = this.#parts;
    for (;;) {
      const nowMs = clock.now();
      const due = await listDueCalls(database.read, nowMs);
      if (due.length === 0) return;
      for (const stored of due) {
        signal.throwIfAborted();
        const claimed = { ...stored, nextPollAtMs: nowMs + CLAIM_MS };
        const postpone = (from: StoredDeferredCall, untilMs: number): Promise<boolean> =>
          database.transaction((tx) => postponeCall(tx, from, untilMs));
        if (!(await postpone(stored, claimed.nextPollAtMs))) continue;
        const isOver = await this.#poll(stored, signal).catch((error: unknown) => {
          report(error as Error, 'failed to read the state of a deferred call');
          return false;
        });
        if (!isOver) await postpone(claimed, clock.now() + this.#waitOf(stored));
      }
    }
  }

  #waitOf({ createdAtMs, ...stored }: StoredDeferredCall): number {
    const api = this.#open(stored)?.api ?? 'batch';
    const part = (this.#parts.clock.now() - createdAtMs) / WAIT_PART;
    return Math.min(Math.max(part, MIN_WAIT_MS[api]), MAX_WAIT_MS[api]);
  }

  #open({ id, sealed }: Pick<StoredDeferredCall, 'id' | 'sealed'>): DeferredCall | undefined {
    try {
      return JSON.parse(this.#sealer.open(sealed, id)) as DeferredCall;
    } catch (error) {
      this.#parts.report(error as Error, 'failed to decrypt a deferred call');
      return undefined;
    }
  }

  /** @returns true when the call is over and settled */
  async #poll(stored: StoredDeferredCall, signal: AbortSignal): Promise<boolean> {
    const { clock, database } = this.#parts;
    const call = this.#open(stored);
    if (call === undefined) {
      await database.transaction((tx) => deleteDeferredCall(tx, stored.id));
      return true;
    }
    const ageMs = clock.now() - stored.createdAtMs;
    const state = await this.#stateOf(call, ageMs, signal).catch((error: unknown) => {
      if (ageMs < MAX_AGE_MS) throw error;
      return OVER_AND_UNKNOWN;
    });
    if (!state.isOver && ageMs < MAX_AGE_MS) return false;
    await this.#settle(stored.id, call, state.usages);
    return true;
  }

  async #stateOf(call: DeferredCall, ageMs: number, signal: AbortSignal): Promise<DeferredState> {
    const reader = new DeferredStateReader(call.api);
    const feed = (piece: Buffer): void => reader.feed(piece);
    const bounds = { maxBytes: MAX_STATE_BYTES, timeoutMs: STATE_TIMEOUT_MS, signal };
    const status = await this.#get(call, call.path, feed, bounds);
    if (GONE_STATUSES.has(status) && ageMs >= NEW_MS) return OVER_AND_UNKNOWN;
    const state = status === 200 ? reader.read() : undefined;
    if (state === undefined) throw new Error(`the provider answered with status ${status}`);
    return state === READ_RESULTS ? this.#resultsOf(call, signal) : state;
  }

  async #resultsOf(call: DeferredCall, signal: AbortSignal): Promise<DeferredState> {
    const reader = new BatchResultsReader();
    const feed = (piece: Buffer): void => reader.feed(piece);
    const bounds = { maxBytes: MAX_RESULTS_BYTES, timeoutMs: RESULTS_TIMEOUT_MS, signal };
    const status = await this.#get(call, resultsPathOf(call.path), feed, bounds);
    if (GONE_STATUSES.has(status)) return OVER_AND_UNKNOWN;
    if (status !== 200) throw new Error(`the provider answered with status ${status}`);
    reader.end();
    const { usages } = reader;
    const areKnown = usages.every(
      ({ tokensIn, tokensOut }) => tokensIn !== null && tokensOut !== null,
    );
    return { isOver: true, usages: areKnown ? usages : null };
  }

  /** @returns the status; the body is passed on for 200 alone */
  async #get(
    { origin, isTrusted, headers }: DeferredCall,
    path: string,
    feed: (piece: Buffer) => void,
    bounds: { maxBytes: number; timeoutMs: number; signal: AbortSignal },
  ): Promise<number> {
    const { agent, guardedAgent } = this.#parts;
    const { statusCode, body } = await request(`${origin}${path}`, {
      dispatcher: isTrusted ? agent : guardedAgent,
      signal: AbortSignal.any([bounds.signal, AbortSignal.timeout(bounds.timeoutMs)]),
      headers,
    });
    const pieces: Readable = body;
    if (statusCode !== 200) {
      pieces.on('error', () => {});
      pieces.destroy();
      return statusCode;
    }
    let bytes = 0;
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      bytes += piece.length;
      // The end of the loop closes the connection.
      if (bytes > bounds.maxBytes) throw new Error('the state of a deferred call is too long');
      feed(piece);
    }
    return statusCode;
  }

  async #settle(id: string, call: DeferredCall, usages: Usage[] | null): Promise<void> {
    const { database, clock } = this.#parts;
    const cost = usages === null ? undefined : await this.#costOf(call, usages);
    const change = cost === undefined ? 0 : cost.limitNanoUsd - call.chargedNanoUsd;
    const isSettled = await database.transaction(async (tx) => {
      if (!(await deleteDeferredCall(tx, id))) return false;
      // All transactions lock quotas in this order, so that they cannot deadlock.
      const budgets = call.budgets.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      for (const budget of budgets) await addUnits(tx, budget, change, clock.now());
      return true;
    });
    if (!isSettled) return;
    if (cost === undefined || usages === null) {
      this.#log(call, call.estimate.usage, call.estimate.nanoUsd, 'estimate');
    } else this.#log(call, sumOf(usages), cost.nanoUsd, 'provider');
  }

  async #costOf(
    call: DeferredCall,
    usages: Usage[],
  ): Promise<{ nanoUsd: number | null; limitNanoUsd: number }> {
    let nanoUsd: number | null = 0;
    let limitNanoUsd = 0;
    const pricing = { ...call.pricing, atMs: this.#parts.clock.now() };
    for (const usage of usages) {
      const cost = await callCostOf(this.#parts.prices, usage, pricing);
      nanoUsd = cost.nanoUsd === null || nanoUsd === null ? null : nanoUsd + cost.nanoUsd;
      limitNanoUsd += cost.limit.nanoUsd;
    }
    return { nanoUsd, limitNanoUsd };
  }

  /** Adds a row to the log for the end of the call. */
  #log(call: DeferredCall, usage: Usage, nanoUsd: number | null, source: UsageSource): void {
    const { clock, requestLog } = this.#parts;
    const nowMs = clock.now();
    const row: LogRow = {
      ...call.row,
      id: createUuidV7(nowMs),
      created_at: nowMs,
      path: call.path.split('?')[0]?.slice(1, MAX_PATH_LENGTH) ?? '',
      duration_ms: Math.max(0, nowMs - call.row.created_at),
      ttft_ms: null,
      tokens_in: usage.tokensIn,
      tokens_out: usage.tokensOut,
      cache_tokens: usage.cacheReadTokens,
      cost_nano_usd: nanoUsd,
      usage_source: source,
    };
    requestLog.count(row);
    if (call.logLimit !== undefined) requestLog.write({ row, payload: null, limit: call.logLimit });
  }
}

function keyOf(provider: string, externalId: string): string {
  return `${provider}/${externalId}`;
}

function sumOf(usages: readonly Usage[]): Usage {
  const add = (one: number | null, other: number | null): number | null =>
    one === null && other === null ? null : (one ?? 0) + (other ?? 0);
  return usages.reduce<Usage>(
    (sum, usage) => ({
      ...sum,
      tokensIn: add(sum.tokensIn, usage.tokensIn),
      tokensOut: add(sum.tokensOut, usage.tokensOut),
      cacheReadTokens: add(sum.cacheReadTokens, usage.cacheReadTokens),
      cacheWriteTokens: add(sum.cacheWriteTokens, usage.cacheWriteTokens),
    }),
    UNKNOWN_USAGE,
  );
}
