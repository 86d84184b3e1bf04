import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { authPath } from '../oauth/authorizing.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { readForm } from '../oauth/consent-form.ts';
import { redeem } from '../support/authorizations.ts';
import { codeAt } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  CALLBACK,
  callWith,
  cookieHeader,
  cookiesOf,
  getPage,
} from '../support/external-sign-in.ts';
import {
  type FakeOpenIdProvider,
  PUBLIC_ORIGIN,
  startFakeProvider,
} from '../support/openid-provider.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';

type Cookies = Map<string, string>;

const DAY = 86_400;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

onEachDatabase((database) => {
  async function start(t: TestContext) {
    const provider = await startFakeProvider(t);
    const server = await bootServer(database, { settings: provider.settings });
    t.after(() => server.stop());
    const person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
      email: 'x@example.com',
    });
    return { provider, server, person };
  }

  /** Follows the link to the provider and comes back; the ID token has these claims on top. */
  async function signIn(
    server: TestServer,
    provider: FakeOpenIdProvider,
    path: string,
    claims: Record<string, unknown>,
    present: Cookies = new Map(),
  ): Promise<{ answer: Answer; asked: URLSearchParams; cookies: Cookies }> {
    const begun = await getPage(server, path, present);
    assert.equal(begun.status, 303, begun.text);
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    provider.claims = { nonce: asked.get('nonce'), ...claims };
    const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' });
    const sent = new Map([...present, ...cookiesOf(begun)]);
    const answer = await getPage(server, `${CALLBACK}?${query.toString()}`, sent);
    return { answer, asked, cookies: new Map([...present, ...cookiesOf(answer)]) };
  }

  const stepUp = async (server: TestServer, cookies: Cookies): Promise<number> =>
    (await callWith(server, cookies, 'POST', '/user/totp')).code ?? 0;

  const provedOn = async (server: TestServer, cookies: Cookies): Promise<string | null> =>
    (await callWith(server, cookies, 'GET', '/user/sessions/current')).json.result.authenticated_on;

  /** A client; the server says that it is reached elsewhere. */
  const newClient = (server: TestServer) => {
    const call: TestServer['call'] = (method, path, options) =>
      request(method, `${server.origin}/client/v4${path}`, { token: server.token, ...options });
    return createClient({ ...server, call }, { scopes: ['tags.read'] });
  };

  /** The person consents; answers the claims of the client's ID token. */
  async function claimsFor(server: TestServer, client: Json, path: string, cookies: Cookies) {
    const consentPath = (await getPage(server, path, cookies)).headers.get('location');
    const form = readForm(await getPage(server, consentPath ?? '', cookies));
    form.fields.set('decision', 'approve');
    const decided = await request('POST', `${server.origin}/oauth2/consent`, {
      body: form.fields.toString(),
      headers: {
        ...cookieHeader(cookies),
        origin: PUBLIC_ORIGIN,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { json, text } = await redeem(server, client, code);
    assert.ok(json.id_token, text);
    const [, payload = ''] = String(json.id_token).split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as { auth_time: number };
  }

  test('the time that the provider states is that of the session', async (t) => {
    const { provider, server } = await start(t);
    const yesterday = nowSeconds() - DAY;
    const old = await signIn(server, provider, '/login/external', { auth_time: yesterday });
    assert.equal(old.answer.status, 303);
    assert.deepEqual([old.asked.get('prompt'), old.asked.get('max_age')], [null, null]);
    assert.equal(await provedOn(server, old.cookies), new Date(yesterday * 1_000).toISOString());
    assert.equal(await stepUp(server, old.cookies), 3045);
    const unknown = await signIn(server, provider, '/login/external', {});
    assert.equal(unknown.answer.status, 303, unknown.answer.text);
    assert.equal(await provedOn(server, unknown.cookies), null);
    assert.equal(await stepUp(server, unknown.cookies), 3045);
    for (const auth_time of [-5, 'now', null]) {
      const { answer } = await signIn(server, provider, '/login/external', { auth_time });
      assert.equal(answer.status, 502, String(auth_time));
    }
    const recent = await signIn(server, provider, '/login/external', {
      auth_time: nowSeconds() - 60,
    });
    assert.equal(await stepUp(server, recent.cookies), 0);
  });

  test('step-up: the provider authenticates the person now, and states it', async (t) => {
    const { provider, server } = await start(t);
    const again = '/login/external?prompt=login';
    for (const auth_time of [undefined, nowSeconds() - DAY, nowSeconds() - 12]) {
      const { answer, asked, cookies } = await signIn(server, provider, again, { auth_time });
      assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0']);
      assert.equal(answer.status, 403, String(auth_time));
      assert.match(answer.text, /Example Inc did not confirm a new sign-in/);
      assert.equal(cookies.has('__Host-latchkey_session'), false);
      assert.match(server.logLines.join(''), /does not confirm a new sign-in of the user/);
    }
    for (const auth_time of [nowSeconds() - 5, nowSeconds(), nowSeconds() + 3_600]) {
      const { answer, cookies } = await signIn(server, provider, again, { auth_time });
      assert.equal(answer.status, 303, answer.text);
      assert.equal(await stepUp(server, cookies), 0);
    }
  });

  test('another account: the provider need not state a time', async (t) => {
    const { provider, server } = await start(t);
    const path = '/login/external?prompt=select_account';
    const { answer, asked, cookies } = await signIn(server, provider, path, {});
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', null]);
    assert.equal(answer.status, 303);
    assert.equal(await stepUp(server, cookies), 3045);
  });

  test('a session passes step-up only by a recent authentication at the provider', async (t) => {
    const { provider, server } = await start(t);
    const age = fc.option(fc.oneof(fc.integer({ min: -100, max: 1_000 }), fc.nat(2 * DAY)), {
      nil: undefined,
    });
    const prompt = fc.constantFrom('', '?prompt=login', '?prompt=select_account');
    await fc.assert(
      fc.asyncProperty(age, prompt, async (seconds, query) => {
        const auth_time = seconds === undefined ? undefined : nowSeconds() - seconds;
        const path = `/login/external${query}`;
        const { cookies } = await signIn(server, provider, path, { auth_time });
        if (!cookies.has('__Host-latchkey_session')) {
          assert.ok(query === '?prompt=login' && (seconds ?? Infinity) > 8, String(seconds));
        } else if ((await stepUp(server, cookies)) === 0) {
          assert.ok(seconds !== undefined && seconds <= (query === '?prompt=login' ? 12 : 900));
        } else assert.ok(seconds === undefined || seconds >= 899, String(seconds));
      }),
      { numRuns: 40 },
    );
  });

  for (const [name, fields] of [
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
    ['max_age=600', { max_age: '600' }],
  ] as const) {
    test(`${name} of a client reaches the provider, whose time the client gets`, async (t) => {
      const { provider, server } = await start(t);
      const client = await newClient(server);
      const path = authPath(client, { ...fields, scope: 'openid tags.read' });
      const yesterday = { auth_time: nowSeconds() - DAY };
      // The browser is signed in at the provider since yesterday, and here.
      const { cookies } = await signIn(server, provider, '/login/external', yesterday);
      const login = (await getPage(server, path, cookies)).headers.get('location') ?? '';
      assert.match(login, /^\/login\?prompt=login&/);
      const returnTo = new URLSearchParams(login.split('?')[1]).get('return_to') ?? '';
      const link = (prompt: string): string =>
        `/login/external?${prompt}return_to=${encodeURIComponent(returnTo)}`;

      // Without the prompt, the session is as old as the authentication, so the client waits.
      const silent = await signIn(server, provider, link(''), yesterday, cookies);
      const back = await getPage(server, returnTo, silent.cookies);
      assert.match(back.headers.get('location') ?? '', /^\/login\?prompt=login&/);
      const lying = await signIn(server, provider, link('prompt=login&'), yesterday, cookies);
      assert.equal(lying.answer.status, 403);

      const auth_time = nowSeconds();
      const fresh = await signIn(server, provider, link('prompt=login&'), { auth_time }, cookies);
      assert.deepEqual([fresh.asked.get('prompt'), fresh.asked.get('max_age')], ['login', '0']);
      const claims = await claimsFor(server, client, returnTo, fresh.cookies);
      assert.ok(Math.abs(claims.auth_time - auth_time) <= 2, `${claims.auth_time} ${auth_time}`);
    });
  }

  test('an unknown time is not in the ID token, and a client that limits the age waits', async (t) => {
    const { provider, server } = await start(t);
    const client = await newClient(server);
    const { cookies } = await signIn(server, provider, '/login/external', {});
    const claims = await claimsFor(server, client, authPath(client), cookies);
    assert.equal('auth_time' in claims, false);
    const limited = await getPage(server, authPath(client, { max_age: '99999999' }), cookies);
    assert.match(limited.headers.get('location') ?? '', /^\/login\?prompt=login&/);
  });

  test('a second factor does not make the authentication at the provider newer', async (t) => {
    const { provider, server } = await start(t);
    const recent = { auth_time: nowSeconds() };
    const { cookies } = await signIn(server, provider, '/login/external', recent);
    const begun = await callWith(server, cookies, 'POST', '/user/totp');
    const { secret } = begun.json.result;
    const nowMs = Date.now();
    const enrolled = await callWith(server, cookies, 'PUT', '/user/totp', {
      code: codeAt(secret, nowMs),
    });
    assert.equal(enrolled.status, 200, enrolled.text);
    const yesterday = nowSeconds() - DAY;
    const half = await signIn(server, provider, '/login/external', { auth_time: yesterday });
    assert.match(half.answer.headers.get('location') ?? '', /^\/login\/second-factor/);
    const path = '/user/sessions/current/second_factor';
    const done = await callWith(server, half.cookies, 'POST', path, {
      recovery_code: enrolled.json.result.recovery_codes[0],
    });
    assert.equal(done.status, 200, done.text);
    const whole = new Map([...half.cookies, ...cookiesOf(done)]);
    assert.equal(await provedOn(server, whole), new Date(yesterday * 1_000).toISOString());
    assert.equal((await callWith(server, whole, 'DELETE', '/user/totp')).code, 3045);
  });
});
