import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { type RecordedRequest, type Upstream, startUpstream } from '../support/upstream-process.ts';

const MESSAGES = [{ role: 'user', content: 'hello' }];

onEachDatabase((database) => {
  let server: TestServer;
  let upstream: Upstream;
  let completions: string;
  let native: string;
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer(database, {
      settings: {
        PROVIDER_OPENAI_BASE_URL: `${upstream.baseUrl}/`,
        PROVIDER_OPENAI_API_KEY: 'sk-stored',
        UPSTREAM_HEADERS_TIMEOUT_MS: '700',
        UPSTREAM_IDLE_TIMEOUT_MS: '700',
        GATEWAY_BODY_LIMIT_BYTES: '4096',
      },
    });
    completions = `${server.baseUrl}${server.account}/ai/v1/chat/completions`;
    native = `${server.origin}/v1/${server.accountId}/default/openai`;
    await complete('plain');
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  const complete = (model: string, headers: Record<string, string> = {}) =>
    request('POST', completions, {
      token: server.token,
      headers,
      body: { model: `openai/${model}`, messages: MESSAGES },
    });

  const callNative = (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    request(method, `${native}/${path}`, {
      body: options.body,
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...options.headers },
    });

  const lastRecorded = async (): Promise<RecordedRequest> => {
    const last = (await upstream.recorded()).at(-1);
    assert.ok(last);
    return last;
  };

  const lastLog = async (): Promise<Json> => {
    const path = `${server.account}/ai-gateway/gateways/default/logs?per_page=1`;
    return (await server.call('GET', path)).json.result[0];
  };

  describe('what the provider gets', () => {
    test('the body byte for byte, but for the prefix of the model', async () => {
      const body =
        '{ "messages" :[{"role":"user","content":"1.0 and 12345678901234567890"}],"n":1.0,\n"model":"openai/gpt-x"}';
      await request('POST', completions, { token: server.token, body });
      const { method, url, body: sent } = await lastRecorded();
      assert.deepEqual([method, url], ['POST', '/v1/chat/completions']);
      assert.equal(sent.replaceAll(' ', ''), body.replace('openai/', '').replaceAll(' ', ''));
    });

    test('on its own paths, everything as it came', async () => {
      const path = 'files/a%2Fb%20c?limit=2&after=%C3%A9&x';
      await callNative('GET', path);
      const got = await lastRecorded();
      assert.deepEqual([got.method, got.url, got.body], ['GET', `/v1/${path}`, '']);
      await callNative('POST', 'chat/completions', { body: '{"model":"openai/kept" }' });
      assert.equal((await lastRecorded()).body, '{"model":"openai/kept" }');
      await callNative('POST', 'audio', {
        body: Buffer.from([0, 255, 1]),
        headers: { 'content-type': 'application/octet-stream' },
      });
      const { headers } = await lastRecorded();
      assert.equal(headerOf(headers, 'content-length'), '3');
      assert.equal(headerOf(headers, 'content-type'), 'application/octet-stream');
    });

    test('no header of the hop, of the gateway, and no credential of ours', async () => {
      const headers = {
        'cf-aig-metadata': '{"a":1}',
        'cf-aig-gateway-id': 'default',
        cookie: 'session=ours',
        'x-api-key': server.token,
        'x-forwarded-for': '192.0.2.1',
        forwarded: 'for=192.0.2.1',
        te: 'trailers',
        'x-stainless-lang': 'js',
        'openai-organization': 'org-1',
      };
      await complete('plain', headers);
      const { headers: sent } = await lastRecorded();
      for (const name of Object.keys(headers).slice(0, 7)) {
        assert.equal(headerOf(sent, name), undefined, name);
      }
      assert.equal(headerOf(sent, 'authorization'), 'Bearer sk-stored');
      assert.equal(headerOf(sent, 'x-stainless-lang'), 'js');
      assert.equal(headerOf(sent, 'openai-organization'), 'org-1');
      assert.equal(headerOf(sent, 'accept-encoding'), 'identity');
      assert.equal(headerOf(sent, 'host'), new URL(upstream.baseUrl).host);
      assert.equal(sent.join('\n').includes(server.token), false);
    });

    test('headers that Connection names stay behind', async () => {
      const { port } = new URL(server.origin);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET /v1/${server.accountId}/default/openai/models HTTP/1.1\r\nhost: x\r\n` +
          `cf-aig-authorization: Bearer ${server.token}\r\n` +
          'connection: close, X-Private\r\nx-private: 1\r\nx-public: 2\r\n\r\n',
      );
      socket.resume();
      await once(socket, 'close');
      const { headers } = await lastRecorded();
      assert.equal(headerOf(headers, 'x-private'), undefined);
      assert.equal(headerOf(headers, 'x-public'), '2');
    });

    test("on its own paths, the caller's key instead of the stored one; ours never", async () => {
      await callNative('GET', 'models', { headers: { authorization: 'Bearer sk-own' } });
      assert.equal(headerOf((await lastRecorded()).headers, 'authorization'), 'Bearer sk-own');
      await callNative('GET', 'models', { headers: { authorization: `Bearer ${server.token}` } });
      assert.equal(headerOf((await lastRecorded()).headers, 'authorization'), 'Bearer sk-stored');
      await callNative('GET', 'models');
      assert.equal(headerOf((await lastRecorded()).headers, 'authorization'), 'Bearer sk-stored');
    });
  });

  describe('what the caller gets', () => {
    test("the provider's answer, without what would speak for our host", async () => {
      const { status, headers, json } = await complete('strange-headers');
      assert.equal(status, 200);
      assert.equal(json.choices[0].message.content, 'Grüße 🌍');
      for (const name of [
        'set-cookie',
        'x-private',
        'strict-transport-security',
        'access-control-allow-origin',
      ]) {
        assert.equal(headers.get(name), null, name);
      }
      assert.equal(headers.get('x-ratelimit-remaining'), '5');
      assert.equal(headers.get('x-upstream-request-id'), 'req_upstream');
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.match(headers.get('cf-aig-log-id') ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      assert.equal(headers.get('cf-aig-provider'), 'openai');
      assert.equal(headers.get('cf-aig-step'), '0');
    });

    test("a provider's own error unchanged", async () => {
      const { status, headers, json } = await complete('rate-limited');
      assert.equal(status, 429);
      assert.equal(headers.get('retry-after'), '7');
      assert.deepEqual(json, { error: { message: 'slow down', type: 'requests' } });
      const log = await lastLog();
      assert.deepEqual([log.status_code, log.success], [429, false]);
    });

    test('502/2005: the provider hangs up, or is not there', async () => {
      const hungUp = await complete('hangs-up');
      assert.deepEqual([hungUp.status, hungUp.code], [502, 2005]);
      assert.equal(hungUp.json.error.type, 'api_error');
      assert.equal((await lastLog()).status_code, 502);

      const own = await bootServer(database, {
        settings: { PROVIDER_OPENAI_BASE_URL: 'http://127.0.0.1:1' },
      });
      const url = `${own.origin}/v1/${own.accountId}/default/openai/models`;
      const headers = { 'cf-aig-authorization': `Bearer ${own.token}` };
      const unreachable = await request('GET', url, { headers });
      assert.deepEqual([unreachable.status, unreachable.code], [502, 2005]);
      assert.equal(unreachable.json.name, 'AiGatewayError');
      await own.stop();
    });

    test('504/2006: the provider does not begin to answer in time', async () => {
      const { status, code } = await complete('never-answers');
      assert.deepEqual([status, code], [504, 2006]);
      assert.equal((await lastLog()).status_code, 504);
    });

    test('a JSON answer that breaks off is cut, not completed', async () => {
      await assert.rejects(complete('breaks-off-json'));
      assert.deepEqual([(await lastLog()).status_code, (await lastLog()).success], [502, false]);
    });
  });

  describe('streams', () => {
    async function openStream(model: string, signal?: AbortSignal) {
      const response = await fetch(completions, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ model: `openai/${model}`, messages: MESSAGES, stream: true }),
        ...(signal === undefined ? {} : { signal }),
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.ok(response.body);
      return response.body.getReader();
    }

    async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
      const chunks: Uint8Array[] = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return Buffer.concat(chunks);
        chunks.push(value);
      }
    }

    test('chunks pass as they come, byte for byte; the usage is logged', async () => {
      const reader = await openStream('streams');
      // The upstream holds the rest back until it is released: this piece was not waited for.
      const first = await reader.read();
      assert.ok(Buffer.from(first.value ?? []).includes('eins'));
      await upstream.release();
      const text = Buffer.concat([
        first.value ?? new Uint8Array(),
        await readAll(reader),
      ]).toString();
      assert.ok(text.includes('zwei 🌍'));
      assert.ok(text.endsWith('data: [DONE]\n\n'));
      const log = await lastLog();
      assert.deepEqual([log.tokens_in, log.tokens_out, log.success], [11, 7, true]);
      assert.equal(log.response_content_type, 'text/event-stream');
    });

    for (const model of ['breaks-off', 'breaks-off-in-event']) {
      test(`a break in the middle is told as an error event: ${model}`, async () => {
        const reader = await openStream(model);
        await reader.read();
        await upstream.release();
        const text = (await readAll(reader)).toString();
        const event = text.split('\n').findLast((line) => line.startsWith('data: '));
        const { error } = JSON.parse(event?.slice('data: '.length) ?? '');
        assert.deepEqual([error.type, error.code], ['api_error', '2005']);
        assert.deepEqual([(await lastLog()).status_code, (await lastLog()).success], [502, false]);
      });
    }

    test('silence in the middle ends the stream with an error event', async () => {
      const reader = await openStream('goes-silent');
      const text = (await readAll(reader)).toString();
      assert.ok(text.includes('"code":"2006"'));
      await upstream.release();
    });

    test('a client that leaves takes the upstream call along: in mid-stream', async () => {
      const abort = new AbortController();
      const reader = await openStream('streams', abort.signal);
      await reader.read();
      abort.abort();
      await eventually('the upstream is aborted', async () => (await lastRecorded()).aborted);
      await eventually('it is logged as 499', async () => (await lastLog()).status_code === 499);
      await upstream.release();
    });

    test('a client that leaves takes the upstream call along: before the answer', async () => {
      const before = (await upstream.recorded()).length;
      const abort = new AbortController();
      const answer = fetch(completions, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ model: 'openai/never-answers', messages: MESSAGES }),
        signal: abort.signal,
      });
      await eventually('the call arrives', async () => (await upstream.recorded()).length > before);
      abort.abort();
      await assert.rejects(answer);
      await eventually('the upstream is aborted', async () => (await lastRecorded()).aborted);
    });
  });

  describe('refusals', () => {
    let calls: number;
    beforeEach(async () => {
      calls = (await upstream.recorded()).length;
    });

    const badBodies: [string, unknown, number][] = [
      ['no provider prefix', { model: 'gpt-4o' }, 2019],
      ['nothing before the slash', { model: '/gpt-4o' }, 2019],
      ['nothing after the slash', { model: 'openai/' }, 2019],
      ['no model', { messages: MESSAGES }, 2019],
      ['a model that is no text', { model: 5 }, 2019],
      ['an unknown provider', { model: 'nowhere/x' }, 2008],
      ['a provider that is a name of JavaScript', { model: '__proto__/x' }, 2008],
      ['not JSON', '{"x"', 2020],
      ['an array', '[]', 2020],
      ['no body', '', 2020],
    ];
    for (const [what, body, expected] of badBodies) {
      test(`400/${expected}: ${what}`, async () => {
        const { status, code, json } = await request('POST', completions, {
          token: server.token,
          body,
        });
        assert.deepEqual([status, code], [400, expected]);
        assert.equal(json.error.type, 'invalid_request_error');
        assert.equal((await upstream.recorded()).length, calls);
      });
    }

    test('400/2008: an unknown provider on the gateway host', async () => {
      const url = `${server.origin}/v1/${server.accountId}/default/nowhere/x`;
      const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
      const { status, code } = await request('GET', url, { headers });
      assert.deepEqual([status, code], [400, 2008]);
    });

    test('400/6010: a NUL in the path, told in the shape of the gateway host', async () => {
      const { status, json } = await callNative('GET', 'files/%00');
      assert.deepEqual([status, json.internalCode], [400, 6010]);
      assert.equal((await upstream.recorded()).length, calls);
    });

    test('405/7001: another method on the REST path', async () => {
      const { status, code, headers } = await request('GET', completions, { token: server.token });
      assert.deepEqual([status, code, headers.get('allow')], [405, 7001, 'POST']);
    });

    for (const path of ['%2e%2e/admin', 'files/%2E%2e/%2e./x', 'a/..%2f..%2fadmin', '.%5c..%5cx']) {
      test(`400/2021: a path that climbs out: ${path}`, async () => {
        const { status, code } = await rawGet(path);
        assert.deepEqual([status, code], [400, 2021]);
        assert.equal((await upstream.recorded()).length, calls);
      });
    }

    test('413/2010: a body over the limit; one at the limit passes', async () => {
      const bodyOf = (bytes: number): string => {
        const empty = JSON.stringify({ model: 'openai/plain', pad: '' });
        return JSON.stringify({ model: 'openai/plain', pad: 'x'.repeat(bytes - empty.length) });
      };
      const send = (url: string, bytes: number, headers: Record<string, string>) =>
        request('POST', url, { headers, body: bodyOf(bytes) });
      const rest = { authorization: `Bearer ${server.token}` };
      const onNative = { 'cf-aig-authorization': `Bearer ${server.token}` };
      assert.equal((await send(completions, 4096, rest)).status, 200);
      const over = await send(completions, 4097, rest);
      assert.deepEqual([over.status, over.code, over.json.error.code], [413, 2010, '2010']);
      const overNative = await send(`${native}/x`, 4097, onNative);
      assert.deepEqual([overNative.status, overNative.json.internalCode], [413, 2010]);
    });

    /** fetch would resolve the dots itself. */
    async function rawGet(path: string): Promise<{ status: number; code: number }> {
      const { port } = new URL(server.origin);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET /v1/${server.accountId}/default/openai/${path} HTTP/1.1\r\nhost: x\r\n` +
          `cf-aig-authorization: Bearer ${server.token}\r\nconnection: close\r\n\r\n`,
      );
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const status = Number(text.split(' ')[1]);
      const code = Number(/"internalCode":(\d+)/.exec(text)?.[1]);
      return { status, code };
    }
  });
});

function headerOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}
