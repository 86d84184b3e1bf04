import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type Action,
  AWAIT_RELEASE,
  EVENT_STREAM,
  RESET,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, type Json, request } from '../support/server.ts';
import { MESSAGES, entryOf } from './scripted.ts';
import { UniversalClient } from './universal-client.ts';
import { type PayloadBench, startPayloads } from './stored-payloads.ts';

const MIB = 1024 * 1024;
const MAX_PAYLOAD_BYTES = 10 * MIB;

describe('bodies of log rows', () => {
  let bench: PayloadBench;
  before(async () => {
    bench = await startPayloads({ GATEWAY_BODY_LIMIT_BYTES: String(16 * MIB) });
    await bench.upstream.set('fine', answer(200, completion('fine')));
  });
  after(() => bench.stop());

  const logIdOf = ({ headers }: Answer): string | null => headers.get('cf-aig-log-id');
  const set: PayloadBench['upstream']['set'] = (...args) => bench.upstream.set(...args);
  /** What the answers that pass now take, as the metrics tell it. */
  async function bytesOfPassing(): Promise<number> {
    const { text } = await request('GET', `${bench.server.origin}/metrics`);
    const [, bytes] = /^latchkey_gateway_log_passing_bytes (\d+)$/m.exec(text) ?? [];
    return Number(bytes);
  }
  const rest = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    bench.server.call('POST', `${bench.server.account}/ai/${path}`, { body, headers });

  /** The row of one step of a universal request, which may come a moment later than its answer. */
  async function rowOf(eventId: string, step: number): Promise<Json> {
    let row: Json;
    await eventually(`${eventId} has a row`, async () => {
      row = (await bench.logs()).find((one) => one.event_id === eventId && one.step === step);
      return row !== undefined;
    });
    return row;
  }

  const written = '{ "model" : "openai/fine",\n"seed":12345678901234567890, "a":1, "a":2.0 }';
  const asIs: [string, (body: string) => Promise<Answer>, string][] = [
    ['REST', (body) => rest('v1/chat/completions', body), written],
    [
      'compat',
      (body) => bench.callHost('POST', 'default/compat/chat/completions', { body }),
      written,
    ],
    [
      'native',
      (body) => bench.callHost('POST', 'default/openai/chat/completions', { body }),
      written.replace('openai/', ''),
    ],
    [
      'run with a model in the body',
      (body) => rest('run', body),
      '{"model": "openai/fine", "input": {"messages": []}}',
    ],
    [
      'run with a model in the path',
      (body) => rest('run/openai/fine', body),
      '{"messages": [],  "x":1e0}',
    ],
  ];
  for (const [way, call, body] of asIs) {
    test(`the request as it came, the answer as the client got it: ${way}`, async () => {
      const answered = await call(body);
      assert.equal(answered.status, 200, answered.text);
      const kept = await bench.kept(logIdOf(answered));
      assert.deepEqual([kept.request, kept.response], [body, answered.text]);
      assert.deepEqual([kept.requestSize, kept.responseSize], [body.length, answered.text.length]);
      assert.deepEqual([kept.isRequestWhole, kept.isResponseWhole], [true, true]);
    });
  }

  test('of a universal request, the query of the step', async () => {
    const answered = await bench.callUniversal([entryOf('openai', 'fine')]);
    const kept = await bench.kept(logIdOf(answered));
    assert.equal(kept.request, JSON.stringify(entryOf('openai', 'fine').query));
    assert.deepEqual(kept.requestHeaders, { 'content-type': 'application/json' });
  });

  test('the same over WebSocket', async () => {
    const { origin, accountId, token } = bench.server;
    const client = await UniversalClient.open(
      `${origin.replace('http', 'ws')}/v1/${accountId}/default`,
      { 'cf-aig-authorization': `Bearer ${token}` },
    );
    const [created] = await client.call(entryOf('openai', 'fine'));
    client.webSocket.close();
    await client.closed;
    const kept = await bench.kept(created.metadata.logId);
    assert.equal(kept.request, JSON.stringify(entryOf('openai', 'fine').query));
    assert.equal(kept.response, JSON.stringify(completion('fine')));
  });

  test('both in the words of the client, where they are translated', async () => {
    await set('claude', answer(200, message('translated')));
    const body = JSON.stringify({ model: 'anthropic/claude', messages: MESSAGES, max_tokens: 5 });
    const answered = await rest('v1/chat/completions', body);
    const kept = await bench.kept(logIdOf(answered));
    assert.deepEqual([kept.request, kept.response], [body, answered.text]);
    assert.equal(kept.responseHeaders['content-type'], 'application/json');
  });

  test('an answer of this server itself', async () => {
    const answered = await bench.complete('local/echo');
    const kept = await bench.kept(logIdOf(answered));
    assert.equal(kept.response, answered.text);
  });

  const stream = delta('eins 🌍') + delta('zwei') + event('[DONE]');

  test('a stream, and the same from the cache', async () => {
    await set('stream', [
      head(200, EVENT_STREAM),
      delta('eins 🌍'),
      delta('zwei') + event('[DONE]'),
    ]);
    const cached = { 'cf-aig-cache-ttl': '60' };
    for (const status of ['MISS', 'HIT']) {
      const answered = await bench.complete('stream', cached, { stream: true });
      assert.equal(answered.headers.get('cf-aig-cache-status'), status);
      const kept = await bench.kept(logIdOf(answered));
      assert.deepEqual([kept.response, kept.isResponseWhole], [stream, true]);
      assert.equal(kept.responseHeaders['content-type'], 'text/event-stream');
    }
  });

  test('a stream that breaks off, with the event that says so', async () => {
    await set('breaks', [
      head(200, { ...EVENT_STREAM, 'content-length': '1000' }),
      delta('eins'),
      { waitMs: 20 },
      RESET,
    ]);
    const answered = await bench.complete('breaks', {}, { stream: true });
    const kept = await bench.kept(logIdOf(answered));
    assert.match(kept.response, /eins.*"error"/s);
    assert.deepEqual([kept.response, kept.isResponseWhole], [answered.text, true]);
  });

  test('as much of a stream as was there when its client left', async () => {
    await set('left', [head(200, EVENT_STREAM), delta('eins'), AWAIT_RELEASE]);
    const controller = new AbortController();
    const response = await fetch(
      `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.server.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'openai/left', messages: MESSAGES, stream: true }),
        signal: controller.signal,
      },
    );
    await response.body?.getReader().read();
    assert.equal(await bytesOfPassing(), Buffer.byteLength(delta('eins')));
    controller.abort();
    const id = response.headers.get('cf-aig-log-id');
    assert.equal((await bench.kept(id)).response, delta('eins'));
    assert.equal(await bytesOfPassing(), 0);
  });

  const refusals: [string, Action[]][] = [
    ['with its head', answer(429, { error: { message: 'slow down' } })],
    [
      'after its head',
      [
        head(429, { 'content-type': 'application/json' }),
        { waitMs: 100 },
        '{"error":{"message":"slow down"}}',
      ],
    ],
  ];
  for (const [when, script] of refusals) {
    test(`what a provider says when another takes its place: it comes ${when}`, async () => {
      await set(`refuses ${when}`, script);
      const id = `refused ${when}`;
      const answered = await bench.callUniversal(
        [entryOf('openai', `refuses ${when}`), entryOf('groq', 'fine')],
        { 'cf-aig-event-id': id },
      );
      assert.equal(answered.headers.get('cf-aig-step'), '1');
      const row = await rowOf(id, 0);
      assert.equal(row.status_code, 429);
      const kept = await bench.kept(row.id);
      assert.equal(kept.response, '{"error":{"message":"slow down"}}');
      assert.equal(kept.responseHeaders['content-type'], 'application/json');
    });
  }

  test('a refused answer that never ends is kept as far as it came', async () => {
    await set('trickles', [head(503, { 'content-type': 'text/plain' }), 'a part', AWAIT_RELEASE]);
    await bench.callUniversal([entryOf('openai', 'trickles'), entryOf('groq', 'fine')], {
      'cf-aig-event-id': 'trickles',
    });
    const row = await rowOf('trickles', 0);
    assert.equal((await bench.kept(row.id)).response, 'a part');
    await bench.upstream.release();
  });

  test('of several attempts, the answer of the last', async () => {
    await set('second-try', answer(500, 'first'), answer(200, completion('second')));
    const answered = await bench.complete('second-try', { 'cf-aig-max-attempts': '2' });
    assert.equal((await bench.kept(logIdOf(answered))).response, answered.text);
  });

  test('our own answer when the provider gives none', async () => {
    await set('resets', [RESET]);
    const answered = await bench.complete('resets');
    assert.equal(answered.status, 502);
    const kept = await bench.kept(logIdOf(answered));
    assert.deepEqual([kept.response, kept.isResponseWhole], [answered.text, true]);
  });

  test('a compressed answer is kept as what it holds', async () => {
    const text = JSON.stringify(completion('compressed'));
    const gzip = gzipSync(text);
    await set('gzip', [
      head(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': String(gzip.length),
      }),
      { base64: gzip.toString('base64') },
    ]);
    const kept = await bench.kept(logIdOf(await bench.complete('gzip')));
    assert.deepEqual([kept.response, kept.isResponseWhole], [text, true]);
    assert.equal(kept.responseSize, text.length);
  });

  test('of what cannot be read, the size only', async () => {
    await set('speech', [
      head(200, { 'content-type': 'audio/mpeg', 'content-length': '5' }),
      'sound',
    ]);
    const form = '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nsound\r\n--x--';
    const answered = await bench.callHost('POST', 'default/openai/audio/speech', {
      body: form,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    assert.equal(answered.text, 'sound');
    const kept = await bench.kept(logIdOf(answered));
    assert.deepEqual([kept.request, kept.response], ['', '']);
    assert.deepEqual([kept.requestSize, kept.responseSize], [form.length, 5]);
    assert.deepEqual([kept.isRequestWhole, kept.isResponseWhole], [false, false]);
  });

  test('no bodies where the request or its gateway says so', async () => {
    await bench.createGateway('discreet', { zdr: true });
    const silent = await bench.complete('fine', { 'cf-aig-collect-log-payload': 'false' });
    assert.equal(await bench.payload(logIdOf(silent)), undefined);
    const discreet = await bench.complete('fine', {
      'cf-aig-gateway-id': 'discreet',
      'cf-aig-collect-log-payload': 'true',
    });
    assert.ok(logIdOf(discreet));
    assert.equal(await bench.payload(logIdOf(discreet)), undefined);
    const unlogged = await bench.complete('fine', { 'cf-aig-collect-log': 'false' });
    assert.equal(logIdOf(unlogged), null);
  });

  /** A request and its answer of these sizes. */
  async function exchange(requestBytes: number, responseBytes: number) {
    await set('sized', [
      head(200, { 'content-type': 'text/plain', 'content-length': String(responseBytes) }),
      { fillBytes: responseBytes },
    ]);
    const shell = '{"model":"sized","x":""}'.length;
    const body = `{"model":"sized","x":"${'y'.repeat(requestBytes - shell)}"}`;
    const answered = await bench.callHost('POST', 'default/openai/chat/completions', { body });
    assert.equal(answered.text.length, responseBytes);
    const kept = await bench.kept(logIdOf(answered));
    assert.deepEqual([kept.requestSize, kept.responseSize], [requestBytes, responseBytes]);
    assert.ok(body.startsWith(kept.request) && answered.text.startsWith(kept.response));
    return kept;
  }

  const sizes: [string, number, number, number, number][] = [
    [
      'both below the limit',
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB - 1,
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB - 1,
    ],
    [
      'both at the limit',
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB,
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB,
    ],
    [
      'both above the limit',
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB + 1,
      3 * MIB,
      MAX_PAYLOAD_BYTES - 3 * MIB,
    ],
    ['a request at the limit', MAX_PAYLOAD_BYTES, 10, MAX_PAYLOAD_BYTES, 0],
    ['a request above the limit', MAX_PAYLOAD_BYTES + 1, 10, MAX_PAYLOAD_BYTES, 0],
  ];
  for (const [what, requestBytes, responseBytes, keptRequest, keptResponse] of sizes) {
    test(`10 MiB of a row, the request first: ${what}`, async () => {
      const kept = await exchange(requestBytes, responseBytes);
      assert.deepEqual([kept.request.length, kept.response.length], [keptRequest, keptResponse]);
      assert.equal(kept.isRequestWhole, keptRequest === requestBytes);
      assert.equal(kept.isResponseWhole, keptResponse === responseBytes);
    });
  }

  test('all header fields by name, and the values of harmless ones', async () => {
    await set(
      'headers',
      answer(200, completion(), { 'x-ratelimit-remaining': '5', 'x-generation-id': 'secret' }),
    );
    const answered = await request(
      'POST',
      `${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`,
      {
        token: bench.server.token,
        headers: { 'user-agent': 'a client', 'x-own': 'secret', 'cf-aig-metadata': '{"a":1}' },
        body: { model: 'openai/headers', messages: MESSAGES },
      },
    );
    const { requestHeaders, responseHeaders } = await bench.kept(logIdOf(answered));
    assert.equal(requestHeaders['user-agent'], 'a client');
    assert.equal(requestHeaders['cf-aig-metadata'], '{"a":1}');
    assert.deepEqual(
      [requestHeaders.authorization, requestHeaders['x-own']],
      ['[redacted]', '[redacted]'],
    );
    assert.equal(responseHeaders['x-ratelimit-remaining'], '5');
    assert.equal(responseHeaders['x-generation-id'], '[redacted]');
  });
});
