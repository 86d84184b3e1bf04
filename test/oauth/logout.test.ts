import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { CompactSign, generateKeyPair } from 'jose';
import { rotateSigningKeys } from '../../src/oauth/oidc/rotate-keys.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootWithKeys, fetchKeys, issueIdToken, masterKey } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, request } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';
import { createClient } from './client-bodies.ts';
import { setClient } from './consent-form.ts';

const PATH = '/oauth2/logout';
const AFTER = 'https://app.example.com/bye';
const DAY_MS = 86_400_000;

const pathOf = (fields: Record<string, string> | [string, string][]) =>
  `${PATH}?${new URLSearchParams(fields).toString()}`;

/** The rights of the browser's owner, as the API sees them. */
async function isSignedIn(visitor: Visitor): Promise<boolean> {
  const { status } = await visitor.call('GET', '/user');
  assert.ok(status === 200 || status === 401);
  return status === 200;
}

/** The page must ask, and the person still be signed in. */
async function assertAsks(visitor: Visitor, answer: Answer, status = 200): Promise<void> {
  const page = readPage(answer);
  assert.deepEqual([page.status, page.title], [status, 'Sign out?']);
  assert.equal(page.error === undefined, status === 200);
  assert.equal(await isSignedIn(visitor), true);
}

async function signInVisitor(
  server: TestServer,
  clock: ManualClock,
  userId: string,
): Promise<Visitor> {
  const { cookie, 'x-csrf-token': csrf } = await signInAs(server, userId, clock);
  const visitor = new Visitor(server);
  visitor.cookies.set('latchkey_session', cookie.slice(cookie.indexOf('=') + 1));
  visitor.cookies.set('latchkey_csrf', csrf);
  assert.equal(await isSignedIn(visitor), true);
  return visitor;
}

