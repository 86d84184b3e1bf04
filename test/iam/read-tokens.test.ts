import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions } from '../../src/iam/permissions.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../support/server.ts';

const HOUR_MS = 3_600_000;

// As the `cloudflare` client declares them.
const CATEGORIES = {
  account: 'account_and_billing',
  developer_platform: 'developer_platform',
  ai: 'ai_and_machine_learning',
  user: 'other',
};

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
  });
  after(() => server.stop());

  async function create(name: string, fields: Record<string, unknown> = {}): Promise<Json> {
    const policies = [allowPolicy(server.accountId, ['api-tokens.read'])];
    const { json, text } = await server.call('POST', tokens, {
      body: { name, policies, ...fields },
    });
    assert.equal(json.success, true, text);
    return json.result;
  }

  async function names(query: string): Promise<string[]> {
    const { json } = await server.call('GET', `${tokens}?${query}`);
    return json.result.map(({ name }: { name: string }) => name);
  }

  test('list goes by time of creation, oldest first unless asked otherwise', async (t) => {
    // A server of its own: the other tests of this file make tokens too.
    const other = await bootServer(database, { clock });
    t.after(() => other.stop());
    const path = `${other.account}/tokens`;
    const policies = [allowPolicy(other.accountId, ['tags.read'])];
    for (const name of ['b', 'a', 'C', 'ä']) {
      clock.advance(1);
      await other.call('POST', path, { body: { name, policies } });
    }
    const list = async (query: string): Promise<string> => {
      const { json } = await other.call('GET', `${path}?${query}`);
      return json.result.map(({ name }: { name: string }) => name).join();
    };
    assert.equal(await list(''), 'First token,b,a,C,ä');
    assert.equal(await list('direction=asc'), 'First token,b,a,C,ä');
    assert.equal(await list('direction=desc'), 'ä,C,a,b,First token');
    assert.equal(await list('direction=desc&per_page=2&page=2'), 'a,b');
    assert.equal(await list('direction=asc&per_page=2&page=3'), 'ä');
  });

  test('tokens of the same moment keep one order over all pages', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => create(`same-${i}`)));
    const all = await names('per_page=1000');
    const paged: string[] = [];
    for (let page = 1; page <= all.length; page++) {
      paged.push(...(await names(`per_page=1&page=${page}`)));
    }
    assert.deepEqual(paged, all);
    assert.deepEqual(await names('per_page=1000&direction=desc'), all.toReversed());
  });

  test('expired tokens are listed only when asked for, and counted accordingly', async () => {
    const { id } = await create('short-lived', {
      expires_on: new Date(clock.now() + HOUR_MS).toISOString(),
    });
    const find = async (query: string): Promise<Json> => {
      const { json } = await server.call('GET', `${tokens}?per_page=1000&${query}`);
      assert.equal(json.result_info.total_count, json.result.length);
      return json.result.find((token: Json) => token.id === id);
    };
    assert.equal((await find('')).status, 'active');
    clock.advance(HOUR_MS - 1);
    assert.equal((await find('include_expired=false')).status, 'active');
    clock.advance(1);
    assert.equal(await find(''), undefined);
    assert.equal(await find('include_expired=false'), undefined);
    assert.equal((await find('include_expired=true')).status, 'expired');
    assert.equal((await server.call('GET', `${tokens}/${id}`)).json.result.status, 'expired');
  });

  test('get and delete: an unknown id is 404, and delete works once', async () => {
    const { id } = await create('to go');
    assert.equal((await server.call('GET', `${tokens}/${id}`)).json.result.name, 'to go');
    const deleted = await server.call('DELETE', `${tokens}/${id}`);
    assert.equal(deleted.status, 200);
    assert.deepEqual(deleted.json.result, { id });
    for (const [method, path] of [
      ['DELETE', id],
      ['GET', id],
      ['GET', createId()],
      ['DELETE', createId()],
    ]) {
      const answer = await server.call(method ?? '', `${tokens}/${path}`);
      assert.equal(answer.status, 404);
      assert.equal(answer.code, 7003);
    }
  });

  test('delete with a JSON content type and no body works, as clients send it', async () => {
    const { id } = await create('to go');
    const answer = await server.call('DELETE', `${tokens}/${id}`, {
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 200, answer.text);
  });

  // The embedded database has one writer at a time in any case.
  if (database === 'postgres') {
    test('who names a token of somebody else does not wait for it', async () => {
      const { id } = await create('of the account');
      const session = await signInAs(server, (await createPerson(server)).userId, clock);
      await server.app.database.transaction(async (tx) => {
        await tx.updateTable('api_tokens').set({ name: 'held' }).where('id', '=', id).execute();
        const answer = await server.call('DELETE', `/user/tokens/${id}`, {
          token: null,
          headers: session,
        });
        assert.equal(answer.status, 404, answer.text);
      });
    });
  }

  test('a long list is the same as its parts, whatever is in it', async () => {
    for (let i = 0; i < 45; i++) await create(`"result":[] ${i} é\\`);
    const long = await server.call('GET', `${tokens}?per_page=1000`);
    assert.equal(long.status, 200);
    assert.equal(long.headers.get('content-type'), 'application/json; charset=utf-8');
    const { result, result_info: info, ...rest } = long.json;
    assert.deepEqual(rest, { success: true, errors: [], messages: [] });
    assert.equal(info.count, result.length);
    const parts = [];
    for (let page = 1; parts.length < result.length; page++) {
      const part = await server.call('GET', `${tokens}?per_page=20&page=${page}`);
      parts.push(...part.json.result);
    }
    // What is no more than one part is sent at once.
    assert.equal(long.headers.get('content-length'), String(Buffer.byteLength(long.text)));
    assert.ok(result.length > 45);
    // The presented token is used meanwhile.
    const known = (list: Json[]) => list.map((token) => ({ ...token, last_used_on: undefined }));
    assert.deepEqual(known(result), known(parts));
    const head = await fetch(`${server.baseUrl}${tokens}?per_page=1000`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${server.token}` },
    });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });

  test('a token that deletes itself is gone with the answer', async () => {
    const policies = [allowPolicy(server.accountId, ['api-tokens.write'])];
    const { id, value } = await create('self', { policies });
    assert.equal((await server.call('DELETE', `${tokens}/${id}`, { token: value })).status, 200);
    assert.equal((await server.call('DELETE', `${tokens}/${id}`, { token: value })).status, 401);
  });

  test('verify tells which token it is, and until when it works', async () => {
    const not_before = new Date(clock.now() - HOUR_MS).toISOString();
    const expires_on = new Date(clock.now() + HOUR_MS).toISOString();
    const { id, value } = await create('verified', { not_before, expires_on });
    const { status, json } = await server.call('GET', `${tokens}/verify`, { token: value });
    assert.equal(status, 200);
    assert.deepEqual(json, {
      success: true,
      errors: [],
      messages: [{ code: 10_000, message: 'This API Token is valid and active' }],
      result: { id, status: 'active', not_before, expires_on },
    });
    clock.advance(HOUR_MS);
    assert.equal((await server.call('GET', `${tokens}/verify`, { token: value })).status, 401);
  });

  test('verify needs no permission', async () => {
    const { value, id } = await create('weak', {
      policies: [allowPolicy(server.accountId, ['webhooks.read'])],
    });
    const { json } = await server.call('GET', `${tokens}/verify`, { token: value });
    assert.deepEqual(json.result, { id, status: 'active' });
    assert.equal((await server.call('GET', tokens, { token: value })).status, 403);
  });

  test('permission groups are the catalogue', async () => {
    const { json } = await server.call('GET', `${tokens}/permission_groups`);
    assert.deepEqual(
      json.result,
      permissions.map(({ id, name, category, scope }) => ({
        id,
        name,
        scopes: [`com.latchkey.api.${scope}`],
        category: CATEGORIES[category],
      })),
    );
  });

  test('permission groups by name and by scope', async () => {
    const path = `${tokens}/permission_groups`;
    const find = async (query: Record<string, string>): Promise<string[]> => {
      const { json } = await server.call('GET', `${path}?${String(new URLSearchParams(query))}`);
      return json.result.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await find({ name: 'Tags Read' }), ['Tags Read']);
    assert.deepEqual(await find({ name: 'tags read' }), []);
    assert.deepEqual(await find({ name: 'Tags' }), []);
    const personal = await find({ scope: 'com.latchkey.api.user' });
    assert.deepEqual(personal, ['User Details Read', 'Memberships Read']);
    const shared = await find({ scope: 'com.latchkey.api.account' });
    assert.equal(shared.length, permissions.length - personal.length);
    assert.deepEqual(await find({ scope: 'com.latchkey.api.zone' }), []);
    assert.deepEqual(await find({ scope: 'com.latchkey.api.user', name: 'Tags Read' }), []);
  });

  test('the brand names the scopes and resources', async (t) => {
    const branded = await bootServer(database, { settings: { BRAND: 'acme' } });
    t.after(() => branded.stop());
    const path = `${branded.account}/tokens`;
    const groups = await branded.call('GET', `${path}/permission_groups?scope=com.acme.api.user`);
    assert.equal(groups.json.result.length, 2);
    const { json } = await branded.call('GET', path);
    assert.deepEqual(json.result[0].policies[0].resources, {
      [`com.acme.api.account.${branded.accountId}`]: '*',
    });
  });
});
