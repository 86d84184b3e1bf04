import path from 'node:path';
import { createRows } from '../bench/log-rows.ts';
import { createRandom } from '../bench/random.ts';
import { findGatewayRecord, toGateway } from '../src/gateway-admin/gateways/gateway-store.ts';
import { GatewayLimits } from '../src/gateway/limits/gateway-limits.ts';
import { decodeBatch, encodeBatch } from '../src/request-log/threads/log-batch.ts';
import { logDialectOf } from '../src/request-log/log-dialect.ts';
import type { LogPayload, LogRecord } from '../src/request-log/record.ts';
import { LogInserter } from '../src/request-log/writer/log-inserter.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createUuidV7 } from '../src/lib/ids.ts';
import { openDatabase } from '../src/storage/database.ts';
import { LOG_FILE } from '../src/storage/log-file.ts';
import { migrate } from '../src/storage/migrate.ts';
import { logMigrations } from '../src/storage/migrations/index.ts';
import type { Transaction } from '../src/storage/schema.ts';
import { openSqlite } from '../src/storage/sqlite.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import type { Gateway } from '../src/gateway-admin/gateways/gateway.ts';

/** A gateway whose log is to be filled, and who calls it. */
export interface DemoGateway {
  id: string;
  createdAtMs: number;
  /** In relation to the others. */
  share: number;
  tokenIds: readonly (string | null)[];
}

interface LogsPlan {
  dataDir: string;
  accountId: string;
  gateways: readonly DemoGateway[];
  sinceMs: number;
  untilMs: number;
}

const ROWS = 150_000;
const BATCH_ROWS = 2_000;
const WITH_BODIES = 200;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const question = {
  model: 'openai/gpt-4o-mini',
  stream: true,
  stream_options: { include_usage: true },
  messages: [
    { role: 'system', content: 'You answer questions of customers. Be brief and friendly.' },
    { role: 'user', content: 'My invoice for October shows two payments. Was I charged twice?' },
  ],
};
const ANSWER =
  'You were charged once. The second line is a hold that your bank places when a card is used for the first time; it goes away by itself within three working days.';

/** A streamed chat completion, as OpenAI sends it. */
function createPayload(): LogPayload {
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-B9x2', object: 'chat.completion.chunk', created: 1_763_000_000, model: 'gpt-4o-mini-2024-07-18', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
  const words = ANSWER.split(/(?<= )/).map((content) => chunk({ content }));
  const usage = { prompt_tokens: 41, completion_tokens: 36, total_tokens: 77 };
  const text = [
    chunk({ role: 'assistant', content: '' }),
    ...words,
    chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({}, { choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('');
  const request = Buffer.from(JSON.stringify(question));
  const response = Buffer.from(text);
  return {
    request,
    response: [response],
    requestSize: request.length,
    responseSize: response.length,
    requestHeaders: JSON.stringify({ 'content-type': 'application/json' }),
    responseHeaders: JSON.stringify({ 'content-type': 'text/event-stream; charset=utf-8' }),
    secrets: [],
  };
}

/** How much is going on at a time: little at night and at the end of a week, and more from week to week. */
function activityAt(timeMs: number, { sinceMs, untilMs }: LogsPlan): number {
  const date = new Date(timeMs);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const hour = (timeMs % DAY_MS) / HOUR_MS;
  const daytime = 0.15 + 0.85 * Math.max(0, Math.sin(((hour - 5) / 16) * Math.PI));
  const growth = 0.6 + (0.4 * (timeMs - sinceMs)) / (untilMs - sinceMs);
  return growth * daytime * (isWeekend ? 0.35 : 1);
}

/** Rows of some weeks, in the order of time. */
function* createRecords(plan: LogsPlan): Generator<LogRecord> {
  const random = createRandom(ROWS);
  const shares = plan.gateways.flatMap((gateway) =>
    Array.from({ length: gateway.share }, () => gateway),
  );
  const { accountId, sinceMs, untilMs } = plan;
  const rows = createRows({ accountId, rows: ROWS, sinceMs, untilMs, withBodies: WITH_BODIES });
  for (const { row, payload } of rows) {
    const gateway = shares[Math.floor(random() * shares.length)];
    if (gateway === undefined || row.created_at < gateway.createdAtMs) continue;
    if (random() > activityAt(row.created_at, plan)) continue;
    const isStream = payload !== null && row.status_code === 200 && row.cached === 0;
    const { tokenIds } = gateway;
    yield {
      row: {
        ...row,
        id: createUuidV7(row.created_at),
        gateway_id: gateway.id,
        gateway_created_at: gateway.createdAtMs,
        token_id: tokenIds[Math.floor(random() * tokenIds.length)] ?? null,
        ...(isStream && {
          provider: 'openai',
          model: 'gpt-4o-mini',
          path: 'chat/completions',
          response_content_type: 'text/event-stream',
        }),
      },
      payload: isStream ? createPayload() : null,
      limit: null,
    };
  }
}

/** Fills the log of an account that nobody serves just now, and counts what was spent. */
export async function fillGatewayLogs(plan: LogsPlan): Promise<void> {
  const rows = await writeLogs(plan);
  await chargeSpend(plan, rows);
}

/** Counts against the spend limits what rows have cost, as the server does with each request. */
async function chargeSpend(
  { dataDir, accountId, gateways }: LogsPlan,
  rows: readonly LogRecord['row'][],
): Promise<void> {
  const report = (error: Error): void => {
    throw error;
  };
  const database = openDatabase({ databaseUrl: undefined, dataDir }, report);
  const clock = new ManualClock(rows[0]?.created_at);
  const limits = new GatewayLimits({ database, clock, report });
  const limited = new Map<string, Gateway>();
  for (const { id } of gateways) {
    // oxlint-disable-next-line no-await-in-loop -- there are a few
    const record = await findGatewayRecord(database.read, accountId, id);
    if (record !== undefined) limited.set(id, toGateway(record, []));
  }
  for (const row of rows) {
    const gateway = limited.get(row.gateway_id);
    if (gateway === undefined) continue;
    const { provider, model, token_id: tokenId } = row;
    clock.advance(row.created_at - clock.now());
    limits.charge(
      gateway,
      {
        provider,
        model,
        tokenId,
        userId: row.user_id,
        oauthClientId: row.oauth_client_id,
        metadata: {},
        isApart: false,
      },
      row.cost_nano_usd ?? 0,
    );
  }
  await limits.stop();
  await database.close();
}

/** @returns the rows in the order of time */
async function writeLogs(plan: LogsPlan): Promise<LogRecord['row'][]> {
  const rows: LogRecord['row'][] = [];
  const database = openSqlite(path.join(plan.dataDir, LOG_FILE));
  await migrate(database, systemClock, logMigrations);
  const inserter = new LogInserter(logDialectOf('sqlite'));
  const transact = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.transact(work);
  let batches = 0;
  const write = async (records: LogRecord[]): Promise<void> => {
    const nowMs = records.at(-1)?.row.created_at ?? plan.untilMs;
    await inserter.insert(transact, decodeBatch(encodeBatch(++batches, records)), nowMs);
  };
  let records: LogRecord[] = [];
  for (const record of createRecords(plan)) {
    records.push(record);
    rows.push(record.row);
    if (records.length < BATCH_ROWS) continue;
    // oxlint-disable-next-line no-await-in-loop -- one batch at a time
    await write(records);
    records = [];
  }
  if (records.length > 0) await write(records);
  await database.close();
  return rows;
}
