import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { LOG_FILE } from '../../../src/storage/log-file.ts';
import type { Installation } from '../../support/server-process.ts';
import { readStoredLogs, storedIds } from '../../support/stored-logs.ts';
import { type Death, type Load, NoAnswer, Tally, type Writer, assertAnswered } from './load.ts';

// Threads and the database wait for their turns, of which a batch takes several: twice four.
const BATCH_TURNS = 8;
// How far back the answers tell how busy the machine is.
const RECENT_MS = 1_000;
const LANES = 12;

/** An exchange that its client has seen to its end. */
interface Exchange {
  logId: string;
  /** By the clock of this process; the server was done earlier. */
  endedAtMs: number;
  tookMs: number;
  content: string;
}

/** Asks models through the gateway, in part at a provider behind it; each leaves a row in the log. */
export class LogWriter implements Writer {
  readonly name = 'log rows';
  readonly tally = new Tally();
  readonly lanes = LANES;
  /** Of the rows that a crash took along, how long before it the oldest had been answered. */
  longestLossMs = 0;
  lost = 0;
  readonly #gatewayId: string;
  readonly #path: string;
  readonly #mostLossMs: number;
  #recent: Exchange[] = [];
  #inDoubt = 0;
  /** Every row that was ever seen. */
  #stored = new Set<string>();

  /** @param mostLossMs of the rows before a crash, what it may take along */
  constructor(gatewayId: string, mostLossMs: number) {
    this.#mostLossMs = mostLossMs;
    this.#gatewayId = gatewayId;
    this.#path = `/ai-gateway/gateways/${gatewayId}`;
  }

  async write(load: Load): Promise<void> {
    const isLocal = load.chance.fraction() < 0.5;
    const content = `words ${this.tally.acknowledged}`;
    const body = {
      model: isLocal ? 'local/echo' : 'openai/plain',
      messages: [{ role: 'user', content }],
    };
    const headers = { 'cf-aig-gateway-id': this.#gatewayId };
    const startMs = performance.now();
    try {
      const path = '/ai/v1/chat/completions';
      const answer = await load.call('POST', path, { body, headers });
      assertAnswered(answer, 'POST', path);
      const endedAtMs = performance.now();
      const logId = answer.headers.get('cf-aig-log-id') ?? '';
      this.#recent.push({ logId, endedAtMs, tookMs: endedAtMs - startMs, content });
      this.tally.acknowledged++;
    } catch (error) {
      if (error instanceof NoAnswer && error.wasSent) {
        this.tally.inDoubt++;
        this.#inDoubt++;
      }
      throw error;
    }
  }

  async settle(load: Load, death: Death): Promise<void> {
    const last = await this.settleRows(load.installation, death);
    await this.#assertCounts(load);
    if (last === undefined) return;
    const request = await load.call('GET', `${this.#path}/logs/${last.logId}/request`);
    assert.equal(request.json.messages[0].content, last.content, request.text);
  }

  /**
   * Looks at the rows alone, before anything is written anew; needs no server.
   * @returns the last exchange of which there is one
   */
  async settleRows(installation: Installation, death: Death): Promise<Exchange | undefined> {
    const stored = await storedIdsOf(installation);
    const recent = this.#recent.splice(0);
    const lost = recent.filter(({ logId }) => !stored.has(logId));
    this.#assertLoss(recent, lost, death);
    assert.ok(
      [...this.#stored].every((id) => stored.has(id)),
      'rows of the log are gone that were there before',
    );
    const answered = new Set(recent.map(({ logId }) => logId));
    const unknown = [...stored].filter((id) => !this.#stored.has(id) && !answered.has(id));
    assert.ok(unknown.length <= this.#inDoubt, `${unknown.length} rows too many`);
    this.tally.made += unknown.length;
    this.#inDoubt = 0;
    this.#stored = stored;
    return recent.findLast(({ logId }) => stored.has(logId));
  }

  #assertLoss(recent: Exchange[], lost: Exchange[], { signal, atMs }: Death): void {
    this.lost += lost.length;
    const longestMs = Math.max(0, ...lost.map(({ endedAtMs }) => atMs - endedAtMs));
    this.longestLossMs = Math.max(this.longestLossMs, longestMs);
    const what = `${lost.length} of ${recent.length} rows of ${longestMs} ms are lost`;
    if (signal === 'SIGTERM') return assert.equal(lost.length, 0, what);
    // As late as the server is with an answer, on a busy machine, it may be with each of the turns that
    // a batch takes: when it is due, in its thread, when that is done, and once for the batch before it.
    const latest = recent.filter(({ endedAtMs }) => endedAtMs > atMs - RECENT_MS);
    const latenessMs = medianOf(latest.map(({ tookMs }) => tookMs));
    const limitMs = this.#mostLossMs + BATCH_TURNS * latenessMs;
    assert.ok(longestMs <= limitMs, `${what}; answers took ${latenessMs} ms`);
  }

  /** What the API counts is what rows there are. */
  async #assertCounts(load: Load): Promise<void> {
    const logs = await load.call('GET', `${this.#path}/logs?per_page=1`);
    assert.equal(logs.json.result_info.total_count, this.#stored.size, logs.text);
    const { totals } = await load.result('GET', `${this.#path}/analytics`);
    assert.equal(totals.requests, this.#stored.size);
  }
}

/** @returns 0 for no values */
export function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Killed before its first row was written, a server has no file for them yet. */
async function storedIdsOf(installation: Installation): Promise<Set<string>> {
  const { dataDir, postgresUrl } = installation;
  const isThere = postgresUrl !== undefined || existsSync(path.join(dataDir, LOG_FILE));
  return isThere ? readStoredLogs(installation, storedIds) : new Set();
}
