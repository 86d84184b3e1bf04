import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { exchange } from '../support/raw-connection.ts';
import { type TestServer, allowPolicy, bootServer, request } from '../support/server.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const API_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

interface Sample {
  what: string;
  status: number;
  headers: Record<string, string>;
}

onEachDatabase((database) => {
  let server: TestServer;
  const samples: Sample[] = [];

  before(async () => {
    server = await bootServer(database);
    const tokens = `${server.account}/tokens`;
    const policies = [allowPolicy(server.accountId, ['tags.read'])];
    const take = async (what: string, method: string, path: string, options = {}) => {
      const { status, headers } = await request(method, server.origin + path, {
        token: server.token,
        ...options,
      });
      samples.push({ what, status, headers: Object.fromEntries(headers) });
    };
    const api = `/client/v4${tokens}`;
    await take('success', 'GET', api);
    await take('creation', 'POST', api, { body: { name: 'x', policies } });
    await take('HEAD', 'HEAD', api);
    await take('wrong field', 'POST', api, { body: {} });
    await take('not JSON', 'POST', api, { body: '{' });
    await take('too large', 'POST', api, { body: ' '.repeat(2 * 1024 * 1024) });
    await take('media type', 'POST', api, { body: 'x', headers: { 'content-type': 'text/plain' } });
    await take('wrong parameter', 'GET', `${api}?page=0`);
    await take('NUL', 'GET', `${api}?page=%00`);
    await take('malformed credential', 'GET', api, { headers: { authorization: 'x' } });
    await take('no credential', 'GET', api, { token: null });
    await take('unknown route', 'GET', '/x');
    await take('broken escape', 'GET', '/%zz');
    await take('long part', 'GET', `${api}/${'x'.repeat(4_000)}`);
    await take('other method', 'PATCH', api);
    await take('health', 'GET', '/healthz');
    await take('readiness', 'GET', '/readyz');
    await take('metrics', 'GET', '/metrics');
    await take('OpenAPI', 'GET', '/openapi.json');
    const takeRaw = async (what: string, bytes: string) => {
      const { status, headers } = await exchange(server.origin, bytes);
      samples.push({ what, status, headers });
    };
    await takeRaw('garbage', 'garbage\r\n\r\n');
    await takeRaw('large header', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`);
    await takeRaw('no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n');
  });
  after(() => server.stop());

  test('the samples cover successes and all kinds of refusal', () => {
    const statuses = new Set(samples.map(({ status }) => status));
    for (const status of [200, 400, 401, 404, 405, 413, 415, 431]) {
      assert.ok(statuses.has(status), String(status));
    }
  });

  test('every response has the security headers', () => {
    for (const { what, headers } of samples) {
      // The same for all clients, so that they may keep it.
      const own = what === 'OpenAPI' ? { 'cache-control': 'no-cache' } : {};
      for (const [name, value] of Object.entries({ ...API_HEADERS, ...own })) {
        assert.equal(headers[name], value, `${what}: ${name}`);
      }
    }
  });

  test('every response has an id of its own', () => {
    for (const { what, headers } of samples)
      assert.match(headers['x-request-id'] ?? '', UUID_V7, what);
    assert.equal(
      new Set(samples.map(({ headers }) => headers['x-request-id'])).size,
      samples.length,
    );
  });

  test('every response has its line in the log, under the same id and with the same status', async () => {
    // The line is written when the response is out, which may be after the client has read it.
    const logged = () =>
      new Map(
        server.logLines
          .map((line) => JSON.parse(line))
          .filter(({ msg }) => msg === 'request' || msg === 'broken request')
          .map(({ reqId, status }) => [reqId, status]),
      );
    while (logged().size < samples.length) await request('GET', `${server.origin}/healthz`);
    for (const { what, status, headers } of samples) {
      assert.equal(logged().get(headers['x-request-id']), status, what);
    }
  });

  test('an id that the client sends is not taken over', async () => {
    const sent = '01890a5d-ac96-774b-bcce-b302099a8057';
    const answer = await request('GET', `${server.origin}/healthz`, {
      headers: { 'x-request-id': sent, 'request-id': sent },
    });
    assert.notEqual(answer.headers.get('x-request-id'), sent);
  });

  test('an access-log line says what happened and nothing secret', async () => {
    const secretQuery = 'a-secret-in-the-query';
    const answer = await server.call('GET', `${server.account}/tokens?x=${secretQuery}`);
    const find = () =>
      server.logLines.find((line) => JSON.parse(line).reqId === answer.headers.get('x-request-id'));
    while (find() === undefined) await request('GET', `${server.origin}/healthz`);
    const line = JSON.parse(find() ?? '');
    assert.equal(line.method, 'GET');
    assert.equal(line.path, `/client/v4${server.account}/tokens`);
    assert.equal(line.ip, '127.0.0.1');
    assert.equal(typeof line.duration_ms, 'number');
    const log = server.logLines.join('');
    assert.equal(log.includes(secretQuery), false);
    assert.equal(log.includes(server.token.slice(5, 40)), false);
  });

  test('answers are JSON in UTF-8', async () => {
    for (const path of ['/client/v4/x', '/healthz', '/openapi.json', '/%zz']) {
      const { headers } = await request('GET', server.origin + path);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', path);
    }
  });

  test('x-forwarded-for counts only behind a proxy that is trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const ipOf = async (target: TestServer) => {
      const answer = await request('GET', `${target.origin}/healthz`, { headers });
      const id = answer.headers.get('x-request-id');
      const find = () => target.logLines.find((line) => line.includes(id ?? '?'));
      while (find() === undefined) await request('GET', `${target.origin}/healthz`);
      return JSON.parse(find() ?? '').ip;
    };
    assert.equal(await ipOf(server), '127.0.0.1');
    for (const [proxies, ip] of [
      ['127.0.0.0/8', '203.0.113.7'],
      ['10.0.0.1', '127.0.0.1'],
    ]) {
      const behind = await bootServer(database, { settings: { TRUST_PROXY: proxies ?? '' } });
      assert.equal(await ipOf(behind), ip);
      await behind.stop();
    }
  });
});
