import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { refuseConnections } from '../support/databases.ts';
import { bootServer, request } from '../support/server.ts';

/** Whoever cannot be looked up is neither let through nor refused for good. */
test('PostgreSQL is gone: callers are told to come again, and served when it is back', async (t) => {
  const server = await bootServer('postgres');
  t.after(() => server.stop());
  const complete = (token: string) =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      token,
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
    });
  assert.equal((await complete(server.token)).status, 200);
  const restore = await refuseConnections(server.postgresUrl ?? '');

  const unknown = createSecret('lkat_');
  const rest = await complete(unknown);
  assert.deepEqual([rest.status, rest.code], [503, 1001]);
  assert.equal(rest.headers.get('retry-after'), '1');
  assert.equal(rest.json.error.type, 'api_error');
  const url = `${server.origin}/v1/${server.accountId}/default/local/chat/completions`;
  const headers = { 'cf-aig-authorization': `Bearer ${unknown}` };
  const native = await request('POST', url, { headers, body: {} });
  assert.deepEqual([native.status, native.json.name], [503, 'AiGatewayError']);

  await restore();
  assert.equal((await complete(unknown)).status, 401);
  assert.equal((await complete(server.token)).status, 200);
});
