import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_CLIENTS_PER_ACCOUNT } from '../../src/oauth/clients/create-client.ts';
import { listClientIds } from '../../src/oauth/clients/client-store.ts';
import { MAX_LISTS_BYTES } from '../../src/oauth/clients/parse-client-input.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { tryCreate } from './client-bodies.ts';
import { insertClients } from './foreign-client.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('an account has at most 1000 clients, however many are created at once', async () => {
    await insertClients(server, server.accountId, MAX_CLIENTS_PER_ACCOUNT - 2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryCreate(server)));
    const refusals = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(
      refusals.map(({ status, code }) => [status, code]),
      Array.from({ length: 6 }, () => [400, 4030]),
    );
    const { json } = await server.call('GET', `${server.account}/oauth_clients`);
    assert.equal(json.result.length, MAX_CLIENTS_PER_ACCOUNT);
    const path = `${server.account}/oauth_clients/${json.result[0].client_id}`;
    assert.equal((await server.call('DELETE', path)).status, 200);
    assert.equal((await tryCreate(server)).status, 200);
    assert.equal((await tryCreate(server)).status, 400);
  });

  test('the largest list there can be: whole, and others are answered meanwhile', async () => {
    const text = `["https://app.example.com/?${'a'.repeat(MAX_LISTS_BYTES - 26)}"]`;
    await server.app.database.transaction(async (tx) => {
      await tx.updateTable('oauth_clients').set({ redirect_uris: text }).execute();
    });
    const ids = await listClientIds(server.app.database.read, server.accountId);
    assert.equal(ids.length, MAX_CLIENTS_PER_ACCOUNT);
    const listed = new AbortController();
    let count = 0;
    const list = server.call('GET', `${server.account}/oauth_clients`);
    const others = (async () => {
      while (!listed.signal.aborted) {
        const one = await server.call('GET', `${server.account}/oauth_clients/${ids[0]}`);
        assert.equal(one.status, 200);
        count++;
      }
    })();
    const answer = await list;
    listed.abort();
    await others;
    assert.deepEqual(
      answer.json.result.map((client: Json) => client.client_id),
      ids,
    );
    assert.ok(count > 1, `${count} others were answered meanwhile`);
    assert.ok(answer.text.length < 45_000_000);
  });
});
