import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { digestSecret } from '../../src/lib/secrets.ts';
import { findFamilyByCode } from '../../src/oauth/tokens/family-store.ts';
import { createPkce, postForm } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { Visitor, readPage } from '../support/visitor.ts';
import {
  type Fields,
  answerTo,
  authFields,
  codeOf,
  consent,
  consentPathOf,
  errorOf,
  giveSession,
  remember,
  signInPathOf,
  signedIn,
} from './authorizing.ts';
import { createClient, patch } from './client-bodies.ts';
import { assertRefused, postAs } from './redemptions.ts';

const PAR = '/oauth2/par';

/** Pushed authorization requests (RFC 9126). */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock });
  });
  after(() => shared.stop());

  /** Clients on a server of their own. */
  async function bootOwn(t: TestContext, settings: Record<string, string> = {}) {
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    return boot(server);
  }

  /** Clients of its own, on a server that several tests use. */
  async function boot(server = shared) {
    const scopes = ['tags.read', 'email'];
    const client = await createClient(server, { scopes });
    const open = await createClient(server, { token_endpoint_auth_method: 'none', scopes });
    return { clock, server, client, open };
  }

  function push(server: TestServer, client: Json, changes: Fields = {}): Promise<Answer> {
    const { client_id: id, ...fields } = authFields(client, changes);
    // With `client_secret_basic` the name is in the header.
    return postAs(
      server,
      client,
      PAR,
      client.client_secret ? fields : { ...fields, client_id: id ?? '' },
    );
  }

  async function pushed(server: TestServer, client: Json, changes: Fields = {}): Promise<string> {
    const answer = await push(server, client, changes);
    assert.equal(answer.status, 201, answer.text);
    const { client_id: clientId } = client;
    const query = new URLSearchParams({
      client_id: clientId,
      request_uri: answer.json.request_uri,
    });
    return `/oauth2/auth?${query.toString()}`;
  }

  function assertUsedUp(answer: Answer): void {
    assert.equal(answer.headers.get('location'), null);
    assert.deepEqual(readPage(answer), {
      status: 400,
      title: 'This request was already used or has expired',
      error: undefined,
    });
  }

  test('a client pushes a request, and sends the person with its name', async () => {
    const { clock, server, client, open } = await boot();
    const { visitor } = await signedIn(server, clock);
    for (const pushing of [client, open]) {
      const answer = await push(server, pushing);
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(Object.keys(answer.json), ['request_uri', 'expires_in']);
      assert.equal(answer.json.expires_in, 90);
      assert.match(
        answer.json.request_uri,
        /^urn:ietf:params:oauth:request_uri:lkot_[0-9A-Za-z]{46}$/,
      );
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const path = `/oauth2/auth?client_id=${pushing.client_id}&request_uri=${answer.json.request_uri}`;
      // What was pushed counts, and nothing besides.
      const extra = '&scope=email&state=other&redirect_uri=https%3A%2F%2Fevil.example&prompt=none';
      const asked = consentPathOf(await visitor.open(path + extra));
      const approved = await consent(server, visitor, asked);
      const family = await findFamilyByCode(server.app.database.read, codeOf(approved));
      assert.deepEqual(family?.scopes, ['openid', 'tags.read']);
      assert.equal(answerTo(approved).state, 's t/a+t&e=');
    }
  });

  test('it works once', async (t) => {
    const { clock, server, client } = await bootOwn(t);
    const { person, visitor } = await signedIn(server, clock);
    const path = await pushed(server, client);
    // To look at the page again is no use of it (RFC 9126 section 7.3).
    const first = consentPathOf(await visitor.open(path));
    const second = consentPathOf(await visitor.open(path));
    codeOf(await consent(server, visitor, first));
    assertUsedUp(await consent(server, visitor, second));
    assertUsedUp(await visitor.open(path));
    const families = await server.app.database.read
      .selectFrom('oauth_families')
      .select('id')
      .execute();
    assert.equal(families.length, 1);
    const { userId } = person;
    await remember(server, clock, { userId, clientId: client.client_id });
    const silent = await pushed(server, client, { prompt: 'none' });
    codeOf(await visitor.open(silent));
    assertUsedUp(await visitor.open(silent));
  });

  test('of many who come with it at once, one gets a code', async () => {
    const { clock, server, client } = await boot();
    const { person, visitor } = await signedIn(server, clock);
    await remember(server, clock, { userId: person.userId, clientId: client.client_id });
    const path = await pushed(server, client);
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.open(path)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    for (const answer of answers) if (answer.status !== 303) assertUsedUp(answer);
  });

  test('it waits 90 seconds for the browser, and longer for the person', async () => {
    const { clock, server, client } = await boot();
    const { person, visitor } = await signedIn(server, clock);
    const path = await pushed(server, client);
    clock.advance(89_999);
    consentPathOf(await visitor.open(path));
    const { resume } = signInPathOf(await new Visitor(server).open(path));
    clock.advance(1);
    assertUsedUp(await visitor.open(path));
    clock.advance(30 * 60_000);
    // As housekeeping does.
    await server.app.database.transaction((tx) =>
      tx.deleteFrom('one_time_secrets').where('expires_at', '<=', clock.now()).execute(),
    );
    codeOf(await consent(server, visitor, consentPathOf(await visitor.open(resume))));
    const login = await pushed(server, client, { prompt: 'login' });
    const again = signInPathOf(await visitor.open(login)).resume;
    await giveSession(server, clock, visitor, person.userId);
    codeOf(await visitor.open(again));
  });

  test('it belongs to the client that has pushed it', async () => {
    const { clock, server, client, open } = await boot();
    const { visitor } = await signedIn(server, clock);
    const path = await pushed(server, client);
    assertUsedUp(await visitor.open(path.replace(client.client_id, open.client_id)));
    const uri = new URLSearchParams(path.slice(path.indexOf('?'))).get('request_uri') ?? '';
    for (const wrong of [
      `${uri}x`,
      uri.slice(0, -1),
      uri.replace(/.{6}$/, '000000'),
      uri.slice(0, 34),
    ]) {
      assertUsedUp(
        await visitor.open(`/oauth2/auth?client_id=${client.client_id}&request_uri=${wrong}`),
      );
    }
    assertUsedUp(await visitor.open(`${path}&request_uri=${uri}`));
    assert.equal(readPage(await visitor.open(path.replace('client_id', 'x'))).status, 400);
    consentPathOf(await visitor.open(path));
  });

  test('a form may bring it, too', async () => {
    const { clock, server, client } = await boot();
    const { visitor } = await signedIn(server, clock);
    const path = await pushed(server, client);
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const sent = await visitor.post('/oauth2/auth', Object.fromEntries(query));
    consentPathOf(await visitor.open(sent.headers.get('location') ?? ''));
  });

  test('the client is asked again when the person comes', async () => {
    const { clock, server, client } = await boot();
    const { visitor } = await signedIn(server, clock);
    const path = await pushed(server, client);
    const fewer = await patch(server, client.client_id, { scopes: ['email'] });
    assert.equal(fewer.status, 200, fewer.text);
    assert.match(errorOf(await visitor.open(path), 'invalid_scope'), /tags\.read/);
    const moved = await patch(server, client.client_id, {
      redirect_uris: ['https://app.example.com/new'],
    });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(readPage(await visitor.open(path)).title, 'Invalid authorization request');
  });

  test('all of a request is checked at once', async (t) => {
    const { server, client, open } = await bootOwn(t);
    const cases: [Fields, string][] = [
      [{ redirect_uri: undefined }, 'invalid_request'],
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
      [{ request_uri: 'https://x.example' }, 'invalid_request'],
      [{ request: 'e30.e30.' }, 'request_not_supported'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ scope: 'no.such' }, 'invalid_scope'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: 'x' }, 'invalid_request'],
      [{ resource: 'https://x.example' }, 'invalid_target'],
      [{ code_challenge: createPkce().challenge }, 'invalid_request'],
      [{ state: 'x'.repeat(6_000) }, 'invalid_request'],
      [{ nonce: 'a\0b' }, 'invalid_request'],
    ];
    for (const [changes, error] of cases) {
      const answer = await push(server, client, changes);
      assert.deepEqual([answer.status, answer.json.error], [400, error], answer.text);
    }
    const noPkce = { code_challenge: undefined, code_challenge_method: undefined };
    assert.match((await push(server, open, noPkce)).json.error_description, /PKCE/);
    const fields = new URLSearchParams(authFields(open));
    const twice = await request('POST', server.origin + PAR, {
      body: `${fields.toString()}&state=x`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(twice.json.error_description, 'state must not be repeated');
    const kept = await server.app.database.read
      .selectFrom('one_time_secrets')
      .select('digest')
      .execute();
    assert.deepEqual(kept, []);
  });

  test('clients authenticate as at the token endpoint', async () => {
    const { server, client, open } = await boot();
    const wrong = { ...client, client_secret: `${client.client_secret.slice(0, -1)}_` };
    assertUnauthorized(await push(server, wrong));
    assertUnauthorized(await postForm(server, PAR, authFields(client)));
    assertUnauthorized(await push(server, { ...open, client_id: '0'.repeat(32) }));
    for (const method of ['GET', 'PUT']) {
      const answer = await request(method, server.origin + PAR);
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST, OPTIONS']);
    }
  });

  test('pages of the client may push', async () => {
    const { server } = await boot();
    const origin = 'https://spa.example.com';
    const spa = await createClient(server, {
      token_endpoint_auth_method: 'none',
      scopes: ['tags.read'],
      allowed_cors_origins: [origin],
    });
    const allowedBy = async (from: string, changes: Fields) => {
      const { headers } = await postForm(server, PAR, authFields(spa, changes), { origin: from });
      return headers.get('access-control-allow-origin');
    };
    assert.equal(await allowedBy(origin, {}), origin);
    assert.equal(await allowedBy(origin, { scope: 'x' }), origin);
    assert.equal(await allowedBy('https://other.example.com', {}), null);
  });

  function assertUnauthorized(answer: Answer): void {
    assert.deepEqual([answer.status, answer.json.error], [401, 'invalid_client'], answer.text);
  }

  test('what is kept names no secret, and goes when it is over', async (t) => {
    const { clock, server, client } = await bootOwn(t);
    const path = await pushed(server, client);
    const [secret = ''] = /lkot_\w+/.exec(path) ?? [];
    const { read } = server.app.database;
    const rows = await read.selectFrom('one_time_secrets').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => [row.digest, row.purpose, row.expires_at]),
      [[digestSecret(secret), 'pushed_authorization_request', clock.now() + 90_000]],
    );
    assert.ok(!JSON.stringify(rows).includes(secret));
  });

  test('a client with a secret may push a thousand requests a minute', async (t) => {
    const { clock, server, client } = await bootOwn(t);
    clock.advance(60_000 - (clock.now() % 60_000));
    // What is wrong counts as well, and takes no time.
    const statuses = new Map<number, number>();
    for (let i = 0; i < 1_001; i++) {
      const answer = await push(server, client, { scope: 'no.such' });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    assert.deepEqual(
      [...statuses],
      [
        [400, 1_000],
        [429, 1],
      ],
    );
    const refused = await push(server, client);
    assertRefused(refused, 'temporarily_unavailable', 429);
    assert.equal(refused.headers.get('retry-after'), '60');
    clock.advance(60_000);
    assert.equal((await push(server, client)).status, 201);
  });

  test('one without may push sixty from one address, whatever others do', async (t) => {
    const { server, open } = await bootOwn(t, { TRUST_PROXY: '127.0.0.1' });
    const from = (ip: string) => postForm(server, PAR, authFields(open), { 'x-forwarded-for': ip });
    for (let i = 0; i < 60; i++) assert.equal((await from('192.0.2.1')).status, 201);
    assertRefused(await from('192.0.2.1'), 'temporarily_unavailable', 429);
    assert.equal((await from('192.0.2.2')).status, 201);
    // A whole /64 is one subscriber.
    for (let i = 0; i < 60; i++) assert.equal((await from(`2001:db8::${i}`)).status, 201);
    assert.equal((await from('2001:db8::ffff')).status, 429);
    assert.equal((await from('2001:db8:0:1::1')).status, 201);
  });
});
