import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { onEachDatabase } from '../support/databases.ts';
import { addMember, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let clientId: string;
  before(async () => {
    server = await bootServer(database);
    ({ client_id: clientId } = await createClient(server, {
      client_name: 'Doomed',
      scopes: ['tags.read', 'user-details.read'],
    }));
  });
  after(() => server.stop());

  async function insertAccount(): Promise<string> {
    const id = createId();
    await server.app.database.transaction(async (tx) => {
      await tx.insertInto('accounts').values({ id, name: 'more', created_at: 0 }).execute();
    });
    return id;
  }

  async function remove(userId: string, grantId: string): Promise<Answer> {
    const headers = await signInAs(server, userId);
    return server.call('DELETE', `/user/oauth_grants/${grantId}`, { token: null, headers });
  }

  const tagsStatus = async (token: string): Promise<number> =>
    (await server.call('GET', `${server.account}/tags/keys`, { token })).status;

  test('every token and code of it is over at once, and the logs say so', async () => {
    const { userId, email } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
    });
    const [second, left] = [await insertAccount(), await insertAccount()];
    await addMember(server, userId, second);
    const options = { userId, clientId, accountIds: [left, server.accountId, second] };
    const { value, grantId } = await issueAccessToken(server, options);
    const { value: another } = await issueAccessToken(server, options);
    const kept = await issueAccessToken(server, { userId, clientId });
    for (const token of [value, another, kept.value]) assert.equal(await tagsStatus(token), 200);

    const answer = await remove(userId, grantId);
    assert.deepEqual([answer.status, answer.json.result], [200, { id: grantId }]);
    assert.equal(await tagsStatus(value), 401);
    assert.equal(await tagsStatus(another), 401);
    // What was allowed for other accounts is another grant.
    assert.equal(await tagsStatus(kept.value), 200);
    const families = await server.app.database.read
      .selectFrom('oauth_families')
      .leftJoin('oauth_access_tokens', 'family_id', 'id')
      .select('family_id')
      .where('grant_id', 'in', [grantId, kept.grantId])
      .execute();
    assert.equal(families.length, 1);
    for (const chain of [userId, server.accountId, second]) {
      const row = (await readAuditRows(server.app.database, chain)).at(-1);
      assert.ok(row !== undefined);
      assert.deepEqual(
        [row.action_type, row.action_result, row.actor_type, row.actor_email, row.resource_id],
        ['revoke', 'success', 'user', email, grantId],
      );
      assert.deepEqual(
        [row.resource_type, row.resource_product, row.request_method, row.action_description],
        ['oauth_grant', 'oauth_clients', 'DELETE', 'Revoked the authorization of an OAuth client'],
      );
      assert.deepEqual(JSON.parse(row.resource_request ?? ''), {
        client_id: clientId,
        client_name: 'Doomed',
        // Where else the person is a member is no business of an account.
        accounts: chain === userId ? [left, server.accountId, second].sort() : [chain],
        scopes: ['openid', 'tags.read'],
        declined_scopes: [],
      });
    }
    assert.deepEqual(await readAuditRows(server.app.database, left), []);
  });

  test('unknown, deleted before, of somebody else, or no id at all: 404 and 4041', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const { userId: otherId } = await createPerson(server, { accountId: server.accountId });
    const { grantId } = await issueAccessToken(server, { userId: otherId, clientId });
    const own = await issueAccessToken(server, { userId, clientId });
    assert.equal((await remove(userId, own.grantId)).status, 200);
    for (const id of [createId(), own.grantId, grantId, 'x', "'"]) {
      const answer = await remove(userId, id);
      assert.deepEqual([answer.status, answer.code], [404, 4041], id);
    }
    assert.equal((await remove(otherId, grantId)).status, 200);
  });

  test('only for who is signed in: a token, whoever bears it, is refused', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const scopes = ['tags.read', 'user-details.read'];
    const { value, grantId } = await issueAccessToken(server, { userId, clientId, scopes });
    const session = await signInAs(server, userId);
    const userToken = await createUserToken(server, session, ['user-details.read']);
    for (const token of [value, userToken.value, server.token]) {
      const answer = await server.call('DELETE', `/user/oauth_grants/${grantId}`, { token });
      assert.deepEqual([answer.status, answer.code], [403, 10_000]);
    }
    const { cookie } = session;
    const noCsrf = await server.call('DELETE', `/user/oauth_grants/${grantId}`, {
      token: null,
      headers: { cookie },
    });
    assert.equal(noCsrf.status, 403);
    assert.equal((await server.call('GET', '/user', { token: value })).status, 200);
  });

  test('of two who take it back at once, one does', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const { grantId } = await issueAccessToken(server, { userId, clientId });
    const answers = await Promise.all([1, 2, 3].map(() => remove(userId, grantId)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort((x, y) => x - y),
      [200, 404, 404],
    );
    const rows = await readAuditRows(server.app.database, userId);
    assert.equal(rows.filter(({ resource_id: id }) => id === grantId).length, 1);
  });
});
