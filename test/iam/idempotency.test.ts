import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NO_CONTENT } from '../../src/http/route.ts';
import { Changes } from '../../src/iam/changes.ts';
import { createId } from '../../src/lib/ids.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import {
  type Answer,
  type CallOptions,
  type Json,
  type TestServer,
  allowPolicy,
  bootServer,
} from '../support/server.ts';

const DAY_MS = 86_400_000;

let count = 0;
/** A key, and a name, that no test has used. */
const fresh = (): string => `fresh ${++count}`;

function bodyOf(server: TestServer, name: string): Record<string, unknown> {
  return { name, policies: [allowPolicy(server.accountId, ['api-tokens.read'])] };
}

function post(
  server: TestServer,
  key: string,
  name: string,
  options: CallOptions = {},
): Promise<Answer> {
  return server.call('POST', `${server.account}/tokens`, {
    body: bodyOf(server, name),
    ...options,
    headers: { 'idempotency-key': key, ...options.headers },
  });
}

async function tokensNamed(server: TestServer, name: string): Promise<Json[]> {
  return server.app.database.read
    .selectFrom('api_tokens')
    .selectAll()
    .where('name', '=', name)
    .execute();
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  test('the same request again: the very same answer, secret and all, and nothing is made', async () => {
    const [key, name] = [fresh(), fresh()];
    const first = await post(server, key, name);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers.get('idempotency-replayed'), null);
    clock.advance(1_000);
    const rows = (await readAuditRows(server.app.database, server.accountId)).length;
    for (let i = 0; i < 2; i++) {
      const again = await post(server, key, name);
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
    }
    assert.equal((await tokensNamed(server, name)).length, 1);
    assert.equal((await readAuditRows(server.app.database, server.accountId)).length, rows);
    const { value } = first.json.result;
    const used = await server.call('GET', `${server.account}/tokens`, { token: value });
    assert.equal(used.status, 200);
  });

  test('the same body in another order of fields is the same', async () => {
    const [key, name] = [fresh(), fresh()];
    const first = await post(server, key, name);
    const body = Object.fromEntries(Object.entries(bodyOf(server, name)).toReversed());
    const again = await post(server, key, name, { body: JSON.stringify(body, undefined, 2) });
    assert.equal(again.text, first.text);
  });

  test('the same key with another body: 422, 6014', async () => {
    const [key, name, other] = [fresh(), fresh(), fresh()];
    await post(server, key, name);
    const refused = await post(server, key, other);
    assert.deepEqual([refused.status, refused.code], [422, 6014]);
    assert.equal((await tokensNamed(server, other)).length, 0);
    // The first one is as good as before.
    assert.equal((await post(server, key, name)).headers.get('idempotency-replayed'), 'true');
  });

  test('another credential, another path, another key: another request', async () => {
    const [key, name] = [fresh(), fresh()];
    const { value } = await server.createToken(['api-tokens.write']);
    const answers = [
      await post(server, key, name),
      await post(server, key, name, { token: value }),
      await post(server, `${key} `.trim().toUpperCase(), name),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
      answers.map(() => [200, null]),
    );
    assert.equal((await tokensNamed(server, name)).length, 3);
    const gateway = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      headers: { 'idempotency-key': key },
      body: gatewayBody('other-path'),
    });
    assert.equal(gateway.headers.get('idempotency-replayed'), null);
    assert.equal(gateway.status, 200, gateway.text);
  });

  test('another value of the same token does not open its answers', async () => {
    const [key, name] = [fresh(), fresh()];
    const { id, value } = await server.createToken(['api-tokens.write']);
    const first = await post(server, key, name, { token: value });
    assert.equal(first.status, 200);
    const rolled = await server.call('PUT', `${server.account}/tokens/${id}/value`);
    const again = await post(server, key, name, { token: rolled.json.result });
    assert.equal(again.headers.get('idempotency-replayed'), null);
    assert.notEqual(again.json.result.id, first.json.result.id);
    // And the old value opens nothing any more.
    assert.equal((await post(server, key, name, { token: value })).status, 401);
  });

  describe('the key', () => {
    for (const key of ['x', '~', '!', 'a b', 'x'.repeat(255)]) {
      test(`${key.slice(0, 10)}, ${key.length} long, is one`, async () => {
        const name = fresh();
        assert.equal((await post(server, key, name)).status, 200);
        assert.equal((await post(server, key, name)).headers.get('idempotency-replayed'), 'true');
        assert.equal((await tokensNamed(server, name)).length, 1);
      });
    }

    for (const key of ['', 'x'.repeat(256), 'schön', 'a\tb']) {
      test(`${JSON.stringify(key.slice(0, 10))}, ${key.length} long, is none: 400, 6015`, async () => {
        const name = fresh();
        const answer = await post(server, key, name);
        assert.deepEqual([answer.status, answer.code], [400, 6015]);
        assert.equal((await tokensNamed(server, name)).length, 0);
      });
    }
  });

  test('it is remembered for 24 hours', async () => {
    const [key, name] = [fresh(), fresh()];
    const first = await post(server, key, name);
    clock.advance(DAY_MS - 1);
    assert.equal((await post(server, key, name)).text, first.text);
    clock.advance(1);
    const anew = await post(server, key, name);
    assert.equal(anew.status, 200);
    assert.equal(anew.headers.get('idempotency-replayed'), null);
    assert.notEqual(anew.json.result.id, first.json.result.id);
    // From here on it stands for the second one, and any body would have been taken.
    assert.equal((await post(server, key, name)).text, anew.text);
    clock.advance(DAY_MS);
    assert.equal((await post(server, key, fresh())).status, 200);
  });

  test('a refusal is not kept: the key is free for a better request', async () => {
    const [key, name] = [fresh(), fresh()];
    const { value: weak } = await server.createToken(['api-tokens.write']);
    const wide = {
      name,
      policies: [allowPolicy(server.accountId, ['tags.write'])],
    };
    for (let i = 0; i < 2; i++) {
      const refused = await post(server, key, name, { token: weak, body: wide });
      assert.deepEqual([refused.status, refused.code], [403, 3012]);
      const invalid = await post(server, key, '', { token: weak });
      assert.deepEqual([invalid.status, invalid.code], [400, 3001]);
    }
    const taken = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      headers: { 'idempotency-key': key },
      body: gatewayBody('taken'),
    });
    assert.equal(taken.status, 200);
    const second = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      headers: { 'idempotency-key': `${key}2` },
      body: gatewayBody('taken'),
    });
    assert.equal(second.status, 400, second.text);
    const made = await post(server, key, name, { token: weak });
    assert.equal(made.status, 200);
    assert.equal(made.headers.get('idempotency-replayed'), null);
  });

  test('who may no longer, is not told what was answered before', async () => {
    const [key, name] = [fresh(), fresh()];
    const { id, value } = await server.createToken(['api-tokens.write']);
    assert.equal((await post(server, key, name, { token: value })).status, 200);
    await server.call('PUT', `${server.account}/tokens/${id}`, {
      body: { name: 'less', policies: [allowPolicy(server.accountId, ['tags.read'])] },
    });
    assert.equal((await post(server, key, name, { token: value })).status, 403);
    await server.call('DELETE', `${server.account}/tokens/${id}`);
    assert.equal((await post(server, key, name, { token: value })).status, 401);
  });

  test('20 at once make exactly one, and all hear of it', async () => {
    const [key, name] = [fresh(), fresh()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(server, key, name)));
    const [first] = answers;
    for (const { status, text } of answers) {
      assert.equal(status, 200, text);
      assert.equal(text, first?.text);
    }
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') !== null);
    assert.equal(replayed.length, 19);
    assert.equal((await tokensNamed(server, name)).length, 1);
  });

  test('of 20 at once with two bodies one wins, and the others hear that: 6014', async () => {
    const key = fresh();
    const names = [fresh(), fresh()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(server, key, names[index % 2] ?? '')),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 10);
    assert.equal(new Set(made.map(({ text }) => text)).size, 1);
    for (const { status, code } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, code], [422, 6014]);
    }
  });

  test('the answer is kept sealed: nothing on the server tells the secret, or the key', async () => {
    const key = `key-${createId()}`;
    const name = `name-${createId()}`;
    const { value } = (await post(server, key, name)).json.result;
    const rows = await server.app.database.read
      .selectFrom('idempotency_keys')
      .selectAll()
      .execute();
    const text = JSON.stringify(rows) + server.logLines.join('');
    for (const secret of [value, value.slice(5, 25), key, name, server.token]) {
      assert.equal(text.includes(secret), false);
    }
  });

  test('all of it or nothing: what cannot be kept was not done', async (t) => {
    const [key, name] = [fresh(), fresh()];
    const restore = await refuseWrites(server.app.database, 'update', 'idempotency_keys');
    t.after(restore);
    const before = (await readAuditRows(server.app.database, server.accountId)).length;
    const failed = await post(server, key, name);
    assert.deepEqual([failed.status, failed.code], [500, 1000]);
    assert.equal((await tokensNamed(server, name)).length, 0);
    assert.equal((await readAuditRows(server.app.database, server.accountId)).length, before);
    await restore();
    // The key was not spent on it.
    const made = await post(server, key, name);
    assert.equal(made.status, 200, made.text);
    assert.equal(made.headers.get('idempotency-replayed'), null);
  });

  test('an answer without content could not be repeated: a mistake that nothing is done for', async () => {
    const changes = new Changes(server.app.database, clock);
    const { accountId } = server;
    const token = {
      id: createId(),
      name: 'test',
      requestIp: undefined,
      status: 'active' as const,
      notBeforeMs: undefined,
      expiresAtMs: undefined,
    };
    const facts = { method: 'POST', path: '/empty', query: '', ip: '127.0.0.1' };
    const make = (headers: Record<string, string>) =>
      changes.make(
        {
          principal: { type: 'account_token', token, accountId, layers: [] },
          request: { id: createId(), ...facts, headers },
        },
        async ({ audit }) => {
          audit({
            chain: { accountId },
            type: 'create',
            description: 'Answered nothing',
            resource: { type: 'thing', id: undefined, product: 'things' },
            shows: {},
          });
          return NO_CONTENT;
        },
      );
    const before = (await readAuditRows(server.app.database, accountId)).length;
    await assert.rejects(make({ 'idempotency-key': fresh() }), /without content/);
    assert.equal((await readAuditRows(server.app.database, accountId)).length, before);
    assert.equal(await make({}), NO_CONTENT);
  });

  test('PUT, PATCH, GET and DELETE do not look at it', async () => {
    const key = fresh();
    const { id } = await server.createToken(['tags.read']);
    const path = `${server.account}/tokens/${id}`;
    for (const name of ['one', 'two']) {
      const headers = { 'idempotency-key': key };
      const put = await server.call('PUT', path, { headers, body: bodyOf(server, name) });
      assert.deepEqual([put.status, put.json.result.name], [200, name]);
      const got = await server.call('GET', path, { headers: { 'idempotency-key': '' } });
      assert.equal(got.status, 200);
      assert.equal(got.headers.get('idempotency-replayed'), null);
    }
    for (const status of [200, 404]) {
      const headers = { 'idempotency-key': key };
      assert.equal((await server.call('DELETE', path, { headers })).status, status);
    }
  });

  test('people who are signed in, and their tokens, have keys of their own', async () => {
    const key = fresh();
    const jane = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const [one, two] = [
      await signInAs(server, jane.userId, clock),
      await signInAs(server, jane.userId, clock),
    ];
    const { value } = await createUserToken(server, one, ['api-tokens.write', 'api-tokens.read']);
    const policies = [
      {
        ...allowPolicy('', ['api-tokens.read']),
        resources: { 'com.latchkey.api.account.*': '*' },
      },
    ];
    const make = (options: CallOptions): Promise<Answer> =>
      server.call('POST', '/user/tokens', {
        body: { name: key, policies },
        ...options,
        headers: { 'idempotency-key': key, ...options.headers },
      });
    const ways: CallOptions[] = [
      { token: null, headers: { ...one } },
      { token: null, headers: { ...two } },
      { token: value },
    ];
    const firsts: string[] = [];
    for (const way of ways) {
      const first = await make(way);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.headers.get('idempotency-replayed'), null);
      firsts.push(first.text);
    }
    for (const [index, way] of ways.entries()) {
      const again = await make(way);
      assert.equal(again.text, firsts[index]);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
    }
    assert.equal((await tokensNamed(server, key)).length, 3);
    // Other cookies beside the session's make no difference, whatever they look like.
    const cookie = `theme=dark; x=lkss_planted; ${one.cookie}; lkss_x=1`;
    const beside = await make({ token: null, headers: { ...one, cookie } });
    assert.equal(beside.text, firsts[0]);
  });
});

describe('two nodes on one PostgreSQL', () => {
  let a: TestServer;
  let b: TestServer;
  before(async () => {
    a = await bootServer('postgres');
    b = await bootServer('postgres', { besides: a });
  });
  after(async () => {
    await b.stop();
    await a.stop();
  });

  test('what one has answered the other repeats', async () => {
    const [key, name] = [fresh(), fresh()];
    const first = await post(a, key, name);
    const again = await post(b, key, name);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  test('20 at once on both make exactly one', async () => {
    const [key, name] = [fresh(), fresh()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(index % 2 === 0 ? a : b, key, name)),
    );
    for (const { status, text } of answers) {
      assert.equal(status, 200, text);
      assert.equal(text, answers[0]?.text);
    }
    assert.equal((await tokensNamed(a, name)).length, 1);
  });
});
