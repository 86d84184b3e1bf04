import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import pg from 'pg';
import { onEachDatabase } from '../support/databases.ts';
import { RawConnection, parseAnswer } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

/** Makes every statement on API tokens fail, as a broken database would. */
async function dropTokensTable(server: TestServer): Promise<void> {
  await server.app.database.transaction(async (tx) => {
    await tx.schema.dropTable('api_tokens').execute();
  });
}

onEachDatabase((database) => {
  test('/healthz and /readyz answer 200 while all is well', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const health = await request('GET', `${server.origin}/healthz`);
    assert.equal(health.status, 200);
    assert.deepEqual(health.json.result, { status: 'ok' });
    const ready = await request('GET', `${server.origin}/readyz`);
    assert.equal(ready.status, 200);
    assert.deepEqual(ready.json.result, { status: 'ready' });
  });

  test('storage that fails within a request: 500/1000, and the cause only in the log', async (t) => {
    const server = await bootServer(database);
    t.after(() => server.stop());
    const path = `${server.account}/tokens`;
    assert.equal((await server.call('GET', path)).status, 200);
    await dropTokensTable(server);
    const answers = [
      await server.call('GET', path),
      await server.call('DELETE', `${path}/x`),
      await server.call('GET', `${path}?name=hidden-query`),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.json, {
        success: false,
        errors: [{ code: 1000, message: 'Internal server error' }],
        messages: [],
        result: null,
      });
      const id = answer.headers.get('x-request-id');
      const lines = server.logLines
        .map((line) => JSON.parse(line))
        .filter(({ reqId }) => reqId === id);
      const [failure, access] = lines;
      assert.equal(failure.msg, 'request failed');
      assert.equal(failure.level, 50);
      assert.match(failure.err.message, /api_tokens/);
      assert.equal(access.msg, 'request');
      assert.equal(access.status, 500);
    }
    const log = server.logLines.join('');
    for (const secret of [server.token, server.token.slice(5, 30), 'hidden-query']) {
      assert.equal(log.includes(secret), false);
    }
    // The process is alive, and its database can be reached.
    assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
  });

  test('while the server stops, /readyz is 503 and what is running is finished', async () => {
    const server = await bootServer(database);
    const body = '{}';
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n` +
        `authorization: Bearer ${server.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await connection.receivedUntil('100 Continue');
    const stopped = server.stop();
    connection.write(`${body}GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n`);
    const [, first = '', second = ''] = (await connection.receivedToEnd()).split(
      /(?=HTTP\/1\.1 [^1])/,
    );
    assert.match(first, /^HTTP\/1\.1 400 [^]*"code":3001/);
    const ready = parseAnswer(second);
    assert.equal(ready.status, 503, second);
    assert.equal(ready.code, 1001);
    assert.equal(ready.headers['retry-after'], '1');
    assert.match(ready.json.errors[0].message, /the server is stopping/);
    await stopped;
  });

  test('an idle connection does not hold up the stop, and a new one is refused', async () => {
    const server = await bootServer(database);
    const idle = new RawConnection(server.origin);
    idle.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await idle.receivedUntil('"ok"');
    const silent = new RawConnection(server.origin);
    await once(silent.socket, 'connect');
    await server.stop();
    await Promise.all([idle.receivedToEnd(), silent.receivedToEnd()]);
    await assert.rejects(request('GET', `${server.origin}/healthz`));
  });

  test('a request that never ends is cut when the time to stop is over', async () => {
    const server = await bootServer(database, { settings: { SHUTDOWN_TIMEOUT_MS: '50' } });
    const connection = new RawConnection(server.origin);
    connection.write(
      `POST /client/v4${server.account}/tokens HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n` +
        `authorization: Bearer ${server.token}\r\n` +
        'content-type: application/json\r\ncontent-length: 10\r\n\r\n',
    );
    await connection.receivedUntil('100 Continue');
    await server.stop();
    await connection.receivedToEnd();
  });
});

describe('PostgreSQL that goes away', () => {
  test('/readyz is 503 while it is gone, /healthz stays 200', async (t) => {
    const server = await bootServer('postgres');
    t.after(() => server.stop());
    const url = new URL(server.postgresUrl ?? '');
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client(url.href);
    await client.connect();
    t.after(() => client.end());
    await client.query(`alter database ${name} allow_connections false`);
    await client.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1',
      [name],
    );
    const gone = await request('GET', `${server.origin}/readyz`);
    assert.equal(gone.status, 503, gone.text);
    assert.equal(gone.code, 1001);
    assert.equal(gone.headers.get('retry-after'), '1');
    assert.match(gone.json.errors[0].message, /storage is unreachable$/);
    // A fault that is ours and will pass: clients try again.
    for (const [method, path, body] of [
      ['GET', '/tokens', undefined],
      ['PUT', '/tags', { resource_type: 'queue', resource_id: 'a', tags: { a: 'b' } }],
    ] as const) {
      const answer = await server.call(method, server.account + path, { body });
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.code, 1001);
      assert.equal(answer.headers.get('retry-after'), '1');
      const id = answer.headers.get('x-request-id');
      const logged = server.logLines.map((line) => JSON.parse(line));
      const failure = logged.find(({ reqId, level }) => reqId === id && level === 50);
      assert.match(failure.err.message, /not currently accepting connections|terminat/);
      assert.equal(/accepting|terminat/.test(answer.text), false);
    }
    assert.equal((await request('GET', `${server.origin}/healthz`)).status, 200);
    await client.query(`alter database ${name} allow_connections true`);
    const back = await request('GET', `${server.origin}/readyz`);
    assert.equal(back.status, 200, back.text);
    assert.equal((await server.call('GET', `${server.account}/tokens`)).status, 200);
  });
});
