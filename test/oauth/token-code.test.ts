import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { digestSecret, isWellFormedSecret } from '../../src/lib/secrets.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import {
  type CodeOptions,
  REDIRECT_URI,
  authorize,
  basic,
  createPkce,
  postForm,
  redeem,
} from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { patch } from './client-bodies.ts';
import {
  assertNotStored,
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
  refresh,
  tagsStatus,
} from './redemptions.ts';

const CODE_MS = 60_000;
const OTHER_URI = 'https://app.example.com/other';

onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let app: Json;
  let userId: string;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    client = await createTokenClient(server, { redirect_uris: [REDIRECT_URI, OTHER_URI] });
    app = await createTokenClient(server, { token_endpoint_auth_method: 'none' });
    ({ userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
    }));
  });
  after(() => server.stop());

  function makeCode(options: Partial<CodeOptions> = {}): Promise<string> {
    const { client_id: clientId } = client;
    const scopes = ['tags.read', 'tags.write'];
    return authorize(server, { userId, clientId, scopes, clock, ...options });
  }

  async function lastAuditOf(person: string) {
    return (await readAuditRows(server.app.database, person)).at(-1);
  }

  test('a code yields tokens that work, and that nobody stores', async () => {
    const answer = await redeem(server, client, await makeCode());
    assert.equal(answer.status, 200, answer.text);
    assertNotStored(answer);
    const { access_token: access, refresh_token: refreshToken, ...rest } = answer.json;
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'tags.read tags.write',
    });
    assert.ok(isWellFormedSecret(access, 'lkoat_'));
    assert.ok(isWellFormedSecret(refreshToken, 'lkort_'));
    assert.equal(await tagsStatus(server, access), 200);
    const { digest } = await server.app.database.read
      .selectFrom('oauth_access_tokens')
      .select('digest')
      .where('digest', '=', digestSecret(access))
      .executeTakeFirstOrThrow();
    assert.notEqual(digest, access);
  });

  test('openid adds an ID token; nothing else does', async () => {
    const scopes = ['openid', 'tags.read'];
    const answer = await redeem(server, client, await makeCode({ scopes }));
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.json.id_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const without = await redeem(server, client, await makeCode());
    assert.equal('id_token' in without.json, false);
  });

  test('a client that does not list refresh_token gets none', async () => {
    const other = await createTokenClient(server, { grant_types: ['authorization_code'] });
    const code = await makeCode({ clientId: other.client_id });
    const { json } = await redeem(server, other, code);
    assert.equal('refresh_token' in json, false);
    assert.equal(await tagsStatus(server, json.access_token), 200);
  });

  test('who was asked for nothing but an authorization gets a token without scopes', async () => {
    const answer = await redeem(server, client, await makeCode({ scopes: [] }));
    assert.equal(answer.status, 200, answer.text);
    assert.equal('scope' in answer.json, false);
    assert.equal(await tagsStatus(server, answer.json.access_token), 403);
  });

  describe('what is refused', () => {
    for (const grantType of [
      'client_credentials',
      'password',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'constructor',
    ]) {
      test(`grant_type ${grantType}`, async () => {
        const fields = { grant_type: grantType, username: 'a', password: 'b', assertion: 'c' };
        const answer = await postAs(server, client, '/oauth2/token', fields);
        assertRefused(answer, 'unsupported_grant_type');
      });
    }

    test('no grant_type', async () => {
      assertRefused(await postAs(server, client, '/oauth2/token', {}), 'invalid_request');
    });

    for (const missing of ['code', 'redirect_uri']) {
      test(`no ${missing}`, async () => {
        const code = await makeCode();
        assertRefused(await redeem(server, client, code, { [missing]: '' }), 'invalid_request');
        assert.equal((await redeem(server, client, code)).status, 200);
      });
    }

    test('a repeated parameter', async () => {
      const code = await makeCode();
      const fields: [string, string][] = [
        ['grant_type', 'authorization_code'],
        ['code', code],
        ['code', code],
        ['redirect_uri', REDIRECT_URI],
      ];
      const authorization = basic(client.client_id, client.client_secret);
      const answer = await postForm(server, '/oauth2/token', fields, { authorization });
      assertRefused(answer, 'invalid_request');
      assert.equal((await redeem(server, client, code)).status, 200);
    });

    test('a parameter in the address', async () => {
      const code = await makeCode();
      const authorization = basic(client.client_id, client.client_secret);
      const path = `/oauth2/token?code=${code}`;
      const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI };
      const answer = await postForm(server, path, fields, { authorization });
      assertRefused(answer, 'invalid_request');
    });

    test('a resource that is not here; one that is passes', async () => {
      const code = await makeCode();
      const elsewhere = await redeem(server, client, code, { resource: 'https://other.example/' });
      assertRefused(elsewhere, 'invalid_target');
      assert.equal((await redeem(server, client, code, { resource: server.baseUrl })).status, 200);
    });

    test('another method, another content type', async () => {
      const get = await request('GET', `${server.origin}/oauth2/token`);
      assertRefused(get, 'invalid_request', 405);
      assert.equal(get.headers.get('allow'), 'POST, OPTIONS');
      const json = await request('POST', `${server.origin}/oauth2/token`, { body: {} });
      assertRefused(json, 'invalid_request', 415);
    });

    test('a code that nobody has', async () => {
      for (const code of ['x', createPkce().verifier, `${await makeCode()}A`]) {
        assertRefused(await redeem(server, client, code), 'invalid_grant');
      }
    });
  });

  describe('what does not burn a code', () => {
    test('another redirect_uri, even one that is registered', async () => {
      const code = await makeCode();
      for (const redirectUri of [
        OTHER_URI,
        `${REDIRECT_URI}/`,
        `${REDIRECT_URI}?a=b`,
        REDIRECT_URI.toUpperCase(),
      ]) {
        const answer = await redeem(server, client, code, { redirect_uri: redirectUri });
        assertRefused(answer, 'invalid_grant');
      }
      assert.equal((await redeem(server, client, code)).status, 200);
    });

    test('a wrong secret', async () => {
      const code = await makeCode();
      const thief = { ...client, client_secret: app.client_id };
      assertRefused(await redeem(server, thief, code), 'invalid_client', 401);
      assert.equal((await redeem(server, client, code)).status, 200);
    });

    test('another client, before it was used and after', async () => {
      const code = await makeCode();
      const other = await createTokenClient(server);
      assertRefused(await redeem(server, other, code), 'invalid_grant');
      const { status, json } = await redeem(server, client, code);
      assert.equal(status, 200);
      assertRefused(await redeem(server, other, code), 'invalid_grant');
      assert.equal(await tagsStatus(server, json.access_token), 200);
      assert.equal((await lastAuditOf(userId))?.action_type, undefined);
    });

    test('a wrong verifier, and one that no verifier can be', async () => {
      const { verifier, challenge } = createPkce();
      const code = await makeCode({ clientId: app.client_id, codeChallenge: challenge });
      for (const wrong of [
        createPkce().verifier,
        verifier.slice(0, -1),
        `${verifier}A`,
        verifier.toLowerCase(),
        challenge,
        `${verifier.slice(0, -1)}+`,
        `${verifier} `,
        '',
      ]) {
        const answer = await redeem(server, app, code, { code_verifier: wrong });
        assertRefused(answer, 'invalid_grant');
      }
      const answer = await redeem(server, app, code, { code_verifier: verifier });
      assert.equal(answer.status, 200, answer.text);
    });
  });

  describe('a verifier', () => {
    const challengeOf = (verifier: string): string => digestSecret(verifier);

    for (const [length, status] of [
      [42, 400],
      [43, 200],
      [128, 200],
      [129, 400],
    ] as const) {
      test(`of ${length} characters`, async () => {
        const verifier = 'aZ09-._~'.repeat(17).slice(0, length);
        const codeChallenge = challengeOf(verifier);
        const code = await makeCode({ codeChallenge });
        const answer = await redeem(server, client, code, { code_verifier: verifier });
        assert.equal(answer.status, status, answer.text);
        if (status === 400) assertRefused(answer, 'invalid_grant');
      });
    }

    for (const character of ['+', '/', '=', ' ', 'é', '%']) {
      test(`with ${character} in it`, async () => {
        const verifier = 'a'.repeat(42) + character;
        const code = await makeCode({ codeChallenge: challengeOf(verifier) });
        const answer = await redeem(server, client, code, { code_verifier: verifier });
        assertRefused(answer, 'invalid_grant');
      });
    }

    test('without a challenge, and a challenge without a verifier', async () => {
      const { verifier, challenge } = createPkce();
      const plain = await makeCode();
      const answer = await redeem(server, client, plain, { code_verifier: verifier });
      assertRefused(answer, 'invalid_grant');
      assert.equal((await redeem(server, client, plain)).status, 200);
      const bound = await makeCode({ codeChallenge: challenge });
      assertRefused(await redeem(server, client, bound), 'invalid_grant');
      const right = await redeem(server, client, bound, { code_verifier: verifier });
      assert.equal(right.status, 200, right.text);
    });
  });

  describe('the age of a code', () => {
    for (const [ageMs, status] of [
      [CODE_MS - 1, 200],
      [CODE_MS, 400],
      [CODE_MS + 1, 400],
    ] as const) {
      test(`${ageMs} ms`, async () => {
        const code = await makeCode();
        clock.advance(ageMs);
        const answer = await redeem(server, client, code);
        assert.equal(answer.status, status, answer.text);
        if (status === 400) assertRefused(answer, 'invalid_grant');
      });
    }
  });

  describe('reuse of a code', () => {
    for (const [what, laterMs] of [
      ['at once', 0],
      ['after 30 s', 30_000],
      ['when it would have expired', CODE_MS + 1],
    ] as const) {
      test(`${what} ends every token of it, and the person’s log tells`, async () => {
        const person = await createPerson(server, {
          accountId: server.accountId,
          roles: ['tag-admin'],
        });
        const code = await makeCode({ userId: person.userId });
        const { json: tokens } = await redeem(server, client, code);
        const second = (await refresh(server, client, tokens.refresh_token)).json;
        const other = await obtain(server, client, { userId: person.userId, clock });
        clock.advance(laterMs);
        assert.equal(await tagsStatus(server, second.access_token), 200);

        assertRefused(await redeem(server, client, code), 'invalid_grant');
        assert.equal(await tagsStatus(server, tokens.access_token), 401);
        assert.equal(await tagsStatus(server, second.access_token), 401);
        assertRefused(await refresh(server, client, second.refresh_token), 'invalid_grant');
        assert.equal(await tagsStatus(server, other.access_token), 200);
        const row = await lastAuditOf(person.userId);
        assert.deepEqual(
          [row?.action_type, row?.action_result, row?.actor_email, row?.actor_token_id],
          ['code_reuse', 'failure', person.email, client.client_id],
        );
        const rows = (await readAuditRows(server.app.database, person.userId)).length;
        assertRefused(await redeem(server, client, code), 'invalid_grant');
        assert.equal((await readAuditRows(server.app.database, person.userId)).length, rows);
      });
    }

    test('with a wrong verifier tells nothing and ends nothing', async () => {
      const { verifier, challenge } = createPkce();
      const code = await makeCode({ clientId: app.client_id, codeChallenge: challenge });
      const { json } = await redeem(server, app, code, { code_verifier: verifier });
      const thief = await redeem(server, app, code, { code_verifier: createPkce().verifier });
      assertRefused(thief, 'invalid_grant');
      assert.equal(await tagsStatus(server, json.access_token), 200);
    });

    test('of 50 at once exactly one wins', async () => {
      const code = await makeCode();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => redeem(server, client, code)),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const answer of answers) {
        if (answer.status !== 200) assertRefused(answer, 'invalid_grant');
      }
      // The others have used it again.
      assert.equal(await tagsStatus(server, won[0]?.json.access_token), 401);
    });
  });

  describe('between the authorization and the redemption', () => {
    test('the person was deleted or may not use the client any more', async () => {
      const person = await createPerson(server, {
        accountId: server.accountId,
        roles: ['tag-admin'],
      });
      const code = await makeCode({ userId: person.userId });
      await server.app.database.transaction(async (tx, announce) => {
        await tx.deleteFrom('members').where('user_id', '=', person.userId).execute();
        announce(userAnnouncement(person.userId));
      });
      assertRefused(await redeem(server, client, code), 'invalid_grant');
      await server.app.database.transaction(async (tx, announce) => {
        await tx.deleteFrom('users').where('id', '=', person.userId).execute();
        announce(userAnnouncement(person.userId));
      });
      assertRefused(await redeem(server, client, code), 'invalid_grant');
    });

    test('the client has lost a scope, and then all of them', async () => {
      const other = await createTokenClient(server);
      const [first, second] = [
        await makeCode({ clientId: other.client_id }),
        await makeCode({ clientId: other.client_id }),
      ];
      await patch(server, other.client_id, { scopes: ['tags.read'] });
      assert.equal((await redeem(server, other, first)).json.scope, 'tags.read');
      await patch(server, other.client_id, { scopes: ['email'] });
      assertRefused(await redeem(server, other, second), 'invalid_grant');
    });
  });
});