onEachDatabase((database) => {
  let shared: Awaited<ReturnType<typeof start>>;
  before(async () => {
    shared = await start();
  });
  after(() => shared.server.stop());

  async function start() {
    const clock = new ManualClock();
    return { clock, ...(await bootWithKeys(database, { clock })) };
  }

  /** A client of its own, on a server that several tests use. */
  async function boot() {
    const client = await createClient(shared.server, { post_logout_redirect_uris: [AFTER] });
    return { ...shared, client };
  }

  async function enter(server: TestServer, clock: ManualClock) {
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    return { userId, email, visitor: await signInVisitor(server, clock, userId) };
  }

  test('with an ID token of the person: signed out at once, and back to the client', async () => {
    const { clock, server, keys, client } = await boot();
    for (const extra of [{}, { client_id: client.client_id as string }]) {
      const { userId, visitor } = await enter(server, clock);
      const hint = await issueIdToken(server, keys, { userId, client, clock });
      const before = visitor.cookie('latchkey_session') ?? '';
      const answer = await visitor.open(
        pathOf({
          ...extra,
          id_token_hint: hint,
          post_logout_redirect_uri: AFTER,
          state: 'a b&c=d',
          logout_hint: 'x',
          ui_locales: 'fr',
          unknown: 'x',
        }),
      );
      assert.deepEqual(redirectOf(answer), [303, `${AFTER}?state=a%20b%26c%3Dd`]);
      assert.equal(visitor.cookie('latchkey_session'), undefined);
      visitor.cookies.set('latchkey_session', before);
      assert.equal(await isSignedIn(visitor), false);
    }
  });

  test('without a redirect: a page says that the person is signed out', async () => {
    const { clock, server, keys, client } = await boot();
    const { userId, visitor } = await enter(server, clock);
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    const answer = await visitor.open(pathOf({ id_token_hint: hint, state: 'x' }));
    const page = readPage(answer);
    assert.deepEqual([page.status, page.title], [200, 'You are signed out']);
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(await isSignedIn(visitor), false);
  });

  test('an ID token that has expired long ago will do', async () => {
    const { clock, server, keys, client } = await boot();
    const person = await createPerson(server, { accountId: server.accountId });
    const { userId } = person;
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    clock.advance(30 * DAY_MS);
    const visitor = await signInVisitor(server, clock, userId);
    const answer = await visitor.open(
      pathOf({ id_token_hint: hint, post_logout_redirect_uri: AFTER }),
    );
    assert.deepEqual(redirectOf(answer), [303, AFTER]);
    assert.equal(await isSignedIn(visitor), false);
  });

  test('without an ID token the person is asked, and then sent back', async () => {
    const { clock, server, client } = await boot();
    const { email, visitor } = await enter(server, clock);
    const path = pathOf({
      client_id: client.client_id,
      post_logout_redirect_uri: AFTER,
      state: 's',
    });
    const page = await visitor.open(path);
    await assertAsks(visitor, page);
    assert.match(page.text, new RegExp(email));
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.equal(policy.includes('form-action'), false);
    const fields = hiddenFields(page.text);
    assert.deepEqual(Object.keys(fields).sort(), ['form_token', 'target']);
    assert.match(fields.target ?? '', /^v1\./);
    assert.equal(page.text.includes(AFTER), false);
    assert.deepEqual(redirectOf(await visitor.post(PATH, fields)), [303, `${AFTER}?state=s`]);
    assert.equal(await isSignedIn(visitor), false);
  });

  test('without anything: asked, and then a page', async () => {
    const { clock, server } = await boot();
    const { visitor } = await enter(server, clock);
    const page = await visitor.open(PATH);
    await assertAsks(visitor, page);
    const done = readPage(await visitor.post(PATH, hiddenFields(page.text)));
    assert.deepEqual([done.status, done.title], [200, 'You are signed out']);
    assert.equal(await isSignedIn(visitor), false);
  });

  test('the form must be ours, of this session, and as it was', async () => {
    const { clock, server, client } = await boot();
    const { visitor } = await enter(server, clock);
    const { visitor: other } = await enter(server, clock);
    const path = pathOf({ client_id: client.client_id, post_logout_redirect_uri: AFTER });
    const fields = hiddenFields((await visitor.open(path)).text);
    const foreign = hiddenFields((await other.open(path)).text);
    const token = fields.form_token ?? '';
    for (const [what, sent, headers] of [
      ['another session', { ...foreign }, {}],
      ['an empty token', { ...fields, form_token: '' }, {}],
      ['another site', fields, { 'sec-fetch-site': 'cross-site' }],
      ['another origin', fields, { origin: 'https://evil.example' }],
    ] as const) {
      const refused = await visitor.post(PATH, sent, headers);
      assert.equal(refused.status, 403, what);
      assert.equal(await isSignedIn(visitor), true, what);
    }
    for (const target of [foreign.target ?? '', `${fields.target}x`, AFTER]) {
      const { visitor: next } = await enter(server, clock);
      const own = hiddenFields((await next.open(path)).text);
      const answer = readPage(await next.post(PATH, { ...own, target }));
      // The person wanted to sign out; only the way back is not known any more.
      assert.deepEqual([answer.status, answer.title], [200, 'You are signed out']);
    }
    const stranger = new Visitor(server);
    assert.deepEqual(redirectOf(await stranger.post(PATH, { form_token: token })), [303, PATH]);
  });

  test('what is taken off the list while the person decides is left out', async () => {
    const { clock, server, client } = await boot();
    const { visitor } = await enter(server, clock);
    const path = pathOf({ client_id: client.client_id, post_logout_redirect_uri: AFTER });
    const fields = hiddenFields((await visitor.open(path)).text);
    const changed = await server.call(
      'PATCH',
      `${server.account}/oauth_clients/${client.client_id}`,
      { body: { post_logout_redirect_uris: [] } },
    );
    assert.equal(changed.status, 200, changed.text);
    const answer = readPage(await visitor.post(PATH, fields));
    assert.deepEqual([answer.status, answer.title], [200, 'You are signed out']);
  });

  test('a redirect that is not registered: said on a page, and nobody is signed out', async () => {
    const { clock, server, keys, client } = await boot();
    const { userId, visitor } = await enter(server, clock);
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    for (const uri of [
      'https://evil.example/bye',
      `${AFTER}/`,
      `${AFTER}?x=1`,
      `${AFTER}#x`,
      'https://APP.example.com/bye',
      'https://app.example.com/Bye',
      'https://app.example.com:443/bye',
      'https://app.example.com/x/../bye',
      'https://app.example.com@evil.example/bye',
      'javascript:alert(1)',
      // A redirect of the sign-in is none of the sign-out.
      'https://app.example.com/callback',
    ]) {
      const page = await visitor.open(
        pathOf({ id_token_hint: hint, post_logout_redirect_uri: uri, state: 'x' }),
      );
      await assertAsks(visitor, page, 400);
      assert.deepEqual(Object.keys(hiddenFields(page.text)), ['form_token']);
      const nobody = readPage(
        await new Visitor(server).open(
          pathOf({ id_token_hint: hint, post_logout_redirect_uri: uri }),
        ),
      );
      assert.deepEqual([nobody.status, nobody.title], [400, 'Cannot return to the application']);
    }
    const page = await visitor.open(pathOf({ post_logout_redirect_uri: AFTER }));
    await assertAsks(visitor, page, 400);
    const unknown = { client_id: 'f'.repeat(32), post_logout_redirect_uri: AFTER };
    await assertAsks(visitor, await visitor.open(pathOf(unknown)), 400);
    // The person may sign out all the same.
    const done = readPage(await visitor.post(PATH, hiddenFields(page.text)));
    assert.deepEqual([done.status, done.title], [200, 'You are signed out']);
  });

  test('the port of a loopback redirect is free, for clients without a secret', async () => {
    const { clock, server, keys } = await boot();
    const uris = { post_logout_redirect_uris: ['http://127.0.0.1:1/bye'] };
    const app = await createClient(server, { token_endpoint_auth_method: 'none', ...uris });
    const secret = await createClient(server, uris);
    for (const [client, uri, isAllowed] of [
      [app, 'http://127.0.0.1:51004/bye', true],
      [app, 'http://127.0.0.1/bye', true],
      [app, 'http://127.0.0.1:51004/other', false],
      [app, 'http://localhost:51004/bye', false],
      [app, 'http://[::1]:51004/bye', false],
      [app, 'http://127.0.0.1:80@evil.example/bye', false],
      [secret, 'http://127.0.0.1:1/bye', true],
      [secret, 'http://127.0.0.1:51004/bye', false],
    ] as [Json, string, boolean][]) {
      const { userId, visitor } = await enter(server, clock);
      const hint = await issueIdToken(server, keys, { userId, client, clock });
      const answer = await visitor.open(
        pathOf({ id_token_hint: hint, post_logout_redirect_uri: uri }),
      );
      if (isAllowed) assert.deepEqual(redirectOf(answer), [303, uri]);
      else await assertAsks(visitor, answer, 400);
    }
  });

  test('a hint that we have not signed is worth nothing', async () => {
    const { clock, server, keys, client } = await boot();
    const { userId, visitor } = await enter(server, clock);
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    const [header = '', payload = '', signature = ''] = hint.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicKey = (await fetchKeys(server)).keys.find((key) => key.kid === kid);
    const hmacSigned = `${encode({ alg: 'HS256', kid })}.${payload}`;
    const hmac = createHmac('sha256', JSON.stringify(publicKey))
      .update(hmacSigned)
      .digest('base64url');
    const { privateKey } = await generateKeyPair('ES256');
    const claims = Buffer.from(payload, 'base64url');
    const foreign = await new CompactSign(claims)
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey);
    const elsewhere = await keys.sign('ES256', {
      ...(JSON.parse(claims.toString()) as object),
      iss: 'https://other.example.com',
    });
    for (const [what, jwt] of Object.entries({
      'alg none': `${encode({ alg: 'none', kid })}.${payload}.`,
      'HS256 with the public key': `${hmacSigned}.${hmac}`,
      'another key': foreign,
      'another issuer': elsewhere,
      'no person': await keys.sign('ES256', { iss: server.origin, aud: client.client_id }),
      'another person': `${header}.${encode({ sub: userId })}.${signature}`,
      text: 'x',
    })) {
      const page = await visitor.open(pathOf({ id_token_hint: jwt }));
      assert.equal(readPage(page).title, 'Sign out?', what);
      await assertAsks(visitor, page);
      // And it says nothing of the client.
      const redirect = { id_token_hint: jwt, post_logout_redirect_uri: AFTER };
      await assertAsks(visitor, await visitor.open(pathOf(redirect)), 400);
    }
    await rotateSigningKeys(server.app.database, clock, masterKey, true);
    await assertAsks(visitor, await visitor.open(pathOf({ id_token_hint: hint })));
  });

  test('the hint of somebody else, and of another client', async () => {
    const { clock, server, keys, client } = await boot();
    const { visitor } = await enter(server, clock);
    const somebody = await createPerson(server);
    const hint = await issueIdToken(server, keys, { userId: somebody.userId, client, clock });
    const asked = { id_token_hint: hint, post_logout_redirect_uri: AFTER };
    const page = await visitor.open(pathOf(asked));
    await assertAsks(visitor, page);
    assert.deepEqual(redirectOf(await visitor.post(PATH, hiddenFields(page.text))), [303, AFTER]);

    const { userId, visitor: other } = await enter(server, clock);
    const own = await issueIdToken(server, keys, { userId, client, clock });
    const second = await createClient(server, { post_logout_redirect_uris: [AFTER] });
    const mixed = { ...asked, id_token_hint: own, client_id: second.client_id };
    await assertAsks(other, await other.open(pathOf(mixed)), 400);
    const { client_id: clientId } = client;
    const repeated: [string, string][] = [
      ...Object.entries({ id_token_hint: own }),
      ['client_id', clientId],
      ['client_id', clientId],
    ];
    await assertAsks(other, await other.open(pathOf(repeated)), 400);
  });

  test('when nobody is signed in: back to a public client, or a page', async () => {
    const { clock, server, keys, client } = await boot();
    await setClient(server, client, { visibility: 'public' });
    const { userId } = await createPerson(server);
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    const visitor = new Visitor(server);
    for (const fields of [{ id_token_hint: hint }, { client_id: client.client_id as string }]) {
      const path = pathOf({ ...fields, post_logout_redirect_uri: AFTER, state: '1' });
      assert.deepEqual(redirectOf(await visitor.open(path)), [303, `${AFTER}?state=1`]);
    }
    const page = readPage(await visitor.open(PATH));
    assert.deepEqual([page.status, page.title], [200, 'You are signed out']);
  });

  test('a POST of a client goes on as a GET, which has the cookie', async () => {
    const { clock, server, keys, client } = await boot();
    const { userId, visitor } = await enter(server, clock);
    const hint = await issueIdToken(server, keys, { userId, client, clock });
    const fields = { id_token_hint: hint, post_logout_redirect_uri: AFTER, state: 'a b' };
    // As a browser sends it from another site: without the cookie.
    const answer = await new Visitor(server).post(
      PATH,
      { ...fields, unknown: 'x' },
      { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
    );
    const [status, location] = redirectOf(answer);
    assert.equal(status, 303);
    assert.equal(location, pathOf(fields));
    const next = await visitor.open(pathOf(fields));
    assert.deepEqual(redirectOf(next), [303, `${AFTER}?state=a%20b`]);
    assert.equal(await isSignedIn(visitor), false);
  });

  test('parameters have a limit', async () => {
    const { clock, server, client } = await boot();
    const { visitor } = await enter(server, clock);
    const fields = { client_id: client.client_id as string, post_logout_redirect_uri: AFTER };
    const rest = new URLSearchParams({ ...fields, state: '' }).toString().length;
    const longest = { ...fields, state: 's'.repeat(8_192 - rest) };
    const page = await visitor.open(pathOf(longest));
    await assertAsks(visitor, page);
    assert.equal((await visitor.post(PATH, longest)).status, 303);
    const tooLong = { ...fields, state: `${longest.state}s` };
    await assertAsks(visitor, await visitor.open(pathOf(tooLong)), 400);
    const posted = readPage(await visitor.post(PATH, tooLong));
    assert.deepEqual([posted.status, posted.title], [400, 'Cannot return to the application']);
    // The longest fits into the form too.
    assert.deepEqual(redirectOf(await visitor.post(PATH, hiddenFields(page.text))), [
      303,
      `${AFTER}?state=${longest.state}`,
    ]);
  });

  test('other methods are refused', async () => {
    const { server } = await boot();
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await request(method, server.origin + PATH);
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, POST']);
    }
  });
});
