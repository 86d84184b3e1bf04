import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, allowPolicy, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

/** API tokens that an OAuth client makes or handles: none holds more than the client, or for longer. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let clientId: string;
  let tokens: string;
  before(async () => {
    server = await bootServer(database, { clock });
    tokens = `${server.account}/tokens`;
    ({ client_id: clientId } = await createClient(server, {
      scopes: ['api-tokens.write', 'tags.read', 'tags.write'],
    }));
  });
  after(() => server.stop());

  async function bearer(...scopes: string[]) {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const options = { userId, clientId, scopes: ['api-tokens.write', ...scopes], clock };
    return { userId, ...(await issueAccessToken(server, options)) };
  }

  const inMs = (fromNowMs: number) => new Date(clock.now() + fromNowMs).toISOString();

  const create = (token: string, fields: object): Promise<Answer> =>
    server.call('POST', tokens, {
      token,
      body: { name: 'child', policies: [allowPolicy(server.accountId, ['tags.read'])], ...fields },
    });

  test('it ends no later than the access token that made it', async () => {
    const { value } = await bearer('tags.read');
    const cases = [
      [undefined, 403],
      [inMs(ACCESS_TOKEN_MS + 1_000), 403],
      [inMs(ACCESS_TOKEN_MS), 200],
      [inMs(ACCESS_TOKEN_MS - 1_000), 200],
    ] as const;
    for (const [expiresOn, expected] of cases) {
      const answer = await create(value, expiresOn === undefined ? {} : { expires_on: expiresOn });
      assert.equal(answer.status, expected, answer.text);
      if (expected === 200) continue;
      assert.equal(answer.code, 3012);
      assert.equal(answer.json.errors[0].source.pointer, '/expires_on');
    }
  });

  test('it lives on for that time when the person takes all back, and no longer', async () => {
    const { value, userId, grantId } = await bearer('tags.read');
    const made = await create(value, { expires_on: inMs(ACCESS_TOKEN_MS) });
    const child = made.json.result.value as string;
    const headers = await signInAs(server, userId, clock);
    const path = `/user/oauth_grants/${grantId}`;
    assert.equal((await server.call('DELETE', path, { token: null, headers })).status, 200);
    const status = async (token: string) =>
      (await server.call('GET', `${server.account}/tags/keys`, { token })).status;
    assert.equal(await status(value), 401);
    assert.equal(await status(child), 200);
    clock.advance(ACCESS_TOKEN_MS);
    assert.equal(await status(child), 401);
  });

  test('it holds what the scopes hold, and nothing that only the person holds', async () => {
    const { value } = await bearer('tags.read');
    const cases = [
      [['tags.read'], 200],
      [['api-tokens.read'], 200],
      // Not consented to, though the role has it.
      [['tags.write'], 403],
      [['tags.read', 'members.read'], 403],
    ] as const;
    for (const [slugs, expected] of cases) {
      const answer = await create(value, {
        policies: [allowPolicy(server.accountId, [...slugs])],
        expires_on: inMs(60_000),
      });
      assert.equal(answer.status, expected, slugs.join());
      if (expected === 403) assert.equal(answer.code, 3012);
    }
    const elsewhere = await create(value, {
      policies: [allowPolicy(createId(), ['tags.read'])],
      expires_on: inMs(60_000),
    });
    assert.deepEqual([elsewhere.status, elsewhere.code], [400, 3011], elsewhere.text);
  });

  test('a token that was there before gives it no more, and no longer life', async () => {
    const { value: token } = await bearer('tags.read');
    const within = await server.createToken(['tags.read']);
    const more = await server.createToken(['members.write']);
    const body = { name: 'edited', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    for (const { id } of [within, more]) {
      const rolled = await server.call('PUT', `${tokens}/${id}/value`, { token, body: {} });
      assert.deepEqual([rolled.status, rolled.code], [403, 3012], rolled.text);
      const edited = await server.call('PUT', `${tokens}/${id}`, { token, body });
      assert.deepEqual([edited.status, edited.code], [403, 3012], edited.text);
    }
    const soonOver = { ...body, expires_on: inMs(60_000) };
    const edited = await server.call('PUT', `${tokens}/${within.id}`, { token, body: soonOver });
    assert.equal(edited.status, 200, edited.text);
  });
});
