import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { formatTime } from '../../src/lib/clock.ts';
import { clientAnnouncement } from '../../src/oauth/clients/client-directory.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addMember, createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function insertAccount(name: string): Promise<string> {
    const id = createId();
    await server.app.database.transaction(async (tx) => {
      await tx.insertInto('accounts').values({ id, name, created_at: 0 }).execute();
    });
    return id;
  }

  async function list(userId: string, query = ''): Promise<Json> {
    const headers = await signInAs(server, userId, clock);
    const answer = await server.call('GET', `/user/oauth_grants${query}`, { token: null, headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  test('nothing was allowed: an empty list', async () => {
    const { userId } = await createPerson(server);
    const { result, result_info: info } = await list(userId);
    assert.deepEqual(result, []);
    assert.deepEqual(info, { page: 1, per_page: 20, count: 0, total_count: 0, total_pages: 0 });
  });

  test('a grant: its client, its accounts, what was allowed and when', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const [alpha, beta, left] = await Promise.all(['alpha', 'beta', 'left'].map(insertAccount));
    assert.ok(alpha !== undefined && beta !== undefined && left !== undefined);
    await addMember(server, userId, beta);
    await addMember(server, userId, alpha);
    const client = await createClient(server, {
      client_name: 'Lister',
      scopes: ['tags.read', 'tags.write'],
      logo_uri: 'https://app.example.com/logo.png',
      client_uri: 'https://app.example.com/',
    });
    const createdAt = formatTime(clock.now());
    const decision = {
      userId,
      clientId: client.client_id as string,
      accountIds: [beta, left, alpha],
      scopes: ['openid', 'tags.read'],
      declinedScopes: ['tags.write'],
    };
    await server.app.database.transaction((tx, announce) =>
      storeGrant(tx, announce, decision, clock.now()),
    );
    const [{ id, ...grant }, ...others] = (await list(userId)).result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(others, []);
    assert.deepEqual(grant, {
      client: {
        client_id: client.client_id,
        client_name: 'Lister',
        visibility: 'private',
        logo_uri: `/oauth2/clients/${client.client_id}/logo`,
        publisher: { host: 'app.example.com', verified: false },
      },
      // Where the person is no member, nothing can be done; and it has a name that is no longer theirs to read.
      accounts: [
        { id: alpha, name: 'alpha' },
        { id: beta, name: 'beta' },
      ],
      scopes: ['openid', 'tags.read'],
      declined_scopes: ['tags.write'],
      created_at: createdAt,
      updated_at: createdAt,
      last_used_at: createdAt,
    });

    await server.app.database.transaction(async (tx, announce) => {
      await tx
        .updateTable('oauth_client_verifications')
        // A look-up that runs finds that it is not wanted any more.
        .set({ status: 'verified', next_check_at: null, lease_id: null, lease_until: null })
        .where('client_id', '=', client.client_id)
        .execute();
      announce(clientAnnouncement(client.client_id));
    });
    clock.advance(60_000);
    // The same accounts in another order: it is the same grant, decided anew.
    await server.app.database.transaction((tx, announce) =>
      storeGrant(
        tx,
        announce,
        { ...decision, accountIds: [alpha, beta, left], declinedScopes: [] },
        clock.now(),
      ),
    );
    const again = (await list(userId)).result;
    assert.equal(again.length, 1);
    assert.deepEqual(
      [again[0].id, again[0].created_at, again[0].updated_at, again[0].declined_scopes],
      [id, createdAt, formatTime(clock.now()), []],
    );
    assert.deepEqual(again[0].client.publisher, { host: 'app.example.com', verified: true });
  });

  test('pages, the latest decision first; one grant for each set of accounts', async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const other = await insertAccount('other');
    await addMember(server, userId, other);
    const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
    const ids: string[] = [];
    for (const accountIds of [[server.accountId], [other], [server.accountId, other]]) {
      clock.advance(1_000);
      ids.unshift(
        (await issueAccessToken(server, { userId, clientId, accountIds, clock })).grantId,
      );
    }
    const bystander = await createPerson(server, { accountId: server.accountId });
    await issueAccessToken(server, { userId: bystander.userId, clientId, clock });

    const first = await list(userId, '?per_page=2');
    const second = await list(userId, '?per_page=2&page=2');
    const idsOf = ({ result }: Json) => result.map((grant: Json) => grant.id);
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids);
    assert.deepEqual(first.result_info, {
      page: 1,
      per_page: 2,
      count: 2,
      total_count: 3,
      total_pages: 2,
    });
    assert.deepEqual((await list(userId, '?page=2')).result, []);
    // A plain client: no picture, no page of its own.
    assert.deepEqual(first.result[0].client, {
      client_id: clientId,
      client_name: 'Example',
      visibility: 'private',
    });
  });

  test("a person's API token sees all; an OAuth client sees where its token is from", async () => {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const [one, other] = await Promise.all(
      [1, 2].map(() => createClient(server, { scopes: ['user-details.read', 'tags.read'] })),
    );
    const scopes = ['user-details.read'];
    const first = await issueAccessToken(server, {
      userId,
      clientId: one.client_id,
      scopes,
      clock,
    });
    const second = await issueAccessToken(server, {
      userId,
      clientId: other.client_id,
      scopes,
      clock,
    });
    // Of the same client, in no account.
    const third = await issueAccessToken(server, {
      userId,
      clientId: other.client_id,
      accountIds: [],
      scopes,
      clock,
    });
    const seenBy = async (token: string) => {
      const answer = await server.call('GET', '/user/oauth_grants', { token });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.result_info.total_count, answer.json.result.length);
      return answer.json.result.map(({ id }: Json) => id).sort();
    };
    assert.deepEqual(await seenBy(first.value), [first.grantId]);
    assert.deepEqual(await seenBy(second.value), [second.grantId]);
    assert.deepEqual(await seenBy(third.value), [third.grantId]);
    const session = await signInAs(server, userId, clock);
    const { value } = await createUserToken(server, session, ['user-details.read']);
    assert.deepEqual(
      await seenBy(value),
      [first, second, third].map(({ grantId }) => grantId).sort(),
    );

    const without = await issueAccessToken(server, { userId, clientId: one.client_id, clock });
    const refused = await server.call('GET', '/user/oauth_grants', { token: without.value });
    assert.deepEqual([refused.status, refused.code], [403, 10_000]);
  });
});
