import assert from 'node:assert/strict';
import { type TestContext, describe, test } from 'node:test';
import { Counter, Registry } from 'prom-client';
import { Agent } from 'undici';
import { SpanExporter } from '../../src/request-log/telemetry/span-exporter.ts';
import { type OtelTarget, createOtelTarget } from '../../src/gateway-admin/gateways/otel-target.ts';
import { QueueBudget } from '../../src/request-log/telemetry/queue-budget.ts';
import type { SpanRow } from '../../src/request-log/telemetry/span.ts';
import type { ExportPace } from '../../src/request-log/telemetry/target-queue.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';

const PACE: ExportPace = {
  batchDelayMs: 10,
  callTimeoutMs: 60_000,
  minRetryMs: 1,
  maxRetryMs: 4,
  giveUpAfterMs: 60_000,
  stopTimeoutMs: 50,
};

interface Bench {
  receiver: OtlpReceiver;
  exporter: SpanExporter;
  /** Spans lost, by the reason. */
  lost: () => Promise<Record<string, number>>;
  troubles: string[];
  /** Records a span, for each of the targets; the receiver is the only one by default. */
  record: (metadata?: Record<string, string>, targets?: OtelTarget[]) => void;
  targetAt: (path: string) => OtelTarget;
}

async function start(t: TestContext, pace: Partial<ExportPace> = {}): Promise<Bench> {
  const receiver = await startOtlpReceiver();
  const registry = new Registry();
  const counter = <L extends string>(name: string, labelNames: L[]) =>
    new Counter({ name, help: name, labelNames, registers: [registry] });
  const troubles: string[] = [];
  const dropped = counter('dropped', ['reason']);
  const clock = new ManualClock();
  const exporter = new SpanExporter({
    // A thousand connections at once would be too much for a receiver that runs beside it.
    agent: new Agent({ connections: 20 }),
    clock,
    report: (error, text) => void troubles.push(`${text}: ${error.message}`),
    sent: counter('sent', []),
    dropped,
    serviceName: 'latchkey',
    pace: { ...PACE, ...pace },
  });
  let stopping: Promise<void> | undefined;
  const stop = exporter.stop.bind(exporter);
  exporter.stop = () => (stopping ??= stop());
  t.after(async () => {
    await exporter.stop();
    await receiver.stop();
  });
  const targetAt = (path: string): OtelTarget =>
    createOtelTarget({
      accountId: 'account',
      gatewayId: 'gateway',
      url: `${receiver.origin}/${path}/traces`,
      headers: [],
    });
  return {
    receiver,
    exporter,
    troubles,
    targetAt,
    async lost() {
      const { values } = await dropped.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
    },
    record: (metadata = {}, targets = [targetAt('only')]) =>
      exporter.record(rowOf(clock.now(), metadata), {
        targets,
        isLogged: false,
        cacheWriteTokens: null,
        origin: undefined,
        requestId: createUuidV7(clock.now()),
        traceparent: undefined,
        startMs: clock.now(),
      }),
  };
}

function rowOf(nowMs: number, metadata: object): SpanRow {
  return {
    account_id: 'account',
    gateway_id: 'gateway',
    id: createUuidV7(nowMs),
    created_at: nowMs,
    duration_ms: 1,
    ttft_ms: 1,
    provider: 'local',
    model: 'echo',
    path: 'chat/completions',
    status_code: 200,
    success: 1,
    response_content_type: null,
    tokens_in: 1,
    tokens_out: 1,
    cache_tokens: null,
    cost_nano_usd: null,
    metadata: JSON.stringify(metadata),
    event_id: null,
    token_id: null,
    user_id: null,
    step: 0,
    attempts: 1,
    cached: 0,
  };
}

