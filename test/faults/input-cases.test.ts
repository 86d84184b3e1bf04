import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { exchange } from '../support/raw-connection.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

/** What odd requests have found, each by the smallest request that showed it; see input.ts. */
describe('found by odd requests', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  const get = (target: string) =>
    exchange(server.origin, `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);

  test('a path that leads out of the files of the reference is not found', async () => {
    for (const path of ['%2e%2e/%2e%2e/package.json', '%2e%2e/x', '../../package.json']) {
      const { status, code } = await get(`/docs/static/${path}`);
      assert.deepEqual([status, code], [404, 7003], path);
    }
  });

  test('the description of the API is made once, and in no other form', async () => {
    const { text } = await request('GET', `${server.origin}/openapi.json`);
    assert.equal((await request('GET', `${server.origin}/docs/json`)).text, text);
    assert.equal((await request('GET', `${server.origin}/docs/yaml`)).status, 404);
  });

  test('a credential in an address stays out of the audit log', async () => {
    const secret = createSecret('lkss_');
    const { value } = await server.createToken(['tags.read']);
    const path = `${server.account}/tokens/${secret}`;
    const headers = { 'user-agent': `a ${secret}` };
    const refused = await server.call('DELETE', path, { token: value, headers });
    assert.equal(refused.status, 403);
    const { text } = await server.call(
      'GET',
      `${server.account}/logs/audit?since=2000-01-01&before=2999-01-01`,
    );
    assert.ok(text.includes(`${server.account}/tokens/[redacted]`), text);
    assert.equal(text.includes(secret), false);
  });

  test('a refusal arrives though the client is not done with sending', async () => {
    // Most of it is on its way when the headers turn out to be too large.
    const target = `/${'a'.repeat(8_000_000)}`;
    for (let round = 0; round < 5; round++) {
      const { status, code } = await get(target);
      assert.deepEqual([status, code], [431, 6013]);
    }
  });
});
