import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../support/otlp-receiver.ts';
import {
  EVENT_STREAM,
  RESET,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

let count = 0;
const fresh = (): string => `traced-${++count}`;

const ERROR = 2;
const CLIENT = 3;

// Nothing here depends on the database. Spans are sent once a second: the tests wait together.
describe('what the spans of a gateway tell', { concurrency: true }, () => {
  let bench: ScriptedBench;
  let receiver: OtlpReceiver;
  before(async () => {
    receiver = await startOtlpReceiver();
    bench = await startScripted('sqlite', {
      settings: { UPSTREAM_ALLOW: '127.0.0.1', BRAND: 'doorman' },
    });
    await bench.upstream.set('fine', answer(200, completion()));
  });
  after(async () => {
    await bench.stop();
    await receiver.stop();
  });

  async function createTraced(fields: object = {}): Promise<string> {
    const id = fresh();
    await bench.createGateway(id, { otel: [{ url: receiver.origin, headers: {} }], ...fields });
    return id;
  }

  const on = (gatewayId: string) => ({ 'cf-aig-gateway-id': gatewayId });

  async function onlySpan(gatewayId: string): Promise<ReceivedSpan> {
    const [span] = await receiver.spansOf(gatewayId, 1);
    assert.ok(span);
    return span;
  }

  test('a chat completion', async () => {
    const id = await createTraced();
    const beforeMs = Date.now();
    const { status, headers } = await bench.complete('fine', {
      ...on(id),
      'cf-aig-event-id': 'event-1',
      'cf-aig-metadata': '{"team":"a","tries":2,"beta":true,"none":null}',
      'cf-aig-custom-cost': '{"per_token_in":0.001,"per_token_out":0.002}',
    });
    assert.equal(status, 200);
    const span = await onlySpan(id);
    const { port } = new URL(bench.upstream.origin);
    const requestId = headers.get('x-request-id') ?? '';
    const logId = headers.get('cf-aig-log-id') ?? '';
    const { 'latchkey.token.id': tokenId, ...attributes } = span.attributes;
    assert.match(String(tokenId), /^[0-9a-f]{32}$/);
    assert.deepEqual(attributes, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'fine',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cost': 0.025,
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'latchkey.account.id': bench.server.accountId,
      'latchkey.gateway.id': id,
      'latchkey.request.id': requestId,
      'latchkey.log.id': logId,
      'latchkey.event.id': 'event-1',
      'latchkey.step': 0,
      'latchkey.attempts': 1,
      'latchkey.cached': false,
      'latchkey.cost_usd': 0.025,
      'latchkey.metadata.team': 'a',
      'latchkey.metadata.tries': 2,
      'latchkey.metadata.beta': true,
    });
    assert.deepEqual(span.resource, { 'service.name': 'doorman' });
    assert.deepEqual([span.name, span.kind, span.status], ['chat fine', CLIENT, 0]);
    assert.equal(span.traceId, requestId.replaceAll('-', ''));
    assert.equal(span.spanId, logId.slice(-17).replace('-', ''));
    assert.deepEqual([span.parentSpanId, span.flags], [undefined, 0x101]);
    assert.ok(span.startMs >= beforeMs && span.endMs <= Date.now());
  });

  test('nothing of what was asked and answered is in it', async () => {
    const id = await createTraced();
    await bench.upstream.set('secretive', answer(200, completion('answered-word')));
    await bench.complete('secretive', on(id), {
      messages: [{ role: 'user', content: 'asked-word' }],
    });
    await onlySpan(id);
    const bodies = receiver.exports.map(({ body }) => body).join('\n');
    assert.doesNotMatch(bodies, /asked-word|answered-word/);
  });

  test('a stream tells when its first bytes came', async () => {
    const id = await createTraced();
    const usage = event({
      choices: [],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 8 },
      },
    });
    await bench.upstream.set('streams', [
      head(200, EVENT_STREAM),
      delta('one'),
      usage,
      event('[DONE]'),
    ]);
    await bench.complete('streams', on(id), { stream: true });
    const { attributes, startMs, endMs } = await onlySpan(id);
    assert.equal(attributes['gen_ai.request.stream'], true);
    assert.deepEqual(
      [
        attributes['gen_ai.usage.input_tokens'],
        attributes['gen_ai.usage.output_tokens'],
        attributes['gen_ai.usage.cache_read.input_tokens'],
      ],
      [20, 3, 8],
    );
    const firstSeconds = attributes['gen_ai.response.time_to_first_chunk'];
    assert.ok(typeof firstSeconds === 'number', String(firstSeconds));
    assert.ok(firstSeconds >= 0 && firstSeconds * 1_000 <= endMs - startMs);
  });

  test('what a provider has written to its cache', async () => {
    const id = await createTraced();
    const usage = {
      input_tokens: 4,
      output_tokens: 5,
      cache_read_input_tokens: 6,
      cache_creation_input_tokens: 7,
    };
    await bench.upstream.set('caches', answer(200, { ...message(), usage }));
    await bench.complete('anthropic/caches', on(id), { max_tokens: 9 });
    const { attributes } = await onlySpan(id);
    assert.equal(attributes['gen_ai.provider.name'], 'anthropic');
    assert.deepEqual(
      [
        'input_tokens',
        'output_tokens',
        'cache_read.input_tokens',
        'cache_creation.input_tokens',
      ].map((name) => attributes[`gen_ai.usage.${name}`]),
      [17, 5, 6, 7],
    );
  });

  test('an error of the provider, and one that is not there', async () => {
    const id = await createTraced();
    await bench.upstream.set('refuses', answer(404, { error: { message: 'no' } }));
    await bench.complete('refuses', on(id));
    await bench.complete('mistral/gone', on(id));
    const [refused, gone] = await receiver.spansOf(id, 2);
    assert.deepEqual([refused?.status, refused?.attributes['error.type']], [ERROR, '404']);
    assert.equal(refused?.attributes['http.response.status_code'], 404);
    assert.deepEqual([gone?.status, gone?.attributes['error.type']], [ERROR, '502']);
    assert.equal(gone?.attributes['gen_ai.provider.name'], 'mistral_ai');
    // What nobody knows is not there.
    assert.ok(!('gen_ai.usage.input_tokens' in (gone?.attributes ?? {})));
    assert.ok(!('gen_ai.usage.cost' in (gone?.attributes ?? {})));
  });

  test('a stream that breaks off has failed, whatever it began with', async () => {
    const id = await createTraced();
    await bench.upstream.set('breaks', [
      head(200, { ...EVENT_STREAM, 'content-length': '999' }),
      delta('one'),
      RESET,
    ]);
    const { status } = await bench.complete('breaks', on(id), { stream: true });
    assert.equal(status, 200);
    const span = await onlySpan(id);
    assert.deepEqual([span.status, span.attributes['error.type']], [ERROR, '502']);
    assert.equal(span.attributes['gen_ai.request.stream'], true);
  });

  test('the steps of a universal request: one trace, one after the other', async () => {
    const id = await createTraced();
    await bench.upstream.set('fails', answer(500, { error: {} }));
    await bench.callHost('POST', id, {
      body: [entryOf('openai', 'fails'), entryOf('groq', 'fine')],
      headers: { 'cf-aig-max-attempts': '2', 'cf-aig-retry-delay': '0' },
    });
    const [first, second] = await receiver.spansOf(id, 2);
    assert.ok(first && second);
    assert.equal(first.traceId, second.traceId);
    assert.notEqual(first.spanId, second.spanId);
    assert.deepEqual(
      [first, second].map(({ status, attributes }) => [
        status,
        attributes['latchkey.step'],
        attributes['latchkey.attempts'],
      ]),
      [
        [ERROR, 0, 2],
        [0, 1, 1],
      ],
    );
    assert.equal(second.startMs, first.endMs);
  });

  test('the trace of the caller goes on', async () => {
    const id = await createTraced();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const parent = 'b7ad6b7169203331';
    const wrong = [
      `00-${'0'.repeat(32)}-${parent}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId}-${parent}-01-more`,
      `ff-${traceId}-${parent}-01`,
      `00-${traceId.toUpperCase()}-${parent}-01`,
      `00-${traceId}-${parent}`,
      'nonsense',
    ];
    const right = [
      `00-${traceId}-${parent}-01`,
      `00-${traceId}-${parent}-00`,
      `cc-${traceId}-${parent}-01-more`,
    ];
    for (const traceparent of [...right, ...wrong]) {
      await bench.complete('local/echo', { ...on(id), traceparent });
    }
    const spans = await receiver.spansOf(id, right.length + wrong.length);
    for (const span of spans.slice(0, right.length)) {
      assert.deepEqual([span.traceId, span.parentSpanId, span.flags], [traceId, parent, 0x301]);
    }
    for (const span of spans.slice(right.length)) {
      assert.notEqual(span.traceId, traceId);
      assert.equal(span.parentSpanId, undefined);
    }
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  });

  test('an answer from the cache', async () => {
    const id = await createTraced({ cache_ttl: 60 });
    await bench.complete('fine', on(id));
    const { headers } = await bench.complete('fine', on(id));
    assert.equal(headers.get('cf-aig-cache-status'), 'HIT');
    const [missed, hit] = await receiver.spansOf(id, 2);
    assert.equal(missed?.attributes['latchkey.cached'], false);
    assert.deepEqual(
      [hit?.attributes['latchkey.cached'], hit?.attributes['latchkey.cost_usd']],
      [true, 0],
    );
  });

  test('embeddings, native paths, and what has no model', async () => {
    const id = await createTraced();
    await bench.server.call('POST', `${bench.server.account}/ai/v1/embeddings`, {
      headers: on(id),
      body: { model: 'local/echo', input: 'x' },
    });
    for (const [path, body] of [
      ['chat/completions', { model: 'fine', messages: MESSAGES }],
      ['completions', { model: 'fine', prompt: 'x' }],
      ['files', {}],
    ] as const) {
      await bench.callHost('POST', `${id}/openai/${path}`, { body });
    }
    const spans = await receiver.spansOf(id, 4);
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['embeddings echo', 'chat fine', 'text_completion fine', 'request'],
    );
    // A provider inside this process has no address.
    assert.ok(!('server.address' in (spans[0]?.attributes ?? {})));
  });

  test('spans are sent without a log, too', async () => {
    const id = await createTraced({ collect_logs: false });
    await bench.complete('fine', on(id));
    const { attributes } = await onlySpan(id);
    assert.ok(!('latchkey.log.id' in attributes));
    assert.deepEqual(await bench.logs(id), []);
  });

  test('every target gets its span, at the address that it has for traces', async () => {
    const { origin } = receiver;
    const id = await createTraced({
      otel: [
        { url: origin, headers: { 'x-team': 'root' } },
        { url: `${origin}/base/`, headers: { 'x-team': 'base' } },
        { url: `${origin}/otlp/v1/traces/`, headers: { 'x-team': 'whole' } },
        { url: `${origin}/api/v0.2/traces`, authorization: 'Bearer of-vendor', headers: {} },
        { url: `${origin}/v2/trace/otlp`, headers: { 'X-Team': 'segment' } },
      ],
    });
    await bench.complete('fine', on(id));
    await receiver.spansOf(id, 5);
    const sent = receiver.exports
      .filter(({ spans }) => spans.some((span) => span.attributes['latchkey.gateway.id'] === id))
      .map(({ url, headers }) => [url, headers['x-team'] ?? headers.authorization])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    assert.deepEqual(sent, [
      ['/api/v0.2/traces', 'Bearer of-vendor'],
      ['/base/v1/traces', 'base'],
      ['/otlp/v1/traces/', 'whole'],
      ['/v1/traces', 'root'],
      ['/v2/trace/otlp', 'segment'],
    ]);
  });

  test('a gateway without targets sends nothing; one that loses them stops', async () => {
    const id = await createTraced();
    await bench.complete('fine', on(id));
    await onlySpan(id);
    await bench.updateGateway(id, { otel: [] });
    await bench.complete('fine', on(id));
    await bench.complete('fine');
    // What comes later for another gateway has passed them by.
    const other = await createTraced();
    await bench.complete('fine', on(other));
    await onlySpan(other);
    await receiver.spansOf(id, 1);
    await receiver.spansOf('default', 0);
  });
});
