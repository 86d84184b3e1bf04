import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REDIRECT_URI } from '../support/authorizations.ts';
import { digestSecret } from '../../src/lib/secrets.ts';
import { createId } from '../../src/lib/ids.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { withOrigin } from '../../src/oauth/grants/redirect-origin.ts';
import { findFamilyByCode } from '../../src/oauth/tokens/family-store.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addMember } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import {
  answerTo,
  authPath,
  codeOf,
  consent,
  consentPathOf,
  errorOf,
  remember,
  signInPathOf,
  signedIn,
} from './authorizing.ts';
import { createClient } from './client-bodies.ts';

/** When a person is asked, and when what they have decided before will do. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin(changes: Record<string, unknown> = {}) {
    const client = await createClient(server, {
      scopes: ['tags.read', 'tags.write', 'email'],
      optional_scopes: ['tags.write'],
      ...changes,
    });
    const { person, visitor } = await signedIn(server, clock);
    const clientId: string = client.client_id;
    const { userId } = person;
    return { client, clientId, userId, person, visitor };
  }

  async function otherAccount(server: TestServer): Promise<string> {
    const id = createId();
    await server.app.database.transaction(async (tx) => {
      await tx.insertInto('accounts').values({ id, name: 'other', created_at: 0 }).execute();
    });
    return id;
  }

  async function removeMember(server: TestServer, accountId: string, id: string): Promise<void> {
    await server.app.database.transaction(async (tx, announce) => {
      const { user_id: userId } = await tx
        .deleteFrom('members')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returning('user_id')
        .executeTakeFirstOrThrow();
      announce({ topic: 'user', key: userId ?? '' });
    });
  }

  test('what was allowed is not asked again, with or without prompt=none', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await remember(server, clock, { userId, clientId });
    for (const changes of [{}, { prompt: 'none' }, { scope: 'tags.read' }, { scope: 'openid' }]) {
      const answer = await visitor.open(authPath(client, { nonce: 'n', ...changes }));
      const { state, iss, ...rest } = answerTo(answer);
      assert.deepEqual([state, iss], ['s t/a+t&e=', server.origin]);
      assert.deepEqual(Object.keys(rest), ['code']);
      const family = await findFamilyByCode(server.app.database.read, codeOf(answer));
      assert.deepEqual(family?.scopes, changes.scope?.split(' ') ?? ['openid', 'tags.read']);
      assert.deepEqual(family?.accountIds, [server.accountId]);
      assert.equal(family?.nonce, 'n');
      assert.equal(family?.redirectUri, REDIRECT_URI);
    }
  });

  test('more than was decided is asked, and what was declined is left out', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await server.app.database.transaction((tx, announce) =>
      storeGrant(
        tx,
        announce,
        {
          userId,
          clientId,
          accountIds: [server.accountId],
          scopes: ['openid', 'tags.read'],
          declinedScopes: ['tags.write'],
          scopesByOrigin: withOrigin({}, REDIRECT_URI, ['openid', 'tags.read']),
        },
        clock.now(),
      ),
    );
    const of = (scope: string, prompt?: string) =>
      visitor.open(authPath(client, { scope, prompt }));
    const code = codeOf(await of('openid tags.read tags.write'));
    const family = await findFamilyByCode(server.app.database.read, code);
    assert.deepEqual(family?.scopes, ['openid', 'tags.read']);
    consentPathOf(await of('openid tags.read email'));
    errorOf(await of('openid tags.read email', 'none'), 'consent_required');
    // Nothing would be left.
    consentPathOf(await of('tags.write'));
    errorOf(await of('tags.write', 'none'), 'consent_required');
    consentPathOf(await of('openid', 'consent'));
    consentPathOf(await of('openid', 'select_account'));
    consentPathOf(await of('openid', 'consent select_account'));
  });

  test('another person, and another client, is asked', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await remember(server, clock, { userId, clientId });
    const other = await signedIn(server, clock);
    consentPathOf(await other.visitor.open(authPath(client)));
    const another = await createClient(server, { scopes: ['tags.read'] });
    consentPathOf(await visitor.open(authPath(another)));
    codeOf(await visitor.open(authPath(client)));
  });

  test('consent counts while the person is a member of one of its accounts', async () => {
    const { client, clientId, userId, visitor } = await begin();
    const accountId = await otherAccount(server);
    const memberId = await addMember(server, userId, accountId);
    const accountIds = [server.accountId, accountId].toSorted();
    await remember(server, clock, { userId, clientId, accountIds });
    codeOf(await visitor.open(authPath(client)));
    await removeMember(server, accountId, memberId);
    const code = codeOf(await visitor.open(authPath(client)));
    const family = await findFamilyByCode(server.app.database.read, code);
    assert.deepEqual(family?.accountIds, accountIds);
  });

  test('consent for accounts that the person has left is no consent', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await remember(server, clock, { userId, clientId });
    clock.advance(1_000);
    const accountId = await otherAccount(server);
    const memberId = await addMember(server, userId, accountId);
    const scopes = ['openid'];
    await remember(server, clock, { userId, clientId, accountIds: [accountId], scopes });
    // The latest decision counts, and it was about less.
    consentPathOf(await visitor.open(authPath(client)));
    await removeMember(server, accountId, memberId);
    const code = codeOf(await visitor.open(authPath(client)));
    const family = await findFamilyByCode(server.app.database.read, code);
    assert.deepEqual(family?.accountIds, [server.accountId]);
  });

  test('consent for no account at all counts for whoever is somewhere else now', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await remember(server, clock, { userId, clientId, accountIds: [], scopes: ['openid'] });
    codeOf(await visitor.open(authPath(client, { scope: 'openid' })));
    consentPathOf(await visitor.open(authPath(client, { scope: 'openid tags.read' })));
  });

  test('programs on a device are always asked about', async () => {
    const uris = [
      'http://127.0.0.1/callback',
      'http://localhost:3000/callback',
      'https://localhost/callback',
      'com.example.app:/callback',
    ];
    const { client, clientId, userId, visitor } = await begin({
      token_endpoint_auth_method: 'none',
      redirect_uris: [...uris, REDIRECT_URI, 'https://localhost.example.com/callback'],
    });
    for (const uri of uris) {
      await remember(server, clock, { userId, clientId, redirectUri: uri });
      consentPathOf(await visitor.open(authPath(client, { redirect_uri: uri })));
      const silent = authPath(client, { redirect_uri: uri, prompt: 'none' });
      const answer = await visitor.open(silent);
      assert.equal(answerTo(answer, uri).error, 'consent_required');
    }
    for (const uri of [REDIRECT_URI, 'https://localhost.example.com/callback']) {
      await remember(server, clock, { userId, clientId, redirectUri: uri });
      codeOf(await visitor.open(authPath(client, { redirect_uri: uri })), uri);
    }
    const withSecret = await createClient(server, {
      scopes: ['tags.read'],
      redirect_uris: ['http://localhost:3000/callback'],
    });
    const redirectUri = 'http://localhost:3000/callback';
    await remember(server, clock, { userId, clientId: withSecret.client_id, redirectUri });
    const path = authPath(withSecret, { redirect_uri: redirectUri });
    codeOf(await visitor.open(path), redirectUri);
  });

  test('what a person decides is remembered, and noted in every log that it concerns', async () => {
    const { client, clientId, userId, visitor } = await begin();
    const { read } = server.app.database;
    const rowsOf = (chainId: string) =>
      read
        .selectFrom('audit_logs')
        .select(['action_type', 'resource_type', 'resource_id', 'resource_request', 'actor_id'])
        .where('chain_id', '=', chainId)
        .where('action_type', '=', 'authorize')
        .where('actor_id', '=', userId)
        .execute();
    const asked = consentPathOf(await visitor.open(authPath(client)));
    clock.advance(5_000);
    const code = codeOf(await consent(server, visitor, asked));
    const family = await findFamilyByCode(read, code);
    assert.equal(family?.codeExpiresAtMs, clock.now() + 60_000);
    assert.equal(family?.authenticatedAtMs, clock.now() - 5_000);
    const grants = await read
      .selectFrom('oauth_grants')
      .selectAll()
      .where('user_id', '=', userId)
      .execute();
    assert.deepEqual(
      grants.map((grant) => [grant.id, grant.user_id, grant.client_id, JSON.parse(grant.accounts)]),
      [[family?.grantId, userId, clientId, [server.accountId]]],
    );
    for (const chainId of [userId, server.accountId]) {
      const [row, ...more] = await rowsOf(chainId);
      assert.deepEqual(more, []);
      assert.deepEqual([row?.actor_id, row?.resource_type], [userId, 'oauth_grant']);
      assert.equal(row?.resource_id, family?.grantId);
      assert.deepEqual(JSON.parse(row?.resource_request ?? ''), {
        client_id: clientId,
        client_name: 'Example',
        accounts: [server.accountId],
        scopes: ['openid', 'tags.read'],
        declined_scopes: [],
      });
    }
    // To repeat what was decided is no decision.
    const again = codeOf(await visitor.open(authPath(client)));
    assert.notEqual(again, code);
    assert.equal((await rowsOf(userId)).length, 1);
    assert.equal((await rowsOf(server.accountId)).length, 1);
    const logs = [
      ...server.logLines,
      JSON.stringify(await read.selectFrom('audit_logs').selectAll().execute()),
    ];
    assert.ok(!logs.some((line) => line.includes(code) || line.includes(again)));
    const digests = await read
      .selectFrom('oauth_families')
      .select('code_digest')
      .where('grant_id', '=', family?.grantId ?? '')
      .execute();
    assert.deepEqual(
      digests.map((row) => row.code_digest).toSorted(),
      [code, again].map(digestSecret).toSorted(),
    );
  });

  test('who says no is sent back with that', async () => {
    const { client, visitor } = await begin();
    const asked = consentPathOf(await visitor.open(authPath(client)));
    const answer = await consent(server, visitor, asked, 'deny');
    errorOf(answer, 'access_denied');
    assert.equal(answerTo(answer).state, 's t/a+t&e=');
    consentPathOf(await visitor.open(authPath(client)));
  });

  test('whoever only looks ahead gets no code', async () => {
    const { client, clientId, userId, visitor } = await begin();
    await remember(server, clock, { userId, clientId });
    const { resume } = signInPathOf(await visitor.open(authPath(client, { prompt: 'login' })));
    const path = authPath(client);
    const families = async () =>
      (await server.app.database.read.selectFrom('oauth_families').select('id').execute()).length;
    const before = await families();
    const cookie = `latchkey_session=${visitor.cookie('latchkey_session')}`;
    for (const place of [path, resume]) {
      const head = await fetch(server.origin + place, {
        method: 'HEAD',
        redirect: 'manual',
        headers: { cookie },
      });
      assert.deepEqual([head.status, head.headers.get('location')], [200, null]);
      const purposes: Record<string, string>[] = [
        { 'sec-purpose': 'prefetch' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
        { 'x-moz': 'prefetch' },
      ];
      for (const headers of purposes) {
        const answer = await visitor.open(place, headers);
        assert.deepEqual([answer.status, answer.headers.get('location')], [503, null]);
      }
    }
    assert.equal(await families(), before);
    codeOf(await visitor.open(path));
    assert.equal(await families(), before + 1);
  });
});
