import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer, completion } from '../support/scripted-upstream.ts';
import { exchange } from '../support/raw-connection.ts';
import type { Answer } from '../support/server.ts';
import { headerOf } from '../support/upstream-process.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';

// Nothing here depends on the database.
describe('what a request says of its own treatment', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
    await bench.upstream.set('plain', answer(200, completion()));
  });
  after(() => bench.stop());

  const echo = (headers: Record<string, string> = {}): Promise<Answer> =>
    bench.complete('local/echo', headers);

  const lastLog = async () => (await bench.logs())[0];

  describe('values', () => {
    const x = (length: number): string => 'x'.repeat(length);
    const metadata = (length: number): string => `{"a":"${x(length - 8)}"}`;
    const good: Record<string, string[]> = {
      'cf-aig-skip-cache': ['true', 'false', '1', '0'],
      'cf-aig-cache-ttl': ['0', '1', '2592000'],
      'cf-aig-cache-key': ['a', x(256), 'Grüße'],
      'cf-aig-collect-log': ['true', 'false'],
      'cf-aig-collect-log-payload': ['true', 'false'],
      'cf-aig-metadata': ['{}', '{"a":1,"b":"c","d":true,"e":null}', metadata(8192)],
      'cf-aig-custom-cost': [
        '{"per_token_in":0,"per_token_out":0}',
        '{"per_token_in":1000,"per_token_out":0.000001}',
      ],
      'cf-aig-request-timeout': ['1', '3600000'],
      'cf-aig-max-attempts': ['1', '5'],
      'cf-aig-retry-delay': ['0', '5000'],
      'cf-aig-backoff': ['constant', 'linear', 'exponential'],
      'cf-aig-event-id': ['a', x(256)],
    };
    const bad: Record<string, string[]> = {
      'cf-aig-skip-cache': ['', 'yes', 'TRUE', '2'],
      'cf-aig-cache-ttl': ['', '-1', '2592001', '1.5', '1e3', 'abc', '99999999999'],
      'cf-aig-cache-key': ['', x(257)],
      'cf-aig-collect-log': ['', 'no'],
      'cf-aig-collect-log-payload': ['', 'off'],
      'cf-aig-metadata': ['', 'x', '[]', '"a"', 'null', '{"a":{}}', '{"a":[1]}', metadata(8193)],
      'cf-aig-custom-cost': [
        '',
        '{}',
        '{"per_token_in":1}',
        '{"per_token_in":-1,"per_token_out":1}',
        '{"per_token_in":1000.1,"per_token_out":1}',
        '{"per_token_in":"1","per_token_out":"1"}',
        '{"per_token_in":1e999,"per_token_out":1}',
      ],
      'cf-aig-request-timeout': ['', '0', '3600001', '-5', '1s'],
      'cf-aig-max-attempts': ['', '0', '6', '1.0'],
      'cf-aig-retry-delay': ['', '-1', '5001', '0x10'],
      'cf-aig-backoff': ['', 'none', 'Linear'],
      'cf-aig-byok-alias': ['', x(257)],
      'cf-aig-event-id': ['', x(257)],
    };

    for (const [name, values] of Object.entries(good)) {
      test(`${name} is taken`, async () => {
        for (const value of values) {
          const { status, text } = await echo({ [name]: value });
          assert.equal(status, 200, `${value.slice(0, 40)}: ${text}`);
        }
      });
    }

    for (const [name, values] of Object.entries(bad)) {
      test(`400/2022 names ${name}`, async () => {
        const before = (await bench.logs()).length;
        for (const value of values) {
          const { status, code, json } = await echo({ [name]: value });
          assert.deepEqual([status, code], [400, 2022], value.slice(0, 40));
          assert.ok(json.errors[0].message.includes(`${name} must`), json.errors[0].message);
        }
        assert.equal((await bench.logs()).length, before);
      });
    }

    test('the gateway host tells it in its own words', async () => {
      const { status, json } = await bench.callHost('POST', 'default/openai/chat/completions', {
        headers: { 'cf-aig-cache-ttl': 'soon' },
        body: {},
      });
      assert.deepEqual([status, json.name, json.internalCode], [400, 'AiGatewayError', 2022]);
      assert.match(json.error[0].message, /cf-aig-cache-ttl/);
    });

    test('400/2040: a stored key that there is not', async () => {
      const { status, code } = await bench.complete('plain', { 'cf-aig-byok-alias': 'none' });
      assert.deepEqual([status, code], [400, 2040]);
    });

    test('a header of ours that nobody knows is passed over', async () => {
      assert.equal((await echo({ 'cf-aig-later': 'x' })).status, 200);
    });
  });

  describe('the log', () => {
    test('has the first five metadata, the event id and the cost that the request names', async () => {
      const cost = '{"per_token_in":0.001,"per_token_out":0.01}';
      const { headers } = await bench.complete('plain', {
        'cf-aig-metadata': '{"a":1,"b":"zwei","c":true,"d":null,"e":5,"f":6}',
        'cf-aig-event-id': 'event-1',
        'cf-aig-custom-cost': cost,
      });
      const log = await lastLog();
      assert.equal(log.id, headers.get('cf-aig-log-id'));
      assert.equal(log.metadata, '{"a":1,"b":"zwei","c":true,"d":null,"e":5}');
      assert.equal(log.event_id, 'event-1');
      // 11 tokens in and 7 out.
      assert.deepEqual([log.cost, log.custom_cost], [0.081, true]);
      assert.deepEqual([log.step, log.cached, log.attempts], [0, false, 1]);
    });

    test('knows no price of a model that nobody knows, and of none that has no usage', async () => {
      await bench.complete('plain');
      assert.deepEqual([(await lastLog()).cost, (await lastLog()).custom_cost], [undefined, false]);
    });

    test('has no row where the request or the gateway says so; the request goes first', async () => {
      const rows = async (gatewayId: string) => (await bench.logs(gatewayId)).length;
      await bench.createGateway('quiet', { collect_logs: false });
      const quiet = { 'cf-aig-gateway-id': 'quiet' };
      const unlogged = await echo({ 'cf-aig-collect-log': 'false' });
      assert.equal(unlogged.headers.get('cf-aig-log-id'), null);
      assert.notEqual((await lastLog()).id, unlogged.headers.get('cf-aig-event-id'));
      assert.equal((await echo(quiet)).headers.get('cf-aig-log-id'), null);
      assert.equal(await rows('quiet'), 0);
      const { headers } = await echo({ ...quiet, 'cf-aig-collect-log': 'true' });
      assert.equal((await bench.logs('quiet'))[0].id, headers.get('cf-aig-log-id'));
    });
  });

  describe('what the gateway says of itself', () => {
    test('on every answer', async () => {
      const { headers } = await bench.complete('plain');
      assert.match(headers.get('cf-aig-log-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(headers.get('cf-aig-event-id'), headers.get('cf-aig-log-id'));
      assert.equal(headers.get('cf-aig-step'), '0');
      assert.equal(headers.get('cf-aig-provider'), 'openai');
      assert.equal(headers.get('cf-aig-model'), 'plain');
      assert.equal(headers.get('cf-aig-cache-status'), null);
    });

    test("the request's own event id", async () => {
      const { headers } = await echo({ 'cf-aig-event-id': 'mine' });
      assert.equal(headers.get('cf-aig-event-id'), 'mine');
      assert.notEqual(headers.get('cf-aig-log-id'), 'mine');
    });

    test("also on a provider's error, and on a model that no header can hold", async () => {
      await bench.upstream.set('grumpy', answer(400, { error: { message: 'no' } }));
      const { status, headers } = await bench.complete('grumpy');
      assert.deepEqual([status, headers.get('cf-aig-provider')], [400, 'openai']);
      assert.equal((await lastLog()).id, headers.get('cf-aig-log-id'));
      await bench.upstream.set('modèle 世界', answer(200, completion()));
      const odd = await bench.complete('modèle 世界');
      assert.deepEqual([odd.status, odd.headers.get('cf-aig-model')], [200, 'modle']);
    });

    test("and not the provider's word for it", async () => {
      const forged = { 'cf-aig-log-id': 'forged', 'cf-aig-cache-status': 'HIT' };
      await bench.upstream.set('forger', answer(200, completion(), forged));
      const { headers } = await bench.complete('forger');
      assert.notEqual(headers.get('cf-aig-log-id'), 'forged');
      assert.equal(headers.get('cf-aig-cache-status'), null);
    });
  });

  describe('what no HTTP request can have', () => {
    const bad: [string, Record<string, string>][] = [
      ['a line end in a value', { 'x-a': 'b\r\nx-injected: 1' }],
      ['a NUL in a value', { 'x-a': 'b\0' }],
      ['a value that is no Latin-1', { 'x-a': '世界' }],
      ['a name with a space', { 'x a': 'b' }],
      ['a name with a line end', { 'x-a: b\r\nx-injected': '1' }],
      ['an empty name', { '': 'b' }],
    ];
    for (const [what, headers] of bad) {
      test(`400: ${what}, from the entry of a universal request`, async () => {
        await bench.upstream.set('never', answer(200, completion()));
        const { status, json } = await bench.callUniversal([
          entryOf('openai', 'never', { headers }),
        ]);
        assert.deepEqual([status, json.name], [400, 'AiGatewayError']);
        assert.deepEqual(await bench.upstream.requests('never'), []);
      });
    }

    test('400: an address that is none, from the entry of a universal request', async () => {
      await bench.upstream.set('never', answer(200, completion()));
      for (const endpoint of [
        'a b',
        'a\r\nx-injected: 1',
        'a HTTP/1.1\r\n\r\n',
        '世界',
        '//x/y',
        '\0',
      ]) {
        const { status } = await bench.callUniversal([{ ...entryOf('openai', 'never'), endpoint }]);
        const urls = (await bench.upstream.requests('never')).map(({ url }) => url);
        const isSafe = urls.every((url) => /^\/v1\/[!-~]*$/.test(url));
        assert.ok(
          status === 400 || isSafe,
          `${JSON.stringify(endpoint)}: ${status} ${urls.join()}`,
        );
      }
    });

    test('400/2022: in what the gateway itself would send back', async () => {
      for (const value of ['a\r\nset-cookie: b=c', '世界', 'a\0']) {
        const headers = { 'cf-aig-event-id': value };
        const { status, code, json } = await bench.callUniversal([
          entryOf('local', 'echo', { headers }),
        ]);
        assert.deepEqual([status, code], [400, 2022], JSON.stringify(value));
        assert.match(json.error[0].message, /cf-aig-event-id/);
      }
    });

    test('a body that breaks off before its end calls nobody', async () => {
      await bench.upstream.set('half-body', answer(200, completion()));
      const path = `/client/v4/accounts/${bench.server.accountId}/ai/v1/chat/completions`;
      const { status } = await exchange(
        bench.server.origin,
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
          `authorization: Bearer ${bench.server.token}\r\ntransfer-encoding: chunked\r\n\r\n` +
          '5\r\n{"mod\r\nzz\r\n',
      );
      assert.equal(status, 400);
      assert.deepEqual(await bench.upstream.requests('half-body'), []);
    });
  });

  describe('headers on every way', () => {
    /** What must not go to a provider. */
    const unwanted = (): Record<string, string> => ({
      'cf-aig-metadata': '{"a":1}',
      'cf-aig-event-id': 'x',
      cookie: 'latchkey_session=x',
      'keep-alive': 'timeout=5',
      'proxy-authorization': 'Basic x',
      te: 'trailers',
      'x-forwarded-for': '192.0.2.1',
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      'x-named': 'by Connection',
    });
    const received = {
      'set-cookie': 'a=b',
      connection: 'close, x-private',
      'x-private': '1',
      'keep-alive': 'timeout=5',
      'proxy-authenticate': 'Basic',
      trailer: 'x',
      'strict-transport-security': 'max-age=1',
      'alt-svc': 'h3=":443"',
      'x-inference-id': 'yes',
    };
    const ways: [string, (model: string) => { path: string; body: unknown; isRest?: boolean }][] = [
      [
        'REST',
        (model) => ({
          path: `/client/v4/accounts/${bench.server.accountId}/ai/v1/chat/completions`,
          body: { model: `openai/${model}`, messages: MESSAGES },
          isRest: true,
        }),
      ],
      [
        'native',
        (model) => ({
          path: `/v1/${bench.server.accountId}/default/openai/chat/completions`,
          body: { model, messages: MESSAGES },
        }),
      ],
      [
        'compat',
        (model) => ({
          path: `/v1/${bench.server.accountId}/default/compat/chat/completions`,
          body: { model: `openai/${model}`, messages: MESSAGES },
        }),
      ],
      [
        'universal',
        (model) => ({
          path: `/v1/${bench.server.accountId}/default`,
          body: [entryOf('openai', model, { headers: { ...unwanted(), connection: 'x-named' } })],
        }),
      ],
    ];
    for (const [way, callOf] of ways) {
      test(way, async () => {
        const model = `headers-${way}`;
        await bench.upstream.set(model, answer(200, completion(), received));
        const { path, body, isRest = false } = callOf(model);
        const { token, origin } = bench.server;
        const text = JSON.stringify(body);
        const lines = {
          ...unwanted(),
          host: 'x',
          connection: 'close, X-Named',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          [isRest ? 'authorization' : 'cf-aig-authorization']: `Bearer ${token}`,
          // Elsewhere than it belongs.
          'x-api-key': token,
        };
        const { status, headers } = await exchange(
          origin,
          `POST ${path} HTTP/1.1\r\n${Object.entries(lines)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}\r\n${text}`,
        );
        assert.equal(status, 200);
        const [sent] = await bench.upstream.requests(model);
        assert.ok(sent);
        for (const name of Object.keys(unwanted())) {
          assert.equal(headerOf(sent, name), undefined, name);
        }
        assert.equal(sent.headers.join('\n').includes(token), false);
        assert.equal(headerOf(sent, 'authorization'), 'Bearer sk-openai');
        assert.equal(headerOf(sent, 'accept-encoding'), 'identity');
        const { 'x-inference-id': passed, ...others } = received;
        assert.equal(headers['x-inference-id'], passed);
        const own = new Set(['connection', 'keep-alive', 'strict-transport-security']);
        for (const [name, value] of Object.entries(others)) {
          const got = headers[name];
          if (own.has(name)) assert.notEqual(got, value, name);
          else assert.equal(got, undefined, name);
        }
      });
    }
  });
});
