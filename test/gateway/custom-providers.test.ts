import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import {
  type CustomProviderBench,
  freshSlug,
  startCustomProviderBench,
  validProvider,
} from './custom-provider-bench.ts';
import { gatewayBody } from './gateway-bodies.ts';

onEachDatabase((database) => {
  let bench: CustomProviderBench;
  let server: TestServer;
  let providers: string;
  before(async () => {
    bench = await startCustomProviderBench(database);
    ({ server, providers } = bench);
    await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      body: gatewayBody('default'),
    });
  });
  after(async () => {
    await server.stop();
  });

  const create: CustomProviderBench['create'] = (...args) => bench.create(...args);
  const createResult: CustomProviderBench['createResult'] = (...args) =>
    bench.createResult(...args);

  const lastAudit = async () => (await readAuditRows(server.app.database, server.accountId)).at(-1);

  describe('create', () => {
    test('answers the record, and writes it down', async () => {
      const fields = { description: 'Ours', link: 'https://models.example/about', beta: true };
      const made = await createResult({ slug: 'whole', enable: false, ...fields });
      const { id, created_at: createdAt, modified_at: modifiedAt, ...rest } = made;
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.equal(modifiedAt, createdAt);
      assert.deepEqual(rest, {
        name: 'Mine',
        slug: 'whole',
        base_url: 'https://models.example/v1',
        dialect: 'openai',
        models: [],
        enable: false,
        ...fields,
      });
      const audit = await lastAudit();
      assert.deepEqual(
        [audit?.action_type, audit?.resource_type, audit?.resource_id, audit?.resource_product],
        ['create', 'ai_gateway_custom_provider', id, 'ai_gateway'],
      );
      const { json } = await server.call('GET', `${providers}/${id}`);
      assert.deepEqual(json.result, made);
    });

    test('is on, and no beta, unless it says so', async () => {
      const made = await createResult({ description: '', link: '' });
      assert.deepEqual([made.enable, made.beta], [true, false]);
      assert.ok(!('description' in made) && !('link' in made));
    });

    const fine: [url: string, kept?: string][] = [
      ['https://models.example', 'https://models.example'],
      ['https://models.example/v1///', 'https://models.example/v1'],
      ['HTTPS://Models.Example:443/V1', 'https://models.example/V1'],
      ['https://models.example:8443/v1'],
      ['https://8.8.8.8/v1'],
      ['https://[2606:4700::1111]/v1'],
      // Opened by the operator.
      ['http://127.0.0.1:1/v1'],
      ['http://localhost:1/v1'],
      ['http://ollama.internal:11434/v1'],
      ['https://named.example/v1'],
      ['http://named.example:81/v1'],
      ['http://10.1.2.3/v1'],
      ['http://[fd00::5]/v1'],
      // Where it leads is looked at when it is called.
      ['https://models/v1'],
      [`https://models.example/${'p'.repeat(2_048 - 23)}`],
    ];
    for (const [url, kept = url] of fine) {
      test(`200: ${url.slice(0, 60)}`, async () => {
        assert.equal((await createResult({ base_url: url })).base_url, kept);
      });
    }

    const refused = [
      'models.example',
      'ftp://models.example',
      'file:///etc/passwd',
      'http://models.example/v1',
      'https://user@models.example',
      'https://user:password@models.example',
      'https://models.example/v1?key=1',
      'https://models.example/v1#x',
      'https://models.example/v1#',
      'https://127.0.0.2/v1',
      'https://127.1.1.1/v1',
      'https://2130706434/v1',
      'https://0.0.0.0/v1',
      'https://[::1]/v1',
      'https://[::ffff:10.0.0.1]/v1',
      'https://10.0.0.1/v1',
      'https://169.254.169.254/latest',
      'http://8.8.8.8/v1',
      'https://models.example:0/v1',
      'http://ollama.internal:11435/v1',
      'http://ollama.internal/v1',
      'http://sub.named.example/v1',
      'https://[fd00::5]:81/v1',
      // This very server.
      'https://gateway.example/v1',
      'https://GATEWAY.example.:443/v1',
      'https://gateway.example../v1',
    ];
    test('400/5022: addresses that are none, not public, or ours', async () => {
      for (const url of [...refused, `${server.origin}/v1`]) {
        const { status, code, json } = await create({ base_url: url });
        assert.deepEqual([url, status, code], [url, 400, 5022]);
        assert.equal(json.errors[0].source.pointer, '/base_url');
      }
    });

    for (const slug of ['a', '0', 'a-b-', 's'.repeat(63)]) {
      test(`200: the slug ${slug.slice(0, 10)}`, async () => void (await createResult({ slug })));
    }

    const bad: [string, object, string][] = [
      ['an empty slug', { slug: '' }, '/slug'],
      ['a slug of 64', { slug: 's'.repeat(64) }, '/slug'],
      ['a slug that begins with a hyphen', { slug: '-a' }, '/slug'],
      ['a capital', { slug: 'Mine' }, '/slug'],
      ['an underscore', { slug: 'a_b' }, '/slug'],
      ['an empty name', { name: '' }, '/name'],
      ['a name of 101', { name: 'n'.repeat(101) }, '/name'],
      ['a description of 1,001', { description: 'd'.repeat(1_001) }, '/description'],
      ['a link that is none', { link: 'about' }, '/link'],
      ['a link with a password', { link: 'https://user:password@a.example' }, '/link'],
      ['a link that runs', { link: 'javascript:alert(1)' }, '/link'],
      ['a link of 2,049', { link: `https://a/${'l'.repeat(2_039)}` }, '/link'],
      ['an address of 2,049', { base_url: `https://a/${'b'.repeat(2_039)}` }, '/base_url'],
      ['a text for a flag', { enable: 'yes' }, '/enable'],
    ];
    for (const [what, fields, pointer] of bad) {
      test(`400/5001: ${what}`, async () => {
        const { status, code, json } = await create(fields);
        assert.deepEqual([status, code], [400, 5001]);
        assert.equal(json.errors[0].source.pointer, pointer);
      });
    }

    test('200: a name of 100, a description of 1,000', async () => {
      await createResult({ name: 'n'.repeat(100), description: 'd'.repeat(1_000) });
    });

    test('400/5002: headers to send, which there are not, and other unknown fields', async () => {
      for (const fields of [{ headers: '{}' }, { position: 1 }]) {
        const { status, code } = await create(fields);
        assert.deepEqual([status, code], [400, 5002]);
      }
    });

    test('400/5023: the slug is taken', async () => {
      const slug = freshSlug();
      const answers = await Promise.all([create({ slug }), create({ slug })]);
      assert.deepEqual(
        answers.map(({ code }) => code ?? 0).toSorted((a, b) => a - b),
        [0, 5023],
      );
    });

    test('403: a token that may only read, or write one gateway', async () => {
      for (const { value: token } of [
        await server.createToken(['ai-gateway.read', 'ai-gateway.run']),
        await server.createToken(['ai-gateway.write'], 'default'),
      ]) {
        const { status, code } = await create({}, { token });
        assert.deepEqual([status, code], [403, 10_000]);
      }
    });
  });

  test('list pages by name, filters, and searches literally', async () => {
    for (const [name, fields] of [
      ['List b', { slug: 'list-one', beta: true }],
      ['List a', { slug: 'list-two', enable: false }],
      ['List 100%', { slug: 'list-three' }],
    ] as const) {
      await createResult({ name, ...fields });
    }
    const page = async (query: string): Promise<Json> =>
      (await server.call('GET', `${providers}?${query}`)).json;
    const slugs = (json: Json) => json.result.map((one: Json) => one.slug);
    const first = await page('search=LIST&per_page=2');
    assert.equal(slugs(first).length, 2);
    assert.equal(first.result_info.total_count, 3);
    const all = [...slugs(first), ...slugs(await page('search=list&per_page=2&page=2'))];
    assert.deepEqual(new Set(all), new Set(['list-one', 'list-three', 'list-two']));
    assert.deepEqual(slugs(await page('search=list&page=3')), []);
    assert.deepEqual(slugs(await page('search=list%20b')), ['list-one']);
    assert.deepEqual(slugs(await page('search=-two')), ['list-two']);
    assert.deepEqual(slugs(await page('search=%25')), ['list-three']);
    assert.deepEqual(slugs(await page('search=list&enable=false')), ['list-two']);
    assert.deepEqual(slugs(await page('search=list&beta=true')), ['list-one']);
    assert.deepEqual(slugs(await page(`search=${first.result[0].id}`)), [first.result[0].slug]);
  });

  describe('change', () => {
    const patch = (id: string, body: object) =>
      server.call('PATCH', `${providers}/${id}`, { body });

    test('what is not sent stays; an empty text takes away', async () => {
      const made = await createResult({ description: 'd', link: 'https://a.example/', beta: true });
      const { status, json } = await patch(made.id, { name: 'Other' });
      assert.equal(status, 200);
      const expected = { ...made, name: 'Other', modified_at: json.result.modified_at };
      assert.deepEqual(json.result, expected);
      assert.deepEqual((await lastAudit())?.action_type, 'update');
      const emptied = (await patch(made.id, { description: '', link: '', beta: false })).json;
      assert.ok(!('description' in emptied.result) && !('link' in emptied.result));
      assert.equal(emptied.result.beta, false);
      const moved = await patch(made.id, { base_url: 'https://other.example/' });
      assert.equal(moved.json.result.base_url, 'https://other.example');
    });

    test('400: 5001, also for another slug, and 5022', async () => {
      const { id } = await createResult();
      for (const [body, code] of [
        [{ name: '' }, 5001],
        [{ link: 'x' }, 5001],
        [{ slug: 'other' }, 5001],
        [{ url: 'other' }, 5002],
        [{ base_url: 'https://10.0.0.1' }, 5022],
      ] as const) {
        const answer = await patch(id, body);
        assert.deepEqual([answer.status, answer.code], [400, code]);
      }
    });

    test('400/5025: where it is, while gateways keep keys for it', async () => {
      const made = await createResult();
      const path = `${server.account}/ai-gateway/gateways/default/provider_configs`;
      const body = {
        alias: freshSlug(),
        default_config: true,
        provider_slug: `custom-${made.slug}`,
        secret: `sk-${createId()}`,
      };
      const stored = await server.call('POST', path, { body });
      const refused = await patch(made.id, { base_url: 'https://attacker.example/v1' });
      assert.deepEqual([refused.status, refused.code], [400, 5025]);
      assert.equal((await patch(made.id, { base_url: made.base_url, name: 'x' })).status, 200);
      await server.call('DELETE', `${path}/${stored.json.result.id}`);
      assert.equal((await patch(made.id, { base_url: 'https://new.example/v1' })).status, 200);
    });
  });

  test('delete takes the keys along, in every gateway: the slug may be used again', async () => {
    const made = await createResult();
    const gateway = `${server.account}/ai-gateway/gateways/default/provider_configs`;
    const body = {
      alias: freshSlug(),
      default_config: true,
      provider_slug: `custom-${made.slug}`,
      secret: `sk-${createId()}`,
    };
    const { id } = (await server.call('POST', gateway, { body })).json.result;
    const { json } = await server.call('DELETE', `${providers}/${made.id}`);
    assert.deepEqual(json.result, made);
    const audit = await lastAudit();
    assert.equal(audit?.resource_request, '{"keys_deleted_from":["default"]}');
    assert.equal((await server.call('GET', `${gateway}/${id}`)).status, 404);
    await createResult({ slug: made.slug });
  });

  test('403: deleting one whose keys are kept by a gateway that the token is denied', async () => {
    const { id, slug } = await createResult();
    const keys = `${server.account}/ai-gateway/gateways/default/provider_configs`;
    const key = { alias: freshSlug(), default_config: false, secret: `sk-${createId()}` };
    await server.call('POST', keys, { body: { ...key, provider_slug: `custom-${slug}` } });
    const allow = allowPolicy(server.accountId, ['ai-gateway.write']);
    const deny = allowPolicy(server.accountId, ['ai-gateway.write'], 'default');
    const made = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'test', policies: [allow, { ...deny, effect: 'deny' }] },
    });
    const { value: token } = made.json.result;
    const refused = await server.call('DELETE', `${providers}/${id}`, { token });
    assert.deepEqual([refused.status, refused.code], [403, 10_000]);
    assert.equal((await server.call('GET', `${providers}/${id}`)).status, 200);
    const other = await createResult();
    const gone = await server.call('DELETE', `${providers}/${other.id}`, { token });
    assert.equal(gone.status, 200);
  });

  test('400/5024: an account has at most 200', async () => {
    const own = await bootServer(database);
    try {
      const rows = Array.from({ length: 199 }, (_, i) => ({
        account_id: own.accountId,
        id: `id${i}`,
        slug: `slug${i}`,
        name: 'x',
        description: null,
        base_url: 'https://a.example',
        link: null,
        is_beta: 0 as const,
        is_enabled: 1 as const,
        created_at: 0,
        modified_at: 0,
      }));
      await own.app.database.transaction((tx) =>
        tx.insertInto('custom_providers').values(rows).execute(),
      );
      const path = `${own.account}/ai-gateway/custom-providers`;
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((slug) => own.call('POST', path, { body: validProvider({ slug }) })),
      );
      assert.deepEqual(
        answers.map(({ code, status }) => code ?? status).toSorted((a, b) => a - b),
        [200, 5024, 5024],
      );
    } finally {
      await own.stop();
    }
  });
});
