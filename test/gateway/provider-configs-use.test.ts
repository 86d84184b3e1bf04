import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';
import { type KeyBench, freshName, newSecret, startKeyBench } from './key-bench.ts';
import {
  keysAnnouncement,
  customProviderAnnouncement,
} from '../../src/gateway-admin/snapshot-topics.ts';

/** Which of the stored keys a provider is shown. */
onEachDatabase((database) => {
  let bench: KeyBench;
  let server: TestServer;
  before(async () => {
    bench = await startKeyBench(database);
    ({ server } = bench);
  });
  after(() => bench.stop());

  describe('which key a provider is shown', () => {
    test('the default one of that gateway, the one that is named, or none', async () => {
      const gateway = await bench.newGateway();
      const [first, second] = [newSecret(), newSecret()];
      await bench.store(gateway, { alias: 'first', default_config: false, secret: first });
      await bench.run(gateway);
      assert.equal(await bench.shown(), undefined);
      await bench.store(gateway, { alias: 'second', secret: second });
      await bench.run(gateway);
      assert.equal(await bench.shown(), `Bearer ${second}`);
      await bench.run(gateway, { 'cf-aig-byok-alias': 'first' });
      assert.equal(await bench.shown(), `Bearer ${first}`);
      await bench.run(await bench.newGateway());
      assert.equal(await bench.shown(), undefined);
      const before = (await bench.upstream.recorded()).length;
      const refused = await bench.run(gateway, { 'cf-aig-byok-alias': 'third' });
      assert.equal(refused.status, 400);
      assert.equal((await bench.upstream.recorded()).length, before);
    });

    test('a new default is the only one', async () => {
      const gateway = await bench.newGateway();
      const first = (await bench.store(gateway, { alias: 'first' })).json.result;
      const secret = newSecret();
      await bench.store(gateway, { alias: 'second', secret });
      const other = (await bench.store(gateway, { provider_slug: 'anthropic' })).json.result;
      await bench.run(gateway);
      assert.equal(await bench.shown(), `Bearer ${secret}`);
      const read = async (id: string) =>
        (await server.call('GET', `${bench.configs(gateway)}/${id}`)).json.result.default_config;
      assert.equal(await read(first.id), false);
      assert.equal(await read(other.id), true);
      const path = `${bench.configs(gateway)}/${first.id}`;
      await server.call('PATCH', path, { body: { default_config: true } });
      await bench.run(gateway);
      assert.notEqual(await bench.shown(), `Bearer ${secret}`);
      assert.equal((await bench.rowsOf(gateway)).filter((row) => row.is_default === 1).length, 2);
    });

    test('a new key at once, and a deleted one no more', async () => {
      const gateway = await bench.newGateway();
      const { id } = (await bench.store(gateway)).json.result;
      await bench.run(gateway);
      const secret = newSecret();
      const path = `${bench.configs(gateway)}/${id}`;
      const patched = await server.call('PATCH', path, { body: { secret } });
      assert.equal(patched.json.result.secret_preview, `…${secret.slice(-4)}`);
      const audit = await bench.lastAudit();
      assert.deepEqual([audit?.action_type, audit?.resource_id], ['update', id]);
      assert.ok(!JSON.stringify(audit).includes(secret));
      await bench.run(gateway);
      assert.equal(await bench.shown(), `Bearer ${secret}`);
      const gone = await server.call('DELETE', path);
      assert.deepEqual([gone.status, gone.json.result.id], [200, id]);
      assert.equal((await bench.lastAudit())?.action_type, 'delete');
      await bench.run(gateway);
      assert.equal(await bench.shown(), undefined);
    });

    test('a gateway that is deleted takes its keys along', async () => {
      const gateway = await bench.newGateway();
      await bench.store(gateway);
      await bench.run(gateway);
      await server.call('DELETE', `${bench.gateways}/${gateway}`);
      assert.deepEqual(await bench.rowsOf(gateway), []);
      await server.call('POST', bench.gateways, { body: gatewayBody(gateway) });
      await bench.run(gateway);
      assert.equal(await bench.shown(), undefined);
    });

    test('a key that was moved to another gateway does not open, and nobody is let in by it', async () => {
      const [mine, other] = [await bench.newGateway(), await bench.newGateway()];
      await bench.store(mine);
      await bench.store(other);
      const [row] = await bench.rowsOf(mine);
      await server.app.database.transaction(async (tx, announce) => {
        await tx
          .updateTable('gateway_provider_configs')
          .set({ sealed_secret: row?.sealed_secret ?? '' })
          .where('gateway_id', '=', other)
          .execute();
        announce(keysAnnouncement(server.accountId, other));
      });
      await bench.run(other);
      assert.equal(await bench.shown(), undefined);
      assert.ok(server.logLines.some((line) => line.includes('failed to decrypt')));
    });

    test('a key of azure-openai goes to no other resource than its own', async () => {
      const gateway = await bench.newGateway();
      const stored = await bench.store(gateway, {
        provider_slug: 'azure-openai',
        origin: 'https://mine-3fc1.openai.azure.com',
      });
      assert.equal(stored.status, 200, stored.text);
      const native = `${server.origin}/v1/${server.accountId}/${gateway}/azure-openai`;
      for (const headers of [{}, { 'cf-aig-byok-alias': 'main' }] as Record<string, string>[]) {
        const { status, json } = await request('POST', `${native}/theirs/openai/v1/responses`, {
          headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
          body: {},
        });
        assert.deepEqual([status, json.error[0].code], [400, 2041]);
      }
      const rest = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-gateway-id': gateway },
        body: { model: 'azure-openai/theirs/gpt', messages: [] },
      });
      assert.deepEqual([rest.status, rest.json.error.code], [400, '2041']);
    });

    test('a key of a custom provider goes to no other that takes its name', async () => {
      const providers = `${server.account}/ai-gateway/custom-providers`;
      const slug = freshName();
      const body = { name: 'Mine', slug, base_url: 'https://models.example' };
      assert.equal((await server.call('POST', providers, { body })).status, 200);
      const gateway = await bench.newGateway();
      const key = { provider_slug: `custom-${slug}` };
      const { result } = (await bench.store(gateway, key)).json;
      assert.equal(result.origin, 'https://models.example');
      // As a node sees it that has heard of the other provider, and not yet of the key's end.
      await server.app.database.transaction(async (tx, announce) => {
        await tx
          .updateTable('custom_providers')
          .set({ base_url: bench.upstream.baseUrl })
          .where('slug', '=', slug)
          .execute();
        announce(customProviderAnnouncement(server.accountId, slug));
      });
      const answer = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers: { 'cf-aig-gateway-id': gateway },
        body: { model: `custom-${slug}/plain`, messages: [] },
      });
      assert.deepEqual([answer.status, answer.json.error.code], [400, '2041']);
    });

    test('an address with a credential of this server goes nowhere', async () => {
      const gateway = await bench.newGateway();
      const before = (await bench.upstream.recorded()).length;
      const native = `${server.origin}/v1/${server.accountId}/${gateway}/openai/v1/models`;
      const { status, json } = await request('GET', `${native}?key=${server.token}`, {
        headers: { 'cf-aig-authorization': `Bearer ${server.token}` },
      });
      assert.deepEqual([status, json.error[0].code], [400, 2026]);
      assert.equal((await bench.upstream.recorded()).length, before);
    });

    test('strangers get one only where the gateway says so', async () => {
      const closed = await bench.newGateway({ authentication: false });
      const secret = newSecret();
      await bench.store(closed, { secret });
      await bench.run(closed, {}, server, null);
      assert.equal(await bench.shown(), undefined);
      const open = await bench.newGateway({
        authentication: false,
        allow_stored_keys_unauthenticated: true,
      });
      await bench.store(open, { secret });
      await bench.run(open, {}, server, null);
      assert.equal(await bench.shown(), `Bearer ${secret}`);
    });
  });

  if (database === 'postgres') {
    test('another node uses a key no more when it was deleted here', async (t) => {
      const second = await bootServer(database, { besides: server, settings: bench.settings });
      t.after(() => second.stop());
      const gateway = await bench.newGateway();
      const secret = newSecret();
      const { id } = (await bench.store(gateway, { secret })).json.result;
      await bench.run(gateway, {}, second);
      assert.equal(await bench.shown(), `Bearer ${secret}`);
      await server.call('DELETE', `${bench.configs(gateway)}/${id}`);
      await eventually('the other node has heard of it', async () => {
        await bench.run(gateway, {}, second);
        return (await bench.shown()) === undefined;
      });
    });
  }
});