describe('the queue of a receiver', () => {
  test('sends 512 spans at a time, in their order', async (t) => {
    const { receiver, record, exporter } = await start(t);
    for (let i = 0; i < 1_300; i++) record({ number: String(i) });
    assert.equal(exporter.queuedSpans, 1_300);
    await eventually('all of them', async () => receiver.taken().length === 1_300);
    assert.deepEqual(
      receiver.exports.map(({ spans }) => spans.length),
      [512, 512, 276],
    );
    assert.deepEqual(
      receiver.taken().map(({ attributes }) => attributes['latchkey.metadata.number']),
      Array.from({ length: 1_300 }, (_, i) => String(i)),
    );
    await eventually('room for others', async () => exporter.queuedSpans === 0);
  });

  test('sends no more than a mebibyte at a time, but for a span that is larger by itself', async (t) => {
    const { receiver, record } = await start(t);
    const large = { text: 'ä'.repeat(150_000) };
    for (let i = 0; i < 5; i++) record(large);
    record({ text: 'x'.repeat(1_100_000) });
    await eventually('all of them', async () => receiver.taken().length === 6);
    assert.deepEqual(
      receiver.exports.map(({ spans }) => spans.length),
      [3, 2, 1],
    );
  });

  test('holds 4,096 spans; what comes then is lost and counted', async (t) => {
    const { receiver, record, lost } = await start(t);
    receiver.hold();
    for (let i = 0; i < 4_096; i++) record();
    assert.deepEqual(await lost(), {});
    record();
    record();
    assert.deepEqual(await lost(), { queue_full: 2 });
    receiver.release();
    await eventually('those that fit', async () => receiver.taken().length === 4_096);
    record();
    await eventually('the next', async () => receiver.taken().length === 4_097);
    assert.deepEqual(await lost(), { queue_full: 2 });
  });

  test('holds four mebibytes', async (t) => {
    const { receiver, record, lost } = await start(t);
    receiver.hold();
    for (let i = 0; i < 3; i++) record({ text: 'x'.repeat(1_300_000) });
    record({ text: 'x'.repeat(300_000) });
    assert.deepEqual(await lost(), { queue_full: 1 });
    record({ text: 'x'.repeat(100_000) });
    assert.deepEqual(await lost(), { queue_full: 1 });
    receiver.release();
    await eventually('those that fit', async () => receiver.taken().length === 4);
  });

  test('gives a batch up after a while, and goes on with the next', async (t) => {
    const { receiver, record, lost, troubles } = await start(t, { giveUpAfterMs: 20 });
    receiver.answer(...Array.from({ length: 1_000 }, () => ({ status: 503 })));
    for (let i = 0; i < 600; i++) record();
    await eventually('two losses', async () => (await lost()).given_up === 600);
    assert.equal(troubles.length, 1);
    const bodies = receiver.exports.map(({ body }) => body);
    assert.equal(new Set(bodies).size, 2);
  });

  test('a receiver that asks for more time than spans are kept gets no more than that', async (t) => {
    const { receiver, record } = await start(t, { giveUpAfterMs: 500 });
    receiver.answer({ status: 429, headers: { 'retry-after': '86400' } });
    record();
    await eventually('the same again', async () => receiver.taken().length === 1);
  });

  test('a receiver that never ends its answer is left after a while', async (t) => {
    const { receiver, record, troubles } = await start(t, { callTimeoutMs: 30 });
    receiver.hold();
    record();
    await eventually('another try', async () => receiver.exports.length > 1);
    receiver.release();
    await eventually('trouble', async () => troubles.length === 1);
    assert.match(troubles[0] ?? '', /timeout/);
  });
});

describe('the exporter', () => {
  test('loses what is not taken when it stops, and counts it', async (t) => {
    const { receiver, record, exporter, lost } = await start(t);
    receiver.hold();
    for (let i = 0; i < 1_300; i++) record();
    await eventually('a call', async () => receiver.exports.length === 1);
    await exporter.stop();
    assert.deepEqual(await lost(), { stopping: 1_300 });
    record();
    assert.deepEqual(await lost(), { stopping: 1_301 });
    assert.equal(exporter.queuedSpans, 0);
  });

  test('a stop does not wait for a receiver that wants time', async (t) => {
    const { receiver, record, exporter, lost, troubles } = await start(t, {
      minRetryMs: 60_000,
      maxRetryMs: 60_000,
    });
    receiver.answer({ status: 503 });
    record();
    await eventually('trouble', async () => troubles.length === 1);
    await exporter.stop();
    assert.equal(receiver.taken().length, 1);
    assert.deepEqual(await lost(), {});
  });

  test('has no more than a thousand receivers at a time; those in trouble give way', async (t) => {
    const { receiver, record, lost, targetAt } = await start(t);
    const targets = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => targetAt(`receiver-${from + i}`));
    receiver.hold();
    record({}, targets(0, 1_001));
    assert.deepEqual(await lost(), { queue_full: 1 });
    receiver.release();
    await eventually('all of them', async () => receiver.taken().length === 1_000);
    receiver.answer(...Array.from({ length: 1_000 }, () => ({ status: 400 })));
    record({}, targets(0, 1_000));
    await eventually('refusals', async () => (await lost()).refused === 1_000);
    record({}, targets(1_000, 1));
    await eventually('one more', async () => receiver.taken().length === 1_001);
  });

  test('a queue may hold what is left for all others', () => {
    const room = new QueueBudget(100);
    assert.ok(room.take(50, 0));
    assert.ok(!room.take(1, 50));
    assert.ok(room.take(25, 0));
    assert.ok(!room.take(26, 0));
    assert.ok(room.take(25, 0));
    assert.ok(!room.take(1, 0));
    room.release(50, 1);
    assert.equal(room.spans, 2);
    assert.ok(room.take(25, 25));
    assert.ok(!room.take(1, 50));
  });
});
