import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { authorize } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { patch } from './client-bodies.ts';
import {
  assertNotStored,
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
} from './redemptions.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let userId: string;
  let email: string;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    client = await createTokenClient(server);
  });
  beforeEach(async () => {
    ({ userId, email } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
    }));
  });
  after(() => server.stop());

  function introspect(token: string, as = client): Promise<Answer> {
    return postAs(server, as, '/oauth2/introspect', { token });
  }

  async function assertInactive(token: string, as = client): Promise<void> {
    const answer = await introspect(token, as);
    assert.deepEqual([answer.status, answer.json], [200, { active: false }], answer.text);
    assertNotStored(answer);
  }

  test('tells what an access token is good for', async () => {
    const { access_token: token } = await obtain(server, client, { userId, clock });
    const issuedAt = Math.floor(clock.now() / 1_000);
    const answer = await introspect(token);
    assert.equal(answer.status, 200, answer.text);
    assertNotStored(answer);
    assert.deepEqual(answer.json, {
      active: true,
      scope: 'tags.read tags.write',
      client_id: client.client_id,
      sub: userId,
      exp: issuedAt + 3_600,
      iat: issuedAt,
      iss: server.origin,
      token_type: 'Bearer',
    });
  });

  test('names the person to who may know the address', async () => {
    const scopes = ['email', 'tags.read'];
    const { access_token: token } = await obtain(server, client, { userId, clock, scopes });
    assert.equal((await introspect(token)).json.username, email);
  });

  test('everything else is not active', async () => {
    const scopes = ['openid', 'tags.read'];
    const tokens = await obtain(server, client, { userId, clock, scopes });
    const { access_token: access } = tokens;
    const code = await authorize(server, { userId, clientId: client.client_id, clock });
    const api = await server.createToken(['tags.read']);
    for (const token of [
      tokens.refresh_token,
      tokens.id_token,
      code,
      api.value,
      server.token,
      access.slice(0, -1),
      `${access}0`,
      ` ${access}`,
      createSecret('lkoat_'),
      'x',
    ]) {
      await assertInactive(token);
    }
    assert.equal((await introspect(access)).json.active, true);
  });

  test('another client’s token is not active', async () => {
    const other = await createTokenClient(server);
    const { access_token: token } = await obtain(server, client, { userId, clock });
    await assertInactive(token, other);
  });

  test('a client without a secret may not ask, and everybody must name a token', async () => {
    const app = await createTokenClient(server, { token_endpoint_auth_method: 'none' });
    const { access_token: token } = await obtain(server, app, { userId, clock });
    assertRefused(await introspect(token, app), 'invalid_client', 401);
    const thief = { ...client, client_secret: 'wrong' };
    assertRefused(await introspect(token, thief), 'invalid_client', 401);
    assertRefused(await introspect(''), 'invalid_request');
  });

  test('no page reads the answer', async () => {
    const origin = 'https://app.example.com';
    await patch(server, client.client_id, { allowed_cors_origins: [origin] });
    const answer = await fetch(`${server.origin}/oauth2/introspect`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ token: 'x' }),
    });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    await answer.arrayBuffer();
  });

  test('it is as the API sees it, up to the last millisecond', async () => {
    const { access_token: token } = await obtain(server, client, { userId, clock });
    clock.advance(3_599_999);
    assert.equal((await introspect(token)).json.active, true);
    clock.advance(1);
    await assertInactive(token);
  });

  test('what is left of the scopes is told', async () => {
    const changing = await createTokenClient(server);
    const { access_token: token } = await obtain(server, changing, { userId, clock });
    await patch(server, changing.client_id, { scopes: ['tags.read'] });
    assert.equal((await introspect(token, changing)).json.scope, 'tags.read');
    await patch(server, changing.client_id, { scopes: ['email'] });
    const { active, scope } = (await introspect(token, changing)).json;
    assert.deepEqual([active, scope], [true, undefined]);
  });

  test('revoked, or of somebody who has left: not active', async () => {
    const { access_token: token } = await obtain(server, client, { userId, clock });
    const { access_token: revoked } = await obtain(server, client, { userId, clock });
    assert.equal((await introspect(revoked)).json.active, true);
    await postAs(server, client, '/oauth2/revoke', { token: revoked });
    await assertInactive(revoked);
    assert.equal((await introspect(token)).json.active, true);
    await server.app.database.transaction(async (tx, announce) => {
      await tx.deleteFrom('members').where('user_id', '=', userId).execute();
      announce(userAnnouncement(userId));
    });
    await assertInactive(token);
  });
});
