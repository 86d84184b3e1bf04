import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { onEachDatabase } from '../support/databases.ts';
import { fetchKeys } from '../support/id-tokens.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { addAccount } from './consent-form.ts';
import { createTokenClient, obtain, refresh } from './redemptions.ts';

const PROTOCOL_CLAIMS = ['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'at_hash', 'sid'];
const SCOPES = ['openid', 'profile', 'email', 'groups', 'tags.read'];

/** The claims of scopes in the ID token (OpenID Connect Core section 5.4). */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let keys: ReturnType<typeof createLocalJWKSet>;
  before(async () => {
    server = await bootServer(database);
    client = await createTokenClient(server, {
      scopes: ['profile', 'email', 'groups', 'tags.read'],
    });
    keys = createLocalJWKSet(await fetchKeys(server));
  });
  after(() => server.stop());

  /** Verifies an ID token. Returns its claims about the user. */
  async function userClaimsOf({ id_token: idToken }: Json): Promise<Json> {
    const { payload } = await jwtVerify(idToken, keys, { issuer: server.origin });
    const names = Object.keys(payload).filter((name) => !PROTOCOL_CLAIMS.includes(name));
    return Object.fromEntries(names.map((name) => [name, payload[name]]));
  }

  async function userinfoOf({ access_token: token }: Json): Promise<Json> {
    const answer = await request('GET', `${server.origin}/oauth2/userinfo`, { token });
    assert.equal(answer.status, 200, answer.text);
    const { sub: _, ...claims } = answer.json;
    return claims;
  }

  const createUser = (firstName = 'Ada', lastName = 'Lovelace') =>
    createPerson(server, {
      accountId: server.accountId,
      roles: ['super-administrator'],
      firstName,
      lastName,
    });

  test('the ID token of the code and that of a refresh have the name and the email address', async () => {
    const { userId, email } = await createUser();
    const tokens = await obtain(server, client, { userId, scopes: SCOPES });
    const expected = {
      groups: ['Super Administrator'],
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: email,
      email,
      email_verified: true,
    };
    assert.deepEqual(await userClaimsOf(tokens), expected);
    const renewed = await refresh(server, client, tokens.refresh_token);
    assert.deepEqual(await userClaimsOf(renewed.json), expected);
    const narrowed = await refresh(server, client, renewed.json.refresh_token, {
      scope: 'openid email',
    });
    assert.deepEqual(await userClaimsOf(narrowed.json), { email, email_verified: true });
  });

  test('groups has the names of the roles in the selected accounts that grant something', async () => {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin', 'ai-gateway-run', 'member'],
    });
    const second = await addAccount(server, userId, 'Second', {
      roles: ['super-administrator'],
    });
    const third = await addAccount(server, userId, 'Third');
    const groupsOf = async (accountIds: string[]): Promise<unknown> => {
      const scopes = ['openid', 'groups'];
      const tokens = await obtain(server, client, { userId, scopes, accountIds });
      const { groups, ...others } = await userClaimsOf(tokens);
      assert.deepEqual([others, await userinfoOf(tokens)], [{}, { groups }]);
      return groups;
    };
    const first = ['AI Gateway Run', 'Member', 'Tag Admin'];
    assert.deepEqual(await groupsOf([server.accountId]), first);
    assert.deepEqual(await groupsOf([second]), ['Super Administrator']);
    const all = [server.accountId, second, third];
    assert.deepEqual(await groupsOf(all), [...first, 'Super Administrator'].toSorted());
    const tokens = await obtain(server, client, { userId, scopes: SCOPES, accountIds: all });
    await server.app.database.transaction(async (tx, announce) => {
      await tx.deleteFrom('members').where('account_id', '=', second).execute();
      await tx
        .updateTable('accounts')
        .set({ enforce_twofactor: 1 })
        .where('id', '=', third)
        .execute();
      announce(userAnnouncement(userId));
    });
    const later = await refresh(server, client, tokens.refresh_token);
    assert.deepEqual((await userClaimsOf(later.json)).groups, first);
    assert.deepEqual((await userinfoOf(later.json)).groups, first);
  });

  test('a client can switch them off, and on again with null', async () => {
    const { userId } = await createUser();
    const bare = await createTokenClient(server, {
      scopes: ['profile', 'email'],
      id_token_claims: false,
    });
    assert.equal(bare.id_token_claims, false);
    const path = `${server.account}/oauth_clients/${bare.client_id}`;
    for (const [value, isOn] of [
      [undefined, false],
      [true, true],
      [false, false],
      [null, true],
    ] as const) {
      if (value !== undefined) {
        const changed = await server.call('PATCH', path, { body: { id_token_claims: value } });
        assert.deepEqual([changed.status, changed.json.result.id_token_claims], [200, isOn]);
      }
      const tokens = await obtain(server, bare, { userId, scopes: ['openid', 'profile', 'email'] });
      const claims = await userClaimsOf(tokens);
      assert.deepEqual(claims, isOn ? await userinfoOf(tokens) : {});
      assert.notDeepEqual(await userinfoOf(tokens), {});
    }
    const refused = await server.call('PATCH', path, { body: { id_token_claims: 'no' } });
    assert.deepEqual([refused.status, refused.code], [400, 4001]);
  });

  test('an ID token has exactly the claims of userinfo, whichever scopes were granted', async () => {
    const users = [await createUser(), await createUser('', ''), await createUser('', 'Curie')];
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(SCOPES.slice(1)),
        fc.constantFrom(...users),
        async (scopes, { userId, email }) => {
          const tokens = await obtain(server, client, { userId, scopes: ['openid', ...scopes] });
          const claims = await userClaimsOf(tokens);
          assert.deepEqual(claims, await userinfoOf(tokens));
          assert.equal('name' in claims, scopes.includes('profile'));
          assert.equal(claims.email, scopes.includes('email') ? email : undefined);
          assert.notEqual(claims.name, '');
          assert.equal('groups' in claims, scopes.includes('groups'));
        },
      ),
      { numRuns: 12 },
    );
  });
});
