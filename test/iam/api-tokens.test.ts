import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, allowPolicy, bootServer } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('create answers the value once, and the token works', async () => {
    const created = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'reader', policies: [allowPolicy(server.accountId, ['api-tokens.read'])] },
    });
    assert.equal(created.status, 200, created.text);
    const { id, value } = created.json.result;
    assert.match(value, /^lkat_[0-9A-Za-z]{46}$/);
    const got = await server.call('GET', `${server.account}/tokens/${id}`, { token: value });
    assert.equal(got.status, 200);
    assert.equal(got.json.result.value, undefined);
    assert.equal(got.text.includes(value), false);
  });
});
