import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { digestSecret, isWellFormedSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';

const DAY_MS = 86_400_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  async function create(
    slugs: string[],
    fields: Record<string, unknown> = {},
  ): Promise<{ id: string; value: string }> {
    const body = { name: 'rolled', policies: [allowPolicy(server.accountId, slugs)], ...fields };
    const { json, text, status } = await server.call('POST', tokens, { body });
    assert.equal(status, 200, text);
    return json.result;
  }

  function roll(id: string, body: unknown = {}, token = server.token): Promise<Answer> {
    const sent = body === undefined ? {} : { body };
    return server.call('PUT', `${tokens}/${id}/value`, { ...sent, token });
  }

  const read = async (id: string): Promise<Json> =>
    (await server.call('GET', `${tokens}/${id}`)).json.result;

  const statusWith = async (value: string): Promise<number> =>
    (await server.call('GET', tokens, { token: value })).status;

  test('the new value is a bare text; the old one is dead at once, and nothing else changes', async () => {
    const { id, value } = await create(['api-tokens.read'], {
      expires_on: new Date(clock.now() + DAY_MS).toISOString(),
      condition: { request_ip: { in: ['127.0.0.1'] } },
    });
    const before = await read(id);
    assert.equal(await statusWith(value), 200);
    clock.advance(1_000);
    const rolled = await roll(id);
    assert.equal(rolled.status, 200, rolled.text);
    const next = rolled.json.result;
    assert.deepEqual(rolled.json, { success: true, errors: [], messages: [], result: next });
    assert.equal(isWellFormedSecret(next, 'lkat_'), true);
    assert.notEqual(next, value);
    assert.equal(rolled.headers.get('cache-control'), 'no-store');
    assert.equal(await statusWith(value), 401);
    assert.equal(await statusWith(next), 200);
    const { modified_on, last_used_on: _used, ...after } = await read(id);
    const { modified_on: modifiedBefore, last_used_on: _before, ...same } = before;
    assert.deepEqual(after, same);
    assert.equal(Date.parse(modified_on), Date.parse(modifiedBefore) + 1_000);
  });

  test('neither value is stored or logged', async () => {
    const { id, value } = await create(['api-tokens.read']);
    const { result: next } = (await roll(id)).json;
    const row = await server.app.database.read
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.digest, digestSecret(next));
    const audit = await server.app.database.read.selectFrom('audit_logs').selectAll().execute();
    for (const text of [JSON.stringify(row), JSON.stringify(audit), server.logLines.join('')]) {
      for (const secret of [value, next]) {
        // Neither the value nor a tell-tale part of it, the prefix aside.
        assert.equal(text.includes(secret.slice(5, 25)), false);
      }
    }
  });

  test('with an empty object or no body at all, and with nothing else', async () => {
    const { id } = await create(['tags.read']);
    assert.equal((await roll(id, {})).status, 200);
    assert.equal((await roll(id, undefined)).status, 200);
    for (const [body, code] of [
      [{ value: 'lkat_mine' }, 3002],
      [[], 3001],
      ['"x"', 3001],
      ['{', 6007],
    ] as const) {
      const answer = await roll(id, body);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(body));
    }
  });

  test('a disabled or expired token stays so under its new value', async () => {
    const { id, value } = await create(['api-tokens.read']);
    const body = {
      name: 'off',
      policies: [allowPolicy(server.accountId, ['api-tokens.read'])],
      status: 'disabled',
    };
    assert.equal((await server.call('PUT', `${tokens}/${id}`, { body })).status, 200);
    const { result: next } = (await roll(id)).json;
    assert.deepEqual([await statusWith(value), await statusWith(next)], [401, 401]);
    assert.equal((await read(id)).status, 'disabled');
  });

  test('whoever holds less cannot learn its value: 3012', async () => {
    const { value: editor } = await create(['api-tokens.write']);
    const strong = await create(['api-tokens.read', 'tags.read']);
    const refused = await roll(strong.id, {}, editor);
    assert.deepEqual([refused.status, refused.code], [403, 3012]);
    assert.equal(await statusWith(strong.value), 200);
    const own = await create(['api-tokens.read']);
    assert.equal((await roll(own.id, {}, editor)).status, 200);
    const { value: reader } = await create(['api-tokens.read']);
    const forbidden = await roll(own.id, {}, reader);
    assert.deepEqual([forbidden.status, forbidden.code], [403, 10_000]);
  });

  test('nor one that lasts longer, or works from elsewhere', async () => {
    const later = new Date(clock.now() + DAY_MS).toISOString();
    const { value: short } = await create(['api-tokens.write'], { expires_on: later });
    const { value: local } = await create(['api-tokens.write'], {
      condition: { request_ip: { in: ['127.0.0.1'] } },
    });
    const plain = await create(['api-tokens.read']);
    for (const editor of [short, local]) {
      assert.equal((await roll(plain.id, {}, editor)).code, 3012);
    }
  });

  test('a token rolls itself', async () => {
    const { id, value } = await create(['api-tokens.write']);
    const { result: next } = (await roll(id, {}, value)).json;
    assert.equal((await roll(id, {}, value)).status, 401);
    assert.equal((await roll(id, {}, next)).status, 200);
  });

  test('404: no such token', async () => {
    for (const id of [createId(), 'x']) {
      const answer = await roll(id);
      assert.deepEqual([answer.status, answer.code], [404, 7003]);
    }
  });

  test('of 10 rolls at once the last value works, and no other', async () => {
    const { id, value } = await create(['api-tokens.read']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => roll(id)));
    const values = answers.map(({ json }) => json.result as string);
    assert.equal(new Set(values).size, 10);
    const statuses = await Promise.all([value, ...values].map(statusWith));
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses[0], 401);
  });
});
