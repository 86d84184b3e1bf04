import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { asksForProblem } from '../../src/http/problem-json.ts';
import { onEachDatabase, refuseConnections } from '../support/databases.ts';
import { exchange } from '../support/raw-connection.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  bootServer,
  request,
} from '../support/server.ts';

const PROBLEM = { accept: 'application/problem+json' };

/** Checks the shape of a problem and that its header says the same. */
function assertProblem(answer: Answer, status: number, title: string, code: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.equal(answer.headers.get('vary'), 'accept');
  const { errors, ...problem } = answer.json;
  assert.deepEqual(problem, {
    type: 'about:blank',
    title,
    status,
    detail: errors[0].message,
    instance: `urn:uuid:${answer.headers.get('x-request-id')}`,
  });
  assert.equal(errors[0].code, code);
}

onEachDatabase((database) => {
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database);
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  const call = (method: string, path: string, options: CallOptions = {}) =>
    server.call(method, path, { ...options, headers: { ...PROBLEM, ...options.headers } });

  test('no credential: 401, with the challenge', async () => {
    const answer = await call('GET', tokens, { token: null });
    assertProblem(answer, 401, 'Unauthorized', 10_000);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    assert.deepEqual(answer.json.errors, [{ code: 10_000, message: 'Authentication error' }]);
  });

  test('a permission that is missing: 403', async () => {
    const { value } = await server.createToken(['tags.read']);
    assertProblem(await call('GET', tokens, { token: value }), 403, 'Forbidden', 10_000);
  });

  test('an unknown route, and a broken percent escape: 404', async () => {
    for (const path of ['/nothing', `${tokens}/%zz`, `${tokens}/${'a'.repeat(4_000)}`]) {
      const answer = await call('GET', path);
      assertProblem(answer, 404, 'Not Found', 7003);
      assert.match(answer.json.detail, /^Could not route to \/client\/v4\//);
    }
  });

  test('another method: 405, with Allow', async () => {
    const answer = await call('PUT', tokens);
    assertProblem(answer, 405, 'Method Not Allowed', 7001);
    assert.match(answer.headers.get('allow') ?? '', /GET/);
  });

  test('a malformed credential, not JSON, a wrong parameter: 400', async () => {
    const headers = { authorization: 'x' };
    assertProblem(await call('GET', tokens, { headers }), 400, 'Bad Request', 6003);
    assertProblem(await call('POST', tokens, { body: '{' }), 400, 'Bad Request', 6007);
    const answer = await call('GET', `${tokens}?page=0`);
    assertProblem(answer, 400, 'Bad Request', 6010);
    assert.deepEqual(answer.json.errors[0].source, { pointer: 'page' });
  });

  test('several faults of a body: the entries of the envelope, pointers included', async () => {
    const body = { nmae: 'x', policies: 1 };
    const answer = await call('POST', tokens, { body });
    const enveloped = await server.call('POST', tokens, { body });
    assert.ok(enveloped.json.errors.length > 1);
    assert.ok(enveloped.json.errors[0].source.pointer);
    assertProblem(answer, 400, 'Bad Request', enveloped.json.errors[0].code);
    assert.deepEqual(answer.json.errors, enveloped.json.errors);
  });

  test('a body that is too large, or of another type: 413, 415', async () => {
    const large = await call('POST', tokens, { body: ' '.repeat(2 * 1024 * 1024) });
    assertProblem(large, 413, 'Payload Too Large', 7002);
    const headers = { 'content-type': 'text/plain' };
    const text = await call('POST', tokens, { body: 'x', headers });
    assertProblem(text, 415, 'Unsupported Media Type', 7004);
  });

  test('HEAD: the type without the body', async () => {
    const answer = await call('HEAD', tokens, { token: null });
    assert.equal(answer.status, 401);
    assert.equal(answer.text, '');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  });

  test('otherwise failures come in the envelope, and say that it depends', async () => {
    for (const accept of [
      'application/json',
      '*/*',
      'application/*',
      'application/problem+json;q=0',
    ]) {
      for (const path of ['/nothing', '/%zz', tokens]) {
        const answer = await server.call('GET', path, { token: null, headers: { accept } });
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', accept);
        assert.equal(answer.headers.get('vary'), 'accept', accept);
        assert.equal(answer.json.success, false);
      }
    }
  });

  test('several Accept headers are one', async () => {
    const answer = await exchange(
      server.origin,
      'GET /x HTTP/1.1\r\nhost: a\r\naccept: text/html\r\n' +
        'accept: application/problem+json;q=0.1\r\nconnection: close\r\n\r\n',
    );
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  });

  test('a success stays application/json', async () => {
    const answer = await call('GET', tokens);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('vary'), null);
    assert.equal(answer.json.success, true);
  });

  test('what the gateway refuses keeps the shape of its clients', async () => {
    const path = `${server.account}/ai/v1/chat/completions`;
    const answer = await call('POST', path, { token: null, body: {} });
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.json.success, false);
  });
});

test('trouble of the server itself: 500 says nothing of its cause, 503 when to come again', async (t) => {
  const server = await bootServer('postgres');
  t.after(() => server.stop());
  const get = () => server.call('GET', `${server.account}/tokens`, { headers: PROBLEM });
  assert.equal((await get()).status, 200);
  await server.app.database.transaction(async (tx) => {
    await tx.schema.alterTable('api_tokens').renameTo('api_tokens_away').execute();
  });
  const failed = await get();
  assertProblem(failed, 500, 'Internal Server Error', 1000);
  assert.equal(failed.json.detail, 'Internal server error');
  await refuseConnections(server.postgresUrl ?? '');
  const unavailable = await request('GET', `${server.origin}/readyz`, { headers: PROBLEM });
  assertProblem(unavailable, 503, 'Service Unavailable', 1001);
  assert.equal(unavailable.headers.get('retry-after'), '1');
});

describe('Accept', () => {
  for (const accept of [
    'application/problem+json',
    'Application/Problem+JSON',
    'application/json, application/problem+json',
    'text/html;q=0.9,application/problem+json;q=0.001 , */*;q=0.8',
    ' application/problem+json ; q=1.000',
    'application/problem+json;Q=1.',
    'application/problem+json; charset=utf-8; q=0.5',
    'application/problem+json;q=0, application/problem+json;q=1',
    ',,application/problem+json,',
    'text/plain;a="x,y;q=0", application/problem+json',
    'nonsense, application/problem+json',
  ]) {
    test(`asks for a problem: ${accept}`, () => {
      assert.equal(asksForProblem(accept), true);
    });
  }

  for (const accept of [
    undefined,
    '',
    ',',
    '*/*',
    'application/*',
    'application/json',
    'application/problem+xml',
    'application/problem+jsonx',
    'application/problem +json',
    'application/problem+json;q=0',
    'application/problem+json;q=0.000',
    'application/problem+json;q=-1',
    'application/problem+json;q=1.001',
    'application/problem+json;q=2',
    'application/problem+json;q=0.0001',
    'application/problem+json;q=',
    'application/problem+json;q=x',
    'application/problem+json;q="1"',
    'application/problem+json q=1',
    'text/plain;a="application/problem+json"',
    'text/plain;a="\\", application/problem+json',
    'text/plain;a="x, application/problem+json',
    '"application/problem+json"',
    '"x"application/problem+json',
  ]) {
    test(`does not: ${accept}`, () => {
      assert.equal(asksForProblem(accept), false);
    });
  }
});
