import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { onEachDatabase } from '../support/databases.ts';
import { HANG, answer } from '../support/scripted-upstream.ts';
import type { Answer, Json } from '../support/server.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

onEachDatabase((database) => {
  let bench: ScriptedBench;
  let providers: string;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
    const prices = path.join(directory, 'prices.json');
    const price = { input: 1, output: 2 };
    await writeFile(
      prices,
      JSON.stringify({
        openai: { 'ft:mine': price, 'ft:*': price },
        huggingface: { 'org/x': price },
      }),
    );
    bench = await startScripted(database, {
      settings: { UPSTREAM_ALLOW: '127.0.0.1', PRICES: prices },
    });
    providers = `${bench.server.account}/ai-gateway/custom-providers`;
  });
  after(async () => {
    await bench.stop();
    await rm(directory, { recursive: true });
  });

  let count = 0;
  async function create(fields: object): Promise<string> {
    const slug = `list${++count}`;
    const body = { name: slug, slug, base_url: `${bench.upstream.origin}/${slug}`, ...fields };
    const { status, text } = await bench.server.call('POST', providers, { body });
    assert.equal(status, 200, text);
    return `custom-${slug}`;
  }
  const list = (query = ''): Promise<Answer> =>
    bench.server.call('GET', `${bench.server.account}/ai/v1/models${query}`);
  const idsOf = ({ json }: Answer): string[] => json.data.map(({ id }: Json) => id);
  const idsFrom = async (provider: string): Promise<string[]> =>
    idsOf(await list()).filter((id) => id.startsWith(`${provider}/`));

  describe('the models of a custom provider', () => {
    test('are those that its owner has listed', async () => {
      const name = await create({ models: ['claude-x', 'org/y'] });
      assert.deepEqual(await idsFrom(name), [`${name}/claude-x`, `${name}/org/y`]);
      const one = await bench.server.call(
        'GET',
        `${bench.server.account}/ai/v1/models/${name}/org/y`,
      );
      assert.equal(one.json.owned_by, name);
    });

    for (const [dialect, response, url] of [
      ['openai', { data: [{ id: 'a' }, { id: 'b' }] }, '/models'],
      ['anthropic', { data: [{ id: 'a', display_name: 'A' }, { id: 'b' }] }, '/v1/models'],
      ['gemini', { models: [{ name: 'models/a' }, { name: 'models/b' }] }, '/v1beta/models'],
    ] as const) {
      test(`or those that it lists itself: ${dialect}`, async () => {
        await bench.upstream.set('models', answer(200, response));
        const name = await create({ dialect });
        const before = (await bench.upstream.requests('models')).length;
        assert.deepEqual(await idsFrom(name), [`${name}/a`, `${name}/b`]);
        const requests = await bench.upstream.requests('models');
        assert.equal(requests.at(-1)?.url, `/${name.replace('custom-', '')}${url}`);
        await idsFrom(name);
        assert.equal((await bench.upstream.requests('models')).length, before + 1, 'is cached');
      });
    }

    test('are none while it does not respond, which delays the others for a short time only', async () => {
      await bench.upstream.set('models', [HANG]);
      const name = await create({});
      const startMs = performance.now();
      assert.deepEqual(await idsFrom(name), []);
      assert.ok(performance.now() - startMs < 10_000);
      for (const body of [answer(500, {}), answer(200, 'no JSON'), answer(200, { data: 7 })]) {
        await bench.upstream.set('models', body);
        assert.deepEqual(await idsFrom(await create({})), []);
      }
    });

    test('are none where the list redirects, is too long, or contains no usable names', async () => {
      const many = { data: Array.from({ length: 5 }, () => ({ id: 'x'.repeat(1024 * 1024) })) };
      for (const response of [
        answer(302, '', { location: `${bench.upstream.origin}/elsewhere` }),
        answer(200, many),
        answer(200, { data: [{ id: '' }, { id: 7 }, { id: 'x'.repeat(257) }, null, 'a'] }),
      ]) {
        await bench.upstream.set('models', response);
        assert.deepEqual(await idsFrom(await create({})), []);
      }
      assert.deepEqual(await bench.upstream.requests('elsewhere'), []);
    });

    test('are not listed for unauthenticated clients', async () => {
      const name = await create({ models: ['x'] });
      await bench.createGateway('open', { authentication: false });
      const path = `/v1/${bench.server.accountId}/open/compat/models`;
      const listed = await fetch(bench.server.origin + path);
      assert.equal(listed.status, 200);
      assert.ok(!(await listed.text()).includes(name));
    });

    test('are not listed for a disabled provider', async () => {
      const name = await create({ models: ['x'], enable: false });
      assert.deepEqual(await idsFrom(name), []);
    });

    test('are read with the key of the gateway', async () => {
      await bench.upstream.set('models', answer(200, { data: [{ id: 'a' }] }));
      const name = await create({ key_header: 'x-auth-key' });
      const configs = `${bench.server.account}/ai-gateway/gateways/default/provider_configs`;
      const body = { alias: name, default_config: true, provider_slug: name, secret: 'sk-list' };
      assert.equal((await bench.server.call('POST', configs, { body })).status, 200);
      assert.deepEqual(await idsFrom(name), [`${name}/a`]);
      const { headers = [] } = (await bench.upstream.requests('models')).at(-1) ?? {};
      assert.equal(headers[headers.indexOf('x-auth-key') + 1], 'sk-list');
    });
  });

  test('the price file of the operator adds models, without those that stand for several', async () => {
    const ids = await idsFrom('openai');
    assert.ok(ids.includes('openai/ft:mine') && ids.includes('openai/gpt-4o-mini'));
    assert.ok(!ids.some((id) => id.endsWith('*')));
  });

  describe('pages', () => {
    test('limit and after_id lead through the whole list', async () => {
      const all = idsOf(await list());
      const found: string[] = [];
      for (let query = '?limit=7'; ;) {
        const { json } = await list(query);
        found.push(...json.data.map(({ id }: Json) => id));
        if (json.has_more === false) break;
        assert.equal(json.data.length, 7);
        query = `?limit=7&after_id=${encodeURIComponent(json.last_id)}`;
      }
      assert.deepEqual(found, all);
    });

    test('an unmodified client reads them', async () => {
      const client = new Anthropic({
        authToken: bench.server.token,
        apiKey: null,
        baseURL: `${bench.server.baseUrl}${bench.server.account}/ai`,
      });
      const found: string[] = [];
      for await (const { id } of client.models.list({ limit: 10 })) found.push(id);
      assert.deepEqual(found, idsOf(await list()));
    });

    test('limits: below, at and above', async () => {
      for (const [query, status] of [
        ['limit=0', 400],
        ['limit=1', 200],
        ['limit=1000', 200],
        ['limit=1001', 400],
        ['limit=x', 400],
        ['limit=1.5', 400],
        ['limit=', 400],
        ['after_id=nothing', 400],
        ['limit=1&limit=2', 400],
      ] as const) {
        assert.equal((await list(`?${query}`)).status, status, query);
      }
    });

    test('an error on the gateway host has the format of the gateway host', async () => {
      const { status, json } = await bench.callHost('GET', 'default/compat/models?limit=0');
      assert.equal(status, 400);
      assert.deepEqual(
        [json.name, json.httpCode, json.internalCode],
        ['AiGatewayError', 400, 6010],
      );
    });
  });
});
