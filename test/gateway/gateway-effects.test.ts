import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { gatewayBody, gatewayUpdate } from './gateway-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let gateways: string;
  before(async () => {
    server = await bootServer(database);
    gateways = `${server.account}/ai-gateway/gateways`;
  });
  after(() => server.stop());

  const create = (id: string, fields: object = {}) =>
    server.call('POST', gateways, { body: gatewayBody(id, fields) });

  const update = (fields: object, id: string) =>
    server.call('PUT', `${gateways}/${id}`, { body: gatewayUpdate(fields) });

  const lastAudit = async () => (await readAuditRows(server.app.database, server.accountId)).at(-1);

  const readRow = (id: string) =>
    server.app.database.read
      .selectFrom('gateways')
      .selectAll()
      .where('account_id', '=', server.accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  describe('what the request path sees', () => {
    const run = (id: string) =>
      server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        token: null,
        headers: { 'cf-aig-gateway-id': id },
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
      });

    test('a change of the authentication counts at once', async () => {
      await create('switch');
      assert.equal((await run('switch')).status, 401);
      await update({ authentication: false }, 'switch');
      assert.equal((await run('switch')).status, 200);
      await update({}, 'switch');
      assert.equal((await run('switch')).status, 401);
    });

    test('a deleted gateway lets nobody through', async () => {
      await create('closing', { authentication: false });
      assert.equal((await run('closing')).status, 200);
      assert.equal((await server.call('DELETE', `${gateways}/closing`)).status, 200);
      assert.equal((await run('closing')).status, 401);
    });

    test('PUT raises the generation of the cache when it is to be invalidated', async () => {
      await create('generations', { cache_invalidate_on_update: false });
      const generation = async () => (await readRow('generations')).cache_generation;
      const first = await generation();
      await update({ cache_invalidate_on_update: false }, 'generations');
      assert.equal(await generation(), first);
      await update({ cache_invalidate_on_update: true }, 'generations');
      assert.equal(await generation(), first + 1);
    });
  });

  describe('delete', () => {
    test('answers the record, writes it down, and the id can be used again', async () => {
      const { json: created } = await create('gone', { cache_ttl: 60, authentication: false });
      const generation = (await readRow('gone')).cache_generation;
      const { status, json } = await server.call('DELETE', `${gateways}/gone`);
      assert.equal(status, 200);
      assert.deepEqual(json.result, created.result);
      const row = await lastAudit();
      assert.deepEqual([row?.action_type, row?.resource_id], ['delete', 'gone']);
      assert.equal((await server.call('GET', `${gateways}/gone`)).status, 404);
      const again = await create('gone');
      assert.equal(again.status, 200);
      assert.equal(again.json.result.authentication, true);
      // What was cached for the one before is not the new one's.
      assert.notEqual((await readRow('gone')).cache_generation, generation);
    });

    test('shows its logs to nobody, not even to whoever uses its id again', async () => {
      await create('logged');
      const logs = async () => (await server.call('GET', `${gateways}/logged/logs`)).json.result;
      await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-gateway-id': 'logged' },
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
      });
      assert.equal((await logs()).length, 1);
      await server.call('DELETE', `${gateways}/logged`);
      assert.equal((await server.call('GET', `${gateways}/logged/logs`)).status, 404);
      await create('logged');
      assert.deepEqual(await logs(), []);
    });

    test('takes its tags along', async () => {
      await create('tagged');
      const tags = `${server.account}/tags`;
      const resource = { resource_type: 'ai_gateway', resource_id: 'tagged' };
      const set = await server.call('PUT', tags, { body: { ...resource, tags: { team: 'a' } } });
      assert.equal(set.status, 200, set.text);
      await server.call('DELETE', `${gateways}/tagged`);
      const query = 'resource_type=ai_gateway&resource_id=tagged';
      const read = await server.call('GET', `${tags}?${query}`);
      assert.notEqual(read.status, 200);
    });
  });
});
