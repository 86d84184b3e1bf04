import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type Action,
  EVENT_STREAM,
  HANG,
  RESET,
  answer,
  completion,
  delta,
  event,
  head,
  message,
} from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const MIB = 1024 * 1024;
const TTL_SECONDS = 60;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database, { clock });
    await bench.createGateway('cached', { cache_ttl: TTL_SECONDS });
  });
  after(() => bench.stop());

  const call = (model: string, headers: Record<string, string> = {}, extra = {}): Promise<Answer> =>
    bench.complete(model, { 'cf-aig-gateway-id': 'cached', ...headers }, extra);

  /** Whether an answer came from the cache. */
  const statusOf = ({ headers }: Answer): string | null => headers.get('cf-aig-cache-status');

  async function calls(name: string): Promise<number> {
    return (await bench.upstream.requests(name)).length;
  }

  /** Answers with another text each time. */
  const numbered = (model: string): Promise<void> =>
    bench.upstream.set(
      model,
      answer(200, completion('first')),
      answer(200, completion('second')),
      answer(200, completion('third')),
    );

  const textOf = ({ json }: Answer): string => json.choices[0].message.content;

  test('MISS, then HIT, with what belongs to the one request anew', async () => {
    const own = { 'x-model': '7', 'x-request-id': 'req_1', 'x-ratelimit-remaining': '5' };
    await bench.upstream.set('json', answer(200, completion('Grüße 🌍'), own));
    const first = await call('json');
    const second = await call('json', { 'cf-aig-event-id': 'again' });
    assert.deepEqual([statusOf(first), statusOf(second)], ['MISS', 'HIT']);
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('content-type'), 'application/json');
    assert.equal(second.headers.get('x-model'), '7');
    for (const name of ['x-upstream-request-id', 'x-ratelimit-remaining']) {
      assert.equal(second.headers.get(name), null, name);
    }
    for (const name of ['cf-aig-log-id', 'x-request-id']) {
      assert.ok(second.headers.get(name));
      assert.notEqual(second.headers.get(name), first.headers.get(name));
    }
    assert.equal(second.headers.get('cf-aig-event-id'), 'again');
    assert.equal(second.headers.get('cf-aig-provider'), 'openai');
    assert.equal(await calls('json'), 1);
    const log = (await bench.logs('cached')).find(({ event_id: id }) => id === 'again');
    assert.deepEqual([log.cached, log.cost, log.success, log.status_code], [true, 0, true, 200]);
    assert.deepEqual([log.tokens_in, log.tokens_out], [11, 7]);
  });

  test('a stream is replayed byte for byte', async () => {
    const text = delta('eins 🌍') + delta('zwei') + event('[DONE]');
    const bytes = Buffer.from(text);
    // In the middle of the globe.
    const split = bytes.indexOf(Buffer.from('🌍')) + 2;
    const pieces = [bytes.subarray(0, split), bytes.subarray(split)];
    await bench.upstream.set('stream', [
      head(200, EVENT_STREAM),
      ...pieces.map((piece): Action => ({ base64: piece.toString('base64') })),
    ]);
    const first = await call('stream', {}, { stream: true });
    const second = await call('stream', {}, { stream: true });
    assert.deepEqual([statusOf(second), second.text], ['HIT', text]);
    assert.equal(first.text, text);
    assert.equal(second.headers.get('content-type'), 'text/event-stream');
    assert.equal(await calls('stream'), 1);
  });

  test('translated answers are kept as the client got them', async () => {
    await bench.upstream.set('claude', answer(200, message('translated')));
    const extra = { max_tokens: 5 };
    const first = await call('anthropic/claude', {}, extra);
    const second = await call('anthropic/claude', {}, extra);
    assert.deepEqual([statusOf(second), second.text], ['HIT', first.text]);
    // The same call in other words is another one.
    const inAnthropicWords = await bench.server.call(
      'POST',
      `${bench.server.account}/ai/v1/messages`,
      {
        headers: { 'cf-aig-gateway-id': 'cached' },
        body: { model: 'anthropic/claude', messages: MESSAGES, ...extra },
      },
    );
    assert.deepEqual([statusOf(inAnthropicWords), inAnthropicWords.json.type], ['MISS', 'message']);
  });

  test("for the gateway's time, or the request's; 0 is never", async () => {
    await numbered('by-gateway');
    await call('by-gateway');
    clock.advance(TTL_SECONDS * 1_000 - 1);
    assert.equal(statusOf(await call('by-gateway')), 'HIT');
    clock.advance(1);
    assert.equal(textOf(await call('by-gateway')), 'second');

    await numbered('by-request');
    const ttl = { 'cf-aig-cache-ttl': '5' };
    await call('by-request', ttl);
    clock.advance(4_999);
    assert.equal(statusOf(await call('by-request')), 'HIT');
    clock.advance(1);
    assert.equal(statusOf(await call('by-request', ttl)), 'MISS');

    await numbered('never');
    const off = await call('never', { 'cf-aig-cache-ttl': '0' });
    assert.equal(statusOf(off), null);
    assert.equal(statusOf(await call('never')), 'MISS');
    // A gateway without a cache has one for whoever asks for it.
    await numbered('asked');
    for (const expected of ['MISS', 'HIT']) {
      assert.equal(statusOf(await bench.complete('asked', ttl)), expected);
    }
    assert.equal(statusOf(await bench.complete('asked')), null);
  });

  test('not read and not filled where the request says so', async () => {
    await numbered('skipped');
    const skip = { 'cf-aig-skip-cache': 'true' };
    assert.equal(statusOf(await call('skipped', skip)), null);
    assert.equal(textOf(await call('skipped')), 'second');
    assert.equal(textOf(await call('skipped', skip)), 'third');
    assert.equal(textOf(await call('skipped')), 'second');
  });

  test("by the body, or by the request's key instead of it", async () => {
    await numbered('keyed');
    const key = { 'cf-aig-cache-key': 'mine' };
    assert.equal(textOf(await call('keyed', key, { seed: 1 })), 'first');
    assert.equal(textOf(await call('keyed', key, { seed: 2 })), 'first');
    assert.equal(textOf(await call('keyed', {}, { seed: 1 })), 'second');
    assert.equal(textOf(await call('keyed', {}, { seed: 2 })), 'third');
    // It stands for the body alone: another provider, or path, is something else.
    await bench.upstream.set('other', answer(200, completion('other')));
    assert.equal(textOf(await call('groq/other', key)), 'other');
  });

  test('by every header that may tell the provider something', async () => {
    await bench.upstream.set('headers', answer(200, completion('same')));
    const others: Record<string, string>[] = [
      { 'x-end-user': 'alice' },
      { 'x-end-user': 'bob' },
      { 'x-amzn-bedrock-guardrailidentifier': 'strict' },
      { 'anthropic-beta': 'a' },
      { 'openai-project': 'p' },
      { accept: 'text/event-stream' },
    ];
    for (const headers of others) assert.equal(statusOf(await call('headers', headers)), 'MISS');
    for (const headers of others) assert.equal(statusOf(await call('headers', headers)), 'HIT');
    const plain: Record<string, string>[] = [
      { traceparent: '00-1-2-00' },
      { 'user-agent': 'another' },
      { 'x-stainless-retry-count': '1' },
      { 'x-client-request-id': 'anew' },
    ];
    assert.equal(statusOf(await call('headers')), 'MISS');
    for (const headers of plain) assert.equal(statusOf(await call('headers', headers)), 'HIT');
  });

  test('by the key that is lent: another one, or none any more, is another answer', async () => {
    await numbered('lent');
    const path = `${bench.server.account}/ai-gateway/gateways/cached/provider_configs`;
    const onIt = async () => textOf(await call('lent'));
    assert.deepEqual([await onIt(), await onIt()], ['first', 'first']);
    const { json } = await bench.server.call('POST', path, {
      body: {
        alias: 'prod',
        default_config: true,
        provider_slug: 'openai',
        secret: 'sk-one-0123456789',
      },
    });
    assert.deepEqual([await onIt(), await onIt()], ['second', 'second']);
    const config = `${path}/${json.result.id}`;
    const secret = 'sk-two-0123456789';
    assert.equal((await bench.server.call('PATCH', config, { body: { secret } })).status, 200);
    assert.deepEqual([await onIt(), await onIt()], ['third', 'third']);
    assert.equal((await bench.server.call('DELETE', config)).status, 200);
    assert.equal(await onIt(), 'first');
  });

  test('only what went well, and whole', async () => {
    const chunked = { ...EVENT_STREAM, 'transfer-encoding': 'chunked' };
    const piece = `${delta('one').length.toString(16)}\r\n${delta('one')}\r\n`;
    const unwanted: [string, Action[]][] = [
      ['status-400', answer(400, { error: {} })],
      ['status-429', answer(429, { error: {} })],
      ['status-500', answer(500, { error: {} })],
      ['status-302', answer(302, '', { location: '/' })],
      ['network', []],
      ['broken-off', [head(200, chunked), piece, RESET]],
      ['stalled', [head(200, EVENT_STREAM), delta('one'), HANG]],
    ];
    for (const [model, script] of unwanted) {
      await bench.upstream.set(model, script, answer(200, completion()));
      await call(model);
      assert.equal(statusOf(await call(model)), 'MISS', model);
      assert.equal(await calls(model), 2, model);
    }
    // What is cut off is no answer at all.
    const short = [head(200, { 'content-length': '99' }), '{"a":'];
    await bench.upstream.set('short', short, answer(200, completion()));
    await assert.rejects(call('short'));
    assert.equal(statusOf(await call('short')), 'MISS');
    // A translated one that nobody could read.
    await bench.upstream.set('odd', answer(200, 'no JSON'), answer(200, message()));
    await call('anthropic/odd', {}, { max_tokens: 5 });
    assert.equal(statusOf(await call('anthropic/odd', {}, { max_tokens: 5 })), 'MISS');
  });

  test('only what is asked with POST', async () => {
    await bench.upstream.set('models', answer(200, { data: [] }));
    for (let i = 0; i < 2; i++) {
      assert.equal(statusOf(await bench.callHost('GET', 'cached/openai/models')), null);
    }
    assert.equal(await calls('models'), 2);
  });

  test('each provider of a universal request by itself', async () => {
    await bench.upstream.set('failing', answer(500, { error: {} }));
    await numbered('backup');
    const entries = [entryOf('openai', 'failing'), entryOf('groq', 'backup')];
    const universal = () => bench.callHost('POST', 'cached', { body: entries });
    await universal();
    const second = await universal();
    assert.deepEqual([statusOf(second), second.headers.get('cf-aig-step')], ['HIT', '1']);
    assert.deepEqual([await calls('failing'), await calls('backup')], [2, 1]);
  });

  test('an answer of more than 25 MiB passes and is not kept', async () => {
    const bytes = 25 * MIB + 1;
    await bench.upstream.set('large', [
      head(200, { 'content-type': 'text/plain', 'content-length': String(bytes) }),
      { fillBytes: bytes },
    ]);
    assert.equal((await call('large')).text.length, bytes);
    await bench.upstream.set('large', answer(200, completion()));
    assert.equal(statusOf(await call('large')), 'MISS');
  });

  test('forgotten at an update of a gateway that says so, kept at that of another', async () => {
    for (const [id, forgets] of [
      ['forgets', true],
      ['remembers', false],
    ] as const) {
      const fields = { cache_ttl: TTL_SECONDS, cache_invalidate_on_update: forgets };
      await bench.createGateway(id, fields);
      await numbered(id);
      const onIt = () => bench.complete(id, { 'cf-aig-gateway-id': id });
      await onIt();
      assert.equal(statusOf(await onIt()), 'HIT');
      await bench.updateGateway(id, { ...fields, retry_max_attempts: 2 });
      assert.equal(statusOf(await onIt()), forgets ? 'MISS' : 'HIT');
      assert.equal(statusOf(await onIt()), 'HIT');
    }
  });
});
