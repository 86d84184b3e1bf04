import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import type { Json, TestServer } from '../support/server.ts';
import {
  type KeyBench,
  freshName as fresh,
  newSecret,
  startKeyBench,
  validKey,
} from './key-bench.ts';

onEachDatabase((database) => {
  let bench: KeyBench;
  let server: TestServer;
  before(async () => {
    bench = await startKeyBench(database);
    ({ server } = bench);
  });
  after(() => bench.stop());

  describe('create', () => {
    test('answers the record without the key, and keeps the key sealed', async () => {
      const gateway = await bench.newGateway();
      const secret = newSecret();
      const fields = { secret, rate_limit: 10, rate_limit_period: 60 };
      const { status, json, text } = await bench.store(gateway, fields);
      assert.equal(status, 200);
      const { id, modified_at: modifiedAt, ...rest } = json.result;
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.match(modifiedAt, /Z$/);
      assert.deepEqual(rest, {
        alias: 'main',
        default_config: true,
        gateway_id: gateway,
        provider_slug: 'openai',
        secret_id: id,
        secret_preview: `…${secret.slice(-4)}`,
        rate_limit: 10,
        rate_limit_period: 60,
      });
      assert.ok(!text.includes(secret));
      const [row] = await bench.rowsOf(gateway);
      assert.ok(!JSON.stringify(row).includes(secret));
      const audit = await bench.lastAudit();
      assert.deepEqual(
        [audit?.action_type, audit?.resource_type, audit?.resource_id],
        ['create', 'ai_gateway_provider_config', id],
      );
      assert.match(audit?.resource_request ?? '', /"secret":"\[redacted\]"/);
      assert.ok(!JSON.stringify(audit).includes(secret));
    });

    test('the same request again stores nothing twice, and not the key', async () => {
      const gateway = await bench.newGateway();
      const body = validKey();
      const headers = { 'idempotency-key': `key of ${gateway}` };
      const first = await server.call('POST', bench.configs(gateway), { body, headers });
      const second = await server.call('POST', bench.configs(gateway), { body, headers });
      assert.deepEqual(second.json, first.json);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal((await bench.rowsOf(gateway)).length, 1);
      const kept = await server.app.database.read
        .selectFrom('idempotency_keys')
        .selectAll()
        .execute();
      assert.ok(!JSON.stringify(kept).includes(body.secret));
    });

    test('a preview gives little away', async () => {
      const gateway = await bench.newGateway();
      for (const [secret, preview, provider] of [
        ['short-15-chars-', '…', 'openai'],
        ['exactly-16-chars', '…hars', 'openai'],
        ['{"type":"service_account"}', '{…}', 'google-vertex-ai'],
      ] as const) {
        const { json } = await bench.store(gateway, {
          secret,
          provider_slug: provider,
          alias: fresh(),
          default_config: false,
        });
        assert.equal(json.result.secret_preview, preview);
      }
    });

    test('a provider is stored by the name it has here', async () => {
      const gateway = await bench.newGateway();
      const { json } = await bench.store(gateway, { provider_slug: 'grok' });
      assert.equal(json.result.provider_slug, 'xai');
    });

    const VERTEX = { provider_slug: 'google-vertex-ai' };
    const AZURE = { provider_slug: 'azure-openai' };
    const RATE = { rate_limit: 1, rate_limit_period: 1 };
    const fine: [string, object][] = [
      ['an alias of 64 characters', { alias: 'a'.repeat(64) }],
      ['an alias of all that may be in one', { alias: 'Az09_.-' }],
      ['a key of one character', { secret: 'k' }],
      ['a key of 16 KiB', { secret: 'k'.repeat(16_384) }],
      ['a key with a line end behind it', { secret: `${newSecret()}\n` }],
      ['JSON over several lines', { secret: '{\n  "name": "ä"\n}', ...VERTEX }],
      ['JSON for Bedrock', { secret: '{}', provider_slug: 'aws-bedrock' }],
      ['a resource of Azure', { ...AZURE, origin: 'https://my-res.openai.azure.com' }],
      ['the smallest limit', RATE],
      ['the largest limit', { rate_limit: 1e9, rate_limit_period: 2_592_000 }],
      ['a limit that is off', { rate_limit: 0, rate_limit_period: null }],
      ['no secret_id', { secret_id: null }],
    ];
    for (const [what, fields] of fine) {
      test(`200: ${what}`, async () => {
        assert.equal((await bench.store(await bench.newGateway(), fields)).status, 200);
      });
    }

    const bad: [string, object, string][] = [
      ['an empty alias', { alias: '' }, '/alias'],
      ['an alias of 65 characters', { alias: 'a'.repeat(65) }, '/alias'],
      ['a space in the alias', { alias: 'a b' }, '/alias'],
      ['no default_config', { default_config: undefined }, '/default_config'],
      ['an unknown provider', { provider_slug: 'nobody' }, '/provider_slug'],
      ['a provider without keys', { provider_slug: 'local' }, '/provider_slug'],
      ['an unknown custom provider', { provider_slug: 'custom-nobody' }, '/provider_slug'],
      ['a custom provider without a slug', { provider_slug: 'custom-' }, '/provider_slug'],
      ['no key', { secret: undefined }, '/secret'],
      ['an empty key', { secret: '' }, '/secret'],
      ['a blank key', { secret: ' \n ' }, '/secret'],
      ['a key of more than 16 KiB', { secret: 'k'.repeat(16_385) }, '/secret'],
      ['a key of two lines', { secret: 'one\ntwo' }, '/secret'],
      ['a key that is not ASCII', { secret: 'schlüssel' }, '/secret'],
      ['broken JSON', { secret: '{"name": "a"', ...VERTEX }, '/secret'],
      ['JSON that would be a header', { secret: '{"name":\n"a"}' }, '/secret'],
      ['Azure without a resource', AZURE, '/origin'],
      ['a host that is not of Azure', { ...AZURE, origin: 'https://evil.example' }, '/origin'],
      ['an origin where there is but one', { origin: 'https://api.openai.com' }, '/origin'],
      ['a store of secrets', { secret: undefined, secret_id: 'abc' }, '/secret_id'],
      ['a limit without a period', { rate_limit: 5 }, '/rate_limit_period'],
      ['a period without a limit', { rate_limit_period: 5 }, '/rate_limit'],
      ['a limit below 0', { ...RATE, rate_limit: -1 }, '/rate_limit'],
      ['a limit above', { ...RATE, rate_limit: 1e9 + 1 }, '/rate_limit'],
      ['a period above', { ...RATE, rate_limit_period: 2_592_001 }, '/rate_limit_period'],
    ];
    test('400/5001 with the place, and nothing is stored', async () => {
      const gateway = await bench.newGateway();
      for (const [what, fields, pointer] of bad) {
        const { status, code, json, text } = await bench.store(gateway, fields);
        assert.deepEqual([what, status, code], [what, 400, 5001]);
        assert.equal(json.errors[0].source.pointer, pointer, what);
        assert.ok(!text.includes('schlüssel'));
      }
      assert.deepEqual(await bench.rowsOf(gateway), []);
    });

    test('400/5002: an unknown field', async () => {
      const { status, code } = await bench.store(await bench.newGateway(), { value: 'x' });
      assert.deepEqual([status, code], [400, 5002]);
    });

    test('400/5020: the alias is taken, for that provider of that gateway', async () => {
      const gateway = await bench.newGateway();
      await bench.store(gateway);
      const { status, code, json } = await bench.store(gateway);
      assert.deepEqual([status, code], [400, 5020]);
      assert.equal(json.errors[0].source.pointer, '/alias');
      assert.equal((await bench.store(gateway, { provider_slug: 'anthropic' })).status, 200);
      assert.equal((await bench.store(await bench.newGateway())).status, 200);
    });

    test('400/5021: a gateway keeps at most 100 keys', async () => {
      const gateway = await bench.newGateway();
      await bench.store(gateway);
      const [row] = await bench.rowsOf(gateway);
      assert.ok(row);
      const rows = Array.from({ length: 98 }, (_, i) => ({ ...row, id: `${i}`, alias: `a${i}` }));
      await server.app.database.transaction((tx) =>
        tx.insertInto('gateway_provider_configs').values(rows).execute(),
      );
      const answers = await Promise.all(
        ['x', 'y', 'z'].map((alias) => bench.store(gateway, { alias, default_config: false })),
      );
      assert.deepEqual(
        answers.map(({ status, code }) => code ?? status).toSorted((a, b) => a - b),
        [200, 5021, 5021],
      );
    });

    test('404: an unknown gateway, `default` before its first use too', async () => {
      for (const id of ['unknown', 'default']) {
        const { status, code } = await bench.store(id);
        assert.deepEqual([status, code], [404, 7003]);
      }
    });

    test('403: a token that may only read, or run, or write another gateway', async () => {
      const gateway = await bench.newGateway();
      for (const { value: token } of [
        await server.createToken(['ai-gateway.read', 'ai-gateway.run']),
        await server.createToken(['ai-gateway.write'], 'other'),
      ]) {
        const { status, code } = await bench.store(gateway, {}, { token });
        assert.deepEqual([status, code], [403, 10_000]);
      }
      const own = await server.createToken(['ai-gateway.write'], gateway);
      assert.equal((await bench.store(gateway, {}, { token: own.value })).status, 200);
    });
  });

  test('get and list show no key; list pages by provider and alias', async () => {
    const gateway = await bench.newGateway();
    const aliases = ['b', 'a', 'c'];
    for (const alias of aliases) await bench.store(gateway, { alias, default_config: false });
    await bench.store(gateway, { provider_slug: 'anthropic' });
    const page = async (query: string): Promise<Json> =>
      (await server.call('GET', `${bench.configs(gateway)}?${query}`)).json;
    const first = await page('per_page=3');
    const names = (json: Json) =>
      json.result.map((one: Json) => `${one.provider_slug} ${one.alias}`);
    assert.deepEqual(names(first), ['anthropic main', 'openai a', 'openai b']);
    assert.equal(first.result_info.total_count, 4);
    assert.deepEqual(names(await page('per_page=3&page=2')), ['openai c']);
    assert.deepEqual(names(await page('per_page=3&page=3')), []);
    const { json } = await server.call('GET', `${bench.configs(gateway)}/${first.result[0].id}`);
    assert.deepEqual(json.result, first.result[0]);
    assert.ok(!('secret' in json.result));
    assert.equal((await server.call('GET', bench.configs('unknown'))).code, 7003);
  });

  test("404: another gateway's key, and what there is not", async () => {
    const [mine, other] = [await bench.newGateway(), await bench.newGateway()];
    const { id } = (await bench.store(mine)).json.result;
    for (const path of [
      `${bench.configs(other)}/${id}`,
      `${bench.configs('unknown')}/${id}`,
      `${bench.configs(mine)}/${createId()}`,
    ]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const options = method === 'PATCH' ? { body: { alias: 'x' } } : {};
        const { status, code } = await server.call(method, path, options);
        assert.deepEqual([method, status, code], [method, 404, 7003]);
      }
    }
    assert.equal((await bench.rowsOf(mine)).length, 1);
  });

  describe('change', () => {
    test('what is not sent stays; 0 takes a limit away', async () => {
      const gateway = await bench.newGateway();
      const limits = { rate_limit: 5, rate_limit_period: 60 };
      const { result } = (await bench.store(gateway, limits)).json;
      const path = `${bench.configs(gateway)}/${result.id}`;
      const patch = async (body: object) =>
        (await server.call('PATCH', path, { body })).json.result;
      const renamed = await patch({ alias: 'renamed' });
      assert.deepEqual(
        { ...renamed, modified_at: result.modified_at },
        { ...result, alias: 'renamed' },
      );
      assert.equal((await patch({ rate_limit: 6 })).rate_limit, 6);
      const unlimited = await patch({ rate_limit: 0, rate_limit_period: 0 });
      assert.ok(!('rate_limit' in unlimited) && !('rate_limit_period' in unlimited));
    });

    test('400: half a limit, a taken alias, a bad key, an unknown field', async () => {
      const gateway = await bench.newGateway();
      await bench.store(gateway, { alias: 'taken', default_config: false });
      const { id } = (await bench.store(gateway)).json.result;
      for (const [body, code] of [
        [{ rate_limit: 5 }, 5001],
        [{ secret: 'two\nlines' }, 5001],
        [{ secret: '{}' }, 5001],
        [{ origin: 'https://my-res.openai.azure.com' }, 5001],
        [{ alias: 'taken' }, 5020],
        [{ provider_slug: 'anthropic' }, 5001],
        [{ key: 'x' }, 5002],
      ] as const) {
        const answer = await server.call('PATCH', `${bench.configs(gateway)}/${id}`, { body });
        assert.deepEqual([answer.status, answer.code], [400, code]);
      }
    });
  });
});
