import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { observeErrors } from '../support/observed-errors.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';
import { type Upstream, headerOf } from '../support/upstream-process.ts';
import { type ForwardingBench, MESSAGES, startForwarding } from './forwarding.ts';

onEachDatabase((database) => {
  let bench: ForwardingBench;
  let server: TestServer;
  let upstream: Upstream;
  before(async () => {
    bench = await startForwarding(database);
    ({ server, upstream } = bench);
  });
  after(() => bench.stop());

  const complete: ForwardingBench['complete'] = (...args) => bench.complete(...args);
  const callNative: ForwardingBench['callNative'] = (...args) => bench.callNative(...args);
  const lastRecorded = () => bench.lastRecorded();
  const lastLog = () => bench.lastLog();

  describe('what the provider gets', () => {
    test('the body byte for byte, but for the prefix of the model', async () => {
      const body =
        '{ "messages" :[{"role":"user","content":"1.0 and 12345678901234567890"}],"n":1.0,\n"model":"openai/gpt-x"}';
      await request('POST', bench.completions, { token: server.token, body });
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
      assert.equal(headerOf({ headers }, 'content-length'), '3');
      assert.equal(headerOf({ headers }, 'content-type'), 'application/octet-stream');
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
      const sent = await lastRecorded();
      for (const name of Object.keys(headers).slice(0, 7)) {
        assert.equal(headerOf(sent, name), undefined, name);
      }
      assert.equal(headerOf(sent, 'authorization'), 'Bearer sk-stored');
      assert.equal(headerOf(sent, 'x-stainless-lang'), 'js');
      assert.equal(headerOf(sent, 'openai-organization'), 'org-1');
      assert.equal(headerOf(sent, 'accept-encoding'), 'identity');
      assert.equal(headerOf(sent, 'host'), new URL(upstream.baseUrl).host);
      assert.equal(sent.headers.join('\n').includes(server.token), false);
    });

    /** What fetch does not let out. */
    async function sendRaw(head: string): Promise<string> {
      const { port } = new URL(server.origin);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${head}cf-aig-authorization: Bearer ${server.token}\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    }

    test('headers that Connection names stay behind, however often it comes', async () => {
      await sendRaw(
        `GET /v1/${server.accountId}/default/openai/models HTTP/1.1\r\nhost: x\r\n` +
          'connection: X-Private\r\nconnection: close, x-other\r\n' +
          'x-private: 1\r\nx-other: 1\r\nx-public: 2\r\n',
      );
      const { headers } = await lastRecorded();
      assert.equal(headerOf({ headers }, 'x-private'), undefined);
      assert.equal(headerOf({ headers }, 'x-other'), undefined);
      assert.equal(headerOf({ headers }, 'x-public'), '2');
    });

    test('a request target that is a whole address means its path', async () => {
      const path = `/v1/${server.accountId}/default/openai/models?x=1`;
      await sendRaw(`GET http://elsewhere${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`);
      assert.equal((await lastRecorded()).url, '/v1/models?x=1');
    });

    test('TRACE, which would echo credentials, is not forwarded', async () => {
      const before = (await upstream.recorded()).length;
      const path = `/v1/${server.accountId}/default/openai/models`;
      const answer = await sendRaw(`TRACE ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`);
      assert.match(answer, /^HTTP\/1.1 4/);
      assert.equal((await upstream.recorded()).length, before);
    });

    test("on its own paths, the caller's key instead of the stored one; ours never", async () => {
      await callNative('GET', 'models', { headers: { authorization: 'Bearer sk-own' } });
      assert.equal(headerOf(await lastRecorded(), 'authorization'), 'Bearer sk-own');
      await callNative('GET', 'models', { headers: { authorization: `Bearer ${server.token}` } });
      assert.equal(headerOf(await lastRecorded(), 'authorization'), 'Bearer sk-stored');
      await callNative('GET', 'models');
      assert.equal(headerOf(await lastRecorded(), 'authorization'), 'Bearer sk-stored');
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
      // What a provider answers must not run as a page of ours.
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    });

    test('a header that the provider sends twice', async () => {
      const { status, json } = await complete('double-header');
      assert.equal(status, 200);
      assert.equal(json.choices[0].message.content, 'Grüße 🌍');
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
      const reason = server.logLines.findLast((line) => line.includes('the provider failed'));
      assert.ok(reason?.includes(hungUp.headers.get('x-request-id') ?? 'none'));

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

    test('502/2005: a JSON answer that breaks off', async () => {
      const { status, code } = await complete('breaks-off-json');
      assert.deepEqual([status, code], [502, 2005]);
      assert.deepEqual([(await lastLog()).status_code, (await lastLog()).success], [502, false]);
    });
  });

  describe('refusals', () => {
    let calls: number;
    beforeEach(async () => {
      calls = (await upstream.recorded()).length;
    });

    const badBodies: [string, unknown, number][] = [
      ['no provider prefix', { model: 'llama-4' }, 2019],
      ['nothing before the slash', { model: '/gpt-4o' }, 2019],
      ['nothing after the slash', { model: 'openai/' }, 2019],
      ['no model', { messages: MESSAGES }, 2019],
      ['a model that is no text', { model: 5 }, 2019],
      ['an unknown provider', { model: 'nowhere/x' }, 2008],
      ['a provider that is a name of JavaScript', { model: '__proto__/x' }, 2008],
      ['not JSON', '{"x"', 2020],
      ['an array', '[]', 2020],
      ['no body', '', 2020],
      ['two models', '{"model":"openai/a","model":"openai/b"}', 2020],
      ['too deep', `{"model":"openai/a","x":${'['.repeat(64)}${']'.repeat(64)}}`, 2020],
    ];
    for (const [what, body, expected] of badBodies) {
      test(`400/${expected}: ${what}`, async () => {
        const { status, code, json } = await request('POST', bench.completions, {
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
      const { status, code, headers } = await request('GET', bench.completions, {
        token: server.token,
      });
      assert.deepEqual([status, code, headers.get('allow')], [405, 7001, 'POST']);
    });

    for (const path of ['%2e%2e/admin', 'files/%2E%2e/%2e./x', 'a/..%2f..%2fadmin', '.%5c..%5cx']) {
      test(`400/2026: a path that climbs out: ${path}`, async () => {
        const { status, code } = await rawGet(path);
        assert.deepEqual([status, code], [400, 2026]);
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
      assert.equal((await send(bench.completions, 4096, rest)).status, 200);
      const over = await send(bench.completions, 4097, rest);
      assert.deepEqual([over.status, over.code, over.json.error.code], [413, 2010, '2010']);
      const overNative = await send(`${bench.native}/x`, 4097, onNative);
      assert.deepEqual([overNative.status, overNative.json.internalCode], [413, 2010]);
    });

    /** fetch would resolve the dots itself. */
    async function rawGet(path: string): Promise<{ status: number; code: number | undefined }> {
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
      const json: unknown = JSON.parse(text.slice(text.indexOf('{')));
      return { status, code: observeErrors(status, json) };
    }
  });
});
