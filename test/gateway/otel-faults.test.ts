import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import {
  type BootOptions,
  type TestServer,
  bootServer,
  createDataDir,
  request,
} from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const ALLOW = { settings: { UPSTREAM_ALLOW: '127.0.0.1' } };

async function createTraced(
  server: TestServer,
  id: string,
  { origin }: Pick<OtlpReceiver, 'origin'>,
): Promise<void> {
  const body = {
    ...gatewayBody(id),
    otel: [{ url: `${origin}/secret-path`, authorization: 'Bearer very-secret-word', headers: {} }],
  };
  const { status, text } = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
    body,
  });
  assert.equal(status, 200, text);
}

async function run(server: TestServer, gatewayId: string): Promise<void> {
  const { status } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    headers: { 'cf-aig-gateway-id': gatewayId },
    body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
  });
  assert.equal(status, 200);
}

interface Counts {
  sent: number;
  refused: number;
  queued: number;
}

/** Spans that arrived, that the receivers did not want, and that wait. */
async function countsOf({ origin }: TestServer): Promise<Counts> {
  const { text } = await request('GET', `${origin}/metrics`);
  const read = (name: string): number => {
    const line = text
      .split('\n')
      .find((one) => one.startsWith(`latchkey_gateway_otel_spans_${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  return {
    sent: read('sent_total'),
    refused: read('dropped_total{reason="refused"}'),
    queued: read('queued'),
  };
}

const troublesOf = ({ logLines }: TestServer, { origin }: Pick<OtlpReceiver, 'origin'>) =>
  logLines.filter((line) => line.includes(`to ${origin}`));

let count = 0;

// Nothing here depends on the database.
describe('spans that do not arrive at once', () => {
  let server: TestServer;
  let start: Counts;
  before(async () => {
    server = await bootServer('sqlite', ALLOW);
  });
  after(() => server.stop());

  /** A gateway whose spans go to a receiver of its own. */
  async function trace(t: TestContext): Promise<{ id: string; receiver: OtlpReceiver }> {
    const receiver = await startOtlpReceiver();
    t.after(() => receiver.stop());
    const id = `traced-${++count}`;
    await createTraced(server, id, receiver);
    start = await countsOf(server);
    return { id, receiver };
  }

  /** Waits until that many more were counted than there had been. */
  async function becomes(expected: Partial<Counts>): Promise<void> {
    const wanted = { sent: 0, refused: 0, queued: 0, ...expected };
    await eventually(JSON.stringify(wanted), async () => {
      const { sent, refused, queued } = await countsOf(server);
      return (
        sent - start.sent === wanted.sent &&
        refused - start.refused === wanted.refused &&
        queued === wanted.queued
      );
    });
  }

  test('429, 502, 503, 504: sent again, not before the receiver wants it', async (t) => {
    const statuses = [429, 502, 503, 504];
    const traced = await Promise.all(statuses.map(() => trace(t)));
    for (const [index, { id, receiver }] of traced.entries()) {
      receiver.answer({ status: statuses[index] ?? 0, headers: { 'retry-after': '2' } });
      await run(server, id);
    }
    await becomes({ sent: statuses.length });
    for (const { receiver } of traced) {
      const [refused, taken, ...others] = receiver.exports;
      assert.ok(refused && taken);
      assert.deepEqual(others, []);
      assert.equal(refused.body, taken.body);
      // Without being asked, it would have come again after a second at most.
      assert.ok(taken.atMs - refused.atMs >= 1_990, `${taken.atMs - refused.atMs}`);
    }
  });

  test('any other status: dropped and counted, and the next are tried', async (t) => {
    const statuses = [302, 400, 401, 404, 413, 500, 501];
    const traced = await Promise.all(statuses.map(() => trace(t)));
    for (const [index, { id, receiver }] of traced.entries()) {
      receiver.answer({ status: statuses[index] ?? 0, headers: { location: receiver.origin } });
      await run(server, id);
    }
    await becomes({ refused: statuses.length });
    for (const [index, { id, receiver }] of traced.entries()) {
      const [trouble, ...others] = troublesOf(server, receiver);
      assert.deepEqual(others, []);
      assert.match(trouble ?? '', new RegExp(`status ${statuses[index]}`));
      assert.doesNotMatch(trouble ?? '', /secret/);
      await run(server, id);
    }
    await becomes({ refused: statuses.length, sent: statuses.length });
    for (const { receiver } of traced) assert.equal(receiver.exports.length, 2);
  });

  test('trouble is reported once, until there was none', async (t) => {
    const { id, receiver } = await trace(t);
    const refusal = { status: 400 };
    receiver.answer(refusal, refusal);
    await run(server, id);
    await becomes({ refused: 1 });
    await run(server, id);
    await becomes({ refused: 2 });
    assert.equal(troublesOf(server, receiver).length, 1);
    await run(server, id);
    await becomes({ refused: 2, sent: 1 });
    receiver.answer(refusal);
    await run(server, id);
    await becomes({ refused: 3, sent: 1 });
    assert.equal(troublesOf(server, receiver).length, 2);
  });

  test('a receiver that keeps only some says so', async (t) => {
    const { id, receiver } = await trace(t);
    const errorMessage = 'one of them is too old';
    const body = JSON.stringify({ partialSuccess: { rejectedSpans: '1', errorMessage } });
    receiver.answer({ status: 200, body });
    await Promise.all([run(server, id), run(server, id)]);
    await becomes({ refused: 1, sent: 1 });
    assert.match(troublesOf(server, receiver).join(), /rejected 1 spans: one of them is too old/);
  });

  test('whatever else a receiver says with 200, it has taken all', async (t) => {
    const bodies = [
      '',
      'not json',
      '"partialSuccess"',
      '{"partialSuccess":null}',
      '{"partialSuccess":{}}',
      '{"partialSuccess":{"rejectedSpans":0,"errorMessage":"deprecated"}}',
      '{"partialSuccess":{"rejectedSpans":"many"}}',
      `{"partialSuccess":{"rejectedSpans":"1","errorMessage":"${'x'.repeat(70_000)}"}}`,
    ];
    const traced = await Promise.all(bodies.map(() => trace(t)));
    for (const [index, { id, receiver }] of traced.entries()) {
      receiver.answer({ status: 200, body: bodies[index] ?? '' });
      await run(server, id);
    }
    await becomes({ sent: bodies.length });
    for (const { receiver } of traced) assert.deepEqual(troublesOf(server, receiver), []);
  });

  test('a receiver that takes its time holds up no request', async (t) => {
    const { id, receiver } = await trace(t);
    receiver.hold();
    for (let i = 0; i < 5; i++) await run(server, id);
    await eventually('a call', async () => receiver.exports.length === 1);
    for (let i = 0; i < 5; i++) await run(server, id);
    await becomes({ queued: 10 });
    receiver.release();
    await becomes({ sent: 10 });
    assert.equal(new Set(receiver.taken().map(({ spanId }) => spanId)).size, 10);
  });

  test('a receiver that goes and comes back gets what it missed, once', async (t) => {
    const { id, receiver } = await trace(t);
    await run(server, id);
    await becomes({ sent: 1 });
    await receiver.stop();
    await run(server, id);
    await eventually('trouble', async () => troublesOf(server, receiver).length === 1);
    await run(server, id);
    await becomes({ sent: 1, queued: 2 });
    await receiver.start();
    await becomes({ sent: 3 });
    assert.equal(new Set(receiver.taken().map(({ spanId }) => spanId)).size, 3);
    assert.equal(receiver.taken().length, 3);
    assert.equal(troublesOf(server, receiver).length, 1);
  });

  test('sealed headers of another gateway: there is no target, and the gateway works', async (t) => {
    const { id } = await trace(t);
    const { status } = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      body: gatewayBody('robber'),
    });
    assert.equal(status, 200);
    const { database } = server.app;
    await database.transaction(async (tx) => {
      const own = tx.selectFrom('gateways').select('otel').where('id', '=', id);
      const { otel } = await own.executeTakeFirstOrThrow();
      await tx.updateTable('gateways').set({ otel }).where('id', '=', 'robber').execute();
    });
    await run(server, 'robber');
    assert.match(server.logLines.join('\n'), /trace export header of the gateway robber/);
    await run(server, id);
    await becomes({ sent: 1 });
  });
});

describe('the end of a server', () => {
  /** A server that the test stops itself. */
  async function begin(t: TestContext, options: BootOptions = ALLOW) {
    const receiver = await startOtlpReceiver();
    const server = await bootServer('sqlite', options);
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => (stopping ??= server.stop());
    t.after(async () => {
      await stop();
      await receiver.stop();
    });
    await createTraced(server, 'traced', receiver);
    return { receiver, server, stop };
  }

  test('what waits is sent', async (t) => {
    const { server, receiver, stop } = await begin(t);
    for (let i = 0; i < 3; i++) await run(server, 'traced');
    await stop();
    assert.equal(receiver.taken().length, 3);
  });

  test('a receiver that is silent does not keep it', async (t) => {
    const { server, receiver, stop } = await begin(t);
    receiver.hold();
    await run(server, 'traced');
    await eventually('a call', async () => receiver.exports.length === 1);
    await run(server, 'traced');
    await stop();
    assert.doesNotMatch(server.logLines.join('\n'), /did not stop/);
  });

  test('what the next start may not call any more is not called, and that is counted', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const first = await begin(t, { ...ALLOW, dataDir });
    await first.stop();
    const server = await bootServer('sqlite', { dataDir, besides: first.server });
    try {
      await run(server, 'traced');
      await eventually('a loss', async () => (await countsOf(server)).refused === 1);
      assert.deepEqual(first.receiver.exports, []);
      assert.match(troublesOf(server, first.receiver).join(), /LATCHKEY_UPSTREAM_ALLOW/);
    } finally {
      await server.stop();
    }
  });
});
