import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import {
  AWAIT_RELEASE,
  EVENT_STREAM,
  HANG,
  RESET,
  answer,
  completion,
  delta,
  event,
  head,
} from '../support/scripted-upstream.ts';
import type { Json } from '../support/server.ts';
import { headerOf } from '../support/upstream-process.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';
import { UniversalClient } from './universal-client.ts';

const ECHO = entryOf('local', 'echo');

/** Universal requests over WebSocket: what comes over an open connection. */
onEachDatabase((database) => {
  let bench: ScriptedBench;
  let client: UniversalClient;
  before(async () => {
    bench = await startScripted(database, { settings: { UPSTREAM_IDLE_TIMEOUT_MS: '1500' } });
    client = await open();
  });
  after(() => bench.stop());

  const urlOf = (gateway: string): string =>
    `${bench.server.origin.replace('http:', 'ws:')}/v1/${bench.server.accountId}/${gateway}`;

  const open = (
    gateway = 'default',
    headers: Record<string, string> = {},
    token = bench.server.token,
  ): Promise<UniversalClient> =>
    UniversalClient.open(urlOf(gateway), { 'cf-aig-authorization': `Bearer ${token}`, ...headers });

  const lastLog = async (gateway = 'default'): Promise<Json> => (await bench.logs(gateway))[0];
  const isAborted = async (name: string): Promise<boolean> =>
    (await bench.upstream.requests(name))[0]?.isAborted === true;
  const contentOf = ({ response }: Json): string => response.choices[0].delta.content;

  describe('a whole answer', () => {
    test('is one message, with what the headers would tell', async () => {
      const written = JSON.stringify(completion(), undefined, 1).replace(
        '"created": 1',
        '"created": 1e999',
      );
      await bench.upstream.set(
        'whole',
        answer(200, written, { 'content-type': 'application/json' }),
      );
      const [created, ...rest] = await client.call(
        entryOf('openai', 'whole', { headers: { Authorization: 'Bearer sk-mine' } }),
      );
      assert.deepEqual(rest, []);
      const { logId } = created.metadata;
      assert.deepEqual(created.metadata, {
        eventId: created.metadata.eventId,
        logId,
        provider: 'openai',
        model: 'whole',
        step: '0',
        contentType: 'application/json',
        status: 200,
      });
      assert.equal(created.type, 'universal.created');
      assert.equal(created.response.choices[0].message.content, 'hello');
      const [sent] = await bench.upstream.requests('whole');
      assert.equal(headerOf(sent, 'authorization'), 'Bearer sk-mine');
      const log = await lastLog();
      assert.deepEqual(
        [log.id, log.request_type, log.event_id, log.tokens_in],
        [logId, 'universal', created.metadata.eventId, 11],
      );
    });

    test('that is no JSON comes as a text', async () => {
      await bench.upstream.set('words', answer(200, 'Grüße'));
      const [{ response, metadata }] = await client.call(entryOf('openai', 'words'));
      assert.deepEqual([response, metadata.contentType], ['Grüße', 'text/plain']);
      await bench.upstream.set('nothing', answer(204));
      assert.equal((await client.call(entryOf('openai', 'nothing')))[0].response, '');
    });

    test('that is no text comes as Base64', async () => {
      const sound = Buffer.from([0xff, 0xfb, 0x90, 0x00]).toString('base64');
      const type = { 'content-type': 'audio/mpeg', 'content-length': '4' };
      await bench.upstream.set('speech', [head(200, type), { base64: sound }]);
      const [{ response, metadata }] = await client.call(entryOf('openai', 'speech'));
      assert.deepEqual([response, metadata.encoding], [sound, 'base64']);
    });

    test('that came compressed is unpacked', async () => {
      const packed = gzipSync(JSON.stringify(completion('packed')));
      const headers = {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': String(packed.length),
      };
      await bench.upstream.set('packed', [
        head(200, headers),
        { base64: packed.toString('base64') },
      ]);
      const [{ response }] = await client.call(entryOf('openai', 'packed'));
      assert.equal(response.choices[0].message.content, 'packed');
      const broken = [
        head(200, headers),
        { base64: Buffer.alloc(packed.length).toString('base64') },
      ];
      await bench.upstream.set('broken', broken);
      assert.equal((await client.call(entryOf('openai', 'broken')))[0].error.code, 2005);
    });

    test('of a provider that refuses comes as it is', async () => {
      const error = { error: { message: 'no such model', type: 'invalid_request_error' } };
      await bench.upstream.set('refused', answer(404, error));
      const [created, ...rest] = await client.call(entryOf('openai', 'refused'));
      assert.deepEqual([created.metadata.status, created.response, rest], [404, error, []]);
    });
  });

  describe('a stream', () => {
    test('is told event by event, as they come', async () => {
      await bench.upstream.set('streams', [
        head(200, EVENT_STREAM) + delta('one'),
        AWAIT_RELEASE,
        delta('zwei 🌍') + event('[DONE]'),
      ]);
      const id = client.create(entryOf('openai', 'streams'));
      const first = await client.find(
        ({ type, metadata }) => type === 'universal.stream' && metadata.eventId === id,
      );
      assert.equal(contentOf(first), 'one');
      await bench.upstream.release();
      const [created, ...events] = await client.all(id);
      const done = events.pop();
      assert.deepEqual([created.type, created.response], ['universal.created', undefined]);
      assert.deepEqual(done, { type: 'universal.done', metadata: created.metadata });
      assert.equal(created.metadata.contentType, 'text/event-stream');
      assert.equal(created.metadata.provider, 'openai');
      const last = events.pop();
      assert.deepEqual(last, {
        type: 'universal.stream',
        metadata: { eventId: id },
        response: '[DONE]',
      });
      assert.deepEqual(events.map(contentOf), ['one', 'zwei 🌍']);
    });

    test('that breaks off ends with an error', async () => {
      const length = { 'content-length': '9999' };
      await bench.upstream.set('breaks', [
        head(200, { ...EVENT_STREAM, ...length }) + delta('one'),
        RESET,
      ]);
      const messages = await client.call(entryOf('openai', 'breaks'));
      assert.deepEqual(
        messages.map(({ type }) => type),
        ['universal.created', 'universal.stream', 'error'],
      );
      assert.equal(messages[2].error.code, 2005);
      assert.equal((await lastLog()).status_code, 502);
    });

    test('that falls silent ends with an error', async () => {
      await bench.upstream.set('silent', [head(200, EVENT_STREAM) + delta('one'), HANG]);
      const messages = await client.call(entryOf('openai', 'silent'));
      assert.equal(messages.at(-1).error.code, 2006);
    });

    test('whose event is too large ends with an error, and its provider is not listened to', async () => {
      await bench.upstream.set('huge', [
        `${head(200, EVENT_STREAM)}data: `,
        { fillBytes: 5 * 1024 * 1024 },
        HANG,
      ]);
      const messages = await client.call(entryOf('openai', 'huge'));
      assert.equal(messages.at(-1).error.code, 2005);
      await eventually('it is aborted', () => isAborted('huge'));
    });
  });

  test('a whole answer that breaks off is an error', async () => {
    const type = { 'content-type': 'application/json', 'content-length': '30000' };
    await bench.upstream.set('half', [`${head(200, type)}{"id":"${'x'.repeat(20_000)}`, RESET]);
    const [{ type: kind, error }] = await client.call(entryOf('openai', 'half'));
    assert.deepEqual([kind, error.code], ['error', 2005]);
  });

  test('several are under way at once; each message says whose it is', async () => {
    await bench.upstream.set('left', [
      head(200, EVENT_STREAM) + delta('l1'),
      AWAIT_RELEASE,
      delta('l2'),
    ]);
    await bench.upstream.set('right', [
      head(200, EVENT_STREAM) + delta('r1'),
      AWAIT_RELEASE,
      delta('r2'),
    ]);
    const left = client.create(entryOf('openai', 'left'));
    const right = client.create(entryOf('openai', 'right'));
    for (const id of [left, right]) {
      await client.find((one) => one.type === 'universal.stream' && one.metadata.eventId === id);
    }
    // What comes later need not wait for what came before.
    const [{ response }] = await client.call(ECHO);
    assert.equal(response.choices[0].message.content, 'hello');
    await bench.upstream.release();
    const contents = async (id: string): Promise<string[]> =>
      (await client.all(id)).filter(({ type }) => type === 'universal.stream').map(contentOf);
    assert.deepEqual(await contents(left), ['l1', 'l2']);
    assert.deepEqual(await contents(right), ['r1', 'r2']);
  });

  test('a list: the next step when one fails', async () => {
    await bench.upstream.set('fails', answer(500));
    const [{ metadata, response }] = await client.call([entryOf('openai', 'fails'), ECHO]);
    assert.deepEqual([metadata.step, metadata.provider], ['1', 'local']);
    assert.equal(response.choices[0].message.content, 'hello');
  });

  test('without an id it gets one', async () => {
    client.send({ type: 'universal.create', request: { ...ECHO, headers: { 'x-mine': 'no-id' } } });
    const { metadata } = await client.find(({ metadata: { eventId, logId } }) => eventId === logId);
    assert.match(metadata.logId, /^[\da-f-]{36}$/);
  });

  test('options of the handshake hold for all; those of a step go before', async () => {
    await bench.createGateway('options');
    const own = await open('options', {
      'cf-aig-metadata': '{"team":"a"}',
      'cf-aig-cache-ttl': '60',
    });
    await bench.upstream.set('cached', [head(200, EVENT_STREAM) + delta('one') + event('[DONE]')]);
    const entry = entryOf('openai', 'cached');
    const [missed] = await own.call(entry);
    assert.equal(missed.metadata.cacheStatus, 'MISS');
    const [hit, first] = await own.call(entry);
    assert.equal(hit.metadata.cacheStatus, 'HIT');
    assert.equal(contentOf(first), 'one');
    const [skipped] = await own.call({ ...entry, config: { skipCache: true } });
    assert.equal(skipped.metadata.cacheStatus, undefined);
    assert.equal((await lastLog('options')).metadata, '{"team":"a"}');
    own.webSocket.close();
  });

  test('429/2003: each request counts for the limit', async () => {
    await bench.createGateway('limited', { rate_limiting_interval: 3600, rate_limiting_limit: 2 });
    const own = await open('limited');
    for (let i = 0; i < 2; i++) assert.ok((await own.call(ECHO))[0].response);
    const [{ type, error, metadata }] = await own.call(ECHO);
    assert.deepEqual([type, error.code, error.status], ['error', 2003, 429]);
    assert.equal(error.message, 'Too many requests');
    assert.ok(error.retryAfter >= 1 && error.retryAfter <= 3600);
    assert.deepEqual(metadata, { eventId: 'event-3' });
    own.webSocket.close();
  });

  test('429/2003: 32 may be under way on a connection, and no more', async () => {
    await bench.upstream.set('waits', [
      head(200, EVENT_STREAM) + delta('one'),
      AWAIT_RELEASE,
      delta('two'),
    ]);
    const own = await open();
    const ids = Array.from({ length: 32 }, () => own.create(entryOf('openai', 'waits')));
    const [{ error }] = await own.call(ECHO);
    assert.deepEqual([error.code, error.status], [2003, 429]);
    const begun = (): number =>
      own.messages.filter(({ type }) => type === 'universal.stream').length;
    await eventually('all have begun', async () => begun() === ids.length);
    await bench.upstream.release();
    await Promise.all(ids.map((id) => own.all(id)));
    assert.ok((await own.call(ECHO))[0].response);
    own.webSocket.close();
  });

  describe('400: a message that cannot be understood', () => {
    const create = (request: unknown) => ({ type: 'universal.create', request });
    const nested = `${'['.repeat(68)}${']'.repeat(68)}`;
    const cases: [what: string, message: unknown, reason: RegExp, code?: number][] = [
      ['no JSON', '{', /JSON object/],
      ['no object', '[]', /JSON object/],
      ['another type', { type: 'universal.delete', request: ECHO }, /universal\.create/],
      ['no type', { request: ECHO }, /universal\.create/],
      ['nested too deep', `{"type":${nested}}`, /nested too deep/],
      ['no request', create(undefined), /one step or a list/],
      ['a request that is a text', create('hello'), /one step or a list/],
      ['an empty list', create([]), /\{provider, endpoint/],
      ['an empty id', create({ ...ECHO, eventId: '' }), /eventId/],
      ['a long id', create({ ...ECHO, eventId: 'x'.repeat(257) }), /eventId/],
      ['an id that is a number', create({ ...ECHO, eventId: 7 }), /eventId/],
      ['a step without provider', create({ endpoint: 'x', query: {} }), /provider/],
      ['an unknown provider', create(entryOf('nobody', 'x')), /Invalid provider/, 2008],
      ['a bad option', create({ ...ECHO, config: { maxAttempts: 99 } }), /max-attempts/, 2022],
    ];
    for (const [what, message, reason, code = 2020] of cases) {
      test(what, async () => {
        const own = await open();
        own.send(message);
        const { error } = await own.find(({ type }) => type === 'error');
        assert.deepEqual([error.code, error.status], [code, 400]);
        assert.match(error.message, reason);
        // The connection goes on.
        assert.ok((await own.call(ECHO))[0].response);
        own.webSocket.close();
      });
    }

    test('the longest id is understood', async () => {
      const id = 'x'.repeat(256);
      assert.equal((await client.all(client.create(ECHO, id)))[0].metadata.eventId, id);
    });

    test('a message that is no text closes the connection', async () => {
      const own = await open();
      own.webSocket.send(Buffer.from('{}'), { binary: true });
      assert.equal(await own.closed, 1003);
    });
  });

  describe('a client that leaves takes its upstream calls along', () => {
    for (const [when, script] of [
      ['in mid-stream', [head(200, EVENT_STREAM) + delta('one'), HANG]],
      ['before the answer', [HANG]],
    ] as const) {
      for (const how of ['close', 'terminate'] as const) {
        test(`${when}: ${how}`, async () => {
          const name = `leaves-${how}-${when.length}`;
          await bench.upstream.set(name, [...script]);
          const own = await open();
          own.create(entryOf('openai', name));
          const requests = () => bench.upstream.requests(name);
          await eventually('the call arrives', async () => (await requests()).length === 1);
          if (when === 'in mid-stream') await own.find(({ type }) => type === 'universal.stream');
          own.webSocket[how]();
          await eventually('it is aborted', () => isAborted(name));
          await eventually('it is logged', async () => {
            const log = await lastLog();
            return log.model === name && log.status_code === 499;
          });
        });
      }
    }
  });

  test('a client that takes nothing is cut off, and its upstream call with it', async () => {
    const large = delta('x'.repeat(1024 * 1024));
    await bench.upstream.set('much', [
      head(200, EVENT_STREAM),
      ...Array.from({ length: 24 }, () => large),
      HANG,
    ]);
    const own = await open();
    own.create(entryOf('openai', 'much'));
    own.webSocket.pause();
    await eventually('it is aborted', () => isAborted('much'));
    await eventually('it is logged', async () => (await lastLog()).status_code === 499);
    own.webSocket.terminate();
  });

  test('a credential that is taken back is worth nothing on an open connection', async () => {
    const { id, value } = await bench.server.createToken(['ai-gateway.run']);
    const own = await open('default', {}, value);
    assert.ok((await own.call(ECHO))[0].response);
    const rows = (await bench.logs()).length;
    await bench.server.call('DELETE', `${bench.server.account}/tokens/${id}`);
    const [{ type, error }] = await own.call(ECHO);
    assert.deepEqual([type, error.code, error.status], ['error', 2009, 401]);
    assert.equal(await own.closed, 1008);
    assert.equal((await bench.logs()).length, rows);
  });

  test('a provider is sent nothing of the handshake', async () => {
    await bench.upstream.set('clean', answer(200, completion()));
    const own = await open('default', { 'x-handshake': '1' });
    await own.call(entryOf('openai', 'clean', { headers: { 'X-Step': '2' } }));
    const [sent] = await bench.upstream.requests('clean');
    const names = sent?.headers.filter((_name, index) => index % 2 === 0);
    assert.deepEqual(names?.toSorted(), [
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-step',
    ]);
    assert.deepEqual(JSON.parse(sent?.body ?? ''), { model: 'clean', messages: MESSAGES });
    own.webSocket.close();
  });
});
