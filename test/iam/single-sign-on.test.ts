import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { codeAt, enrol } from '../support/authenticator-app.ts';
import {
  CALLBACK,
  callWith,
  cookiesOf,
  getPage,
  makeRoundTrip,
  sessionCookiesOf,
  signInThere,
} from '../support/external-sign-in.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  type ProviderOptions,
  PUBLIC_ORIGIN,
  startOpenIdProvider,
} from '../support/openid-provider.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const MINUTE_MS = 60_000;

onEachDatabase((database) => {
  async function start(t: TestContext, options: ProviderOptions = {}, clock?: Clock) {
    const provider = await startOpenIdProvider(t, options);
    const server = await bootServer(database, {
      settings: provider.settings,
      ...(clock === undefined ? {} : { clock }),
    });
    t.after(() => server.stop());
    return { provider, server };
  }

  async function auditOf(server: TestServer, userId: string) {
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('chain_id', '=', userId)
      .orderBy('seq')
      .execute();
    return rows.map((row) => `${row.action_type} ${row.resource_type} ${row.resource_request}`);
  }

  const identitiesOf = (server: TestServer, userId: string) =>
    server.app.database.read
      .selectFrom('external_identities')
      .selectAll()
      .where('user_id', '=', userId)
      .execute();

  test('a person of the account signs in, and comes back to where it began', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 'subject-1', email: email.toUpperCase(), email_verified: true };
    const { begun, url, cookies, path, query } = await makeRoundTrip(server, provider, '/docs?x=1');
    assert.equal(url.origin, provider.issuer);
    const parameters = Object.fromEntries(url.searchParams);
    assert.deepEqual(
      { ...parameters, state: '', nonce: '', code_challenge: '' },
      {
        client_id: 'latchkey',
        redirect_uri: PUBLIC_ORIGIN + CALLBACK,
        response_type: 'code',
        scope: 'openid email profile',
        code_challenge_method: 'S256',
        state: '',
        nonce: '',
        code_challenge: '',
      },
    );
    assert.match(parameters.state ?? '', /^[\w-]{43}$/);
    assert.equal(query.get('state'), parameters.state);
    assert.equal((parameters.nonce ?? '').length, 43);
    const [cookie = ''] = begun.headers.getSetCookie();
    assert.match(
      cookie,
      /^__Host-latchkey_external_[\w-]{12}=v1\.[\w-]{300,}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/i,
    );

    const done = await getPage(server, path, cookies);
    assert.deepEqual([done.status, done.headers.get('location')], [303, '/docs?x=1'], done.text);
    const session = cookiesOf(done);
    assert.equal([...session.keys()].filter((name) => name.includes('external')).length, 1);
    assert.equal((await callWith(server, session, 'GET', '/user/totp')).status, 200);
    assert.deepEqual(await auditOf(server, userId), [
      `link external_identity {"issuer":"${provider.issuer}"}`,
      `update user {"issuer":"${provider.issuer}"}`,
      'sign_in session {"methods":["external"]}',
    ]);

    // The next time the identity is enough, whatever the address is then.
    provider.person = { subject: 'subject-1', email: 'other@example.com', email_verified: false };
    assert.equal((await signInThere(server, provider)).status, 303);
    assert.equal((await auditOf(server, userId)).length, 4);
    const identities = await identitiesOf(server, userId);
    assert.deepEqual(
      identities.map(({ issuer, subject }) => [issuer, subject]),
      [[provider.issuer, 'subject-1']],
    );
    // Discovery is remembered.
    const asked = provider.requests.filter((line) => line.includes('openid-configuration'));
    assert.equal(asked.length, 1);
    const kept = await server.app.database.read
      .selectFrom('one_time_secrets')
      .select('purpose')
      .execute();
    // For a browser that sends its request twice.
    assert.deepEqual(new Set(kept.map(({ purpose }) => purpose)), new Set(['result']));
    const logged = server.logLines.join('');
    for (const secret of [
      query.get('code'),
      query.get('state'),
      provider.settings.OIDC_CLIENT_SECRET,
    ]) {
      assert.ok(secret && !logged.includes(secret));
    }
  });

  test('discovery is remembered for an hour, and asked for once by all who wait', async (t) => {
    const clock = new ManualClock();
    const { provider, server } = await start(t, {}, clock);
    const asked = () =>
      provider.requests.filter((line) => line.includes('openid-configuration')).length;
    assert.equal(asked(), 0);
    await Promise.all([1, 2, 3].map(() => getPage(server, '/login/external')));
    assert.equal(asked(), 1);
    clock.advance(60 * MINUTE_MS - 1);
    await getPage(server, '/login/external');
    assert.equal(asked(), 1);
    clock.advance(1);
    await getPage(server, '/login/external');
    assert.equal(asked(), 2);
  });

  for (const authentication of ['client_secret_post', 'none'] as const) {
    test(`a provider that takes ${authentication}, and tells the address in the ID token`, async (t) => {
      const { provider, server } = await start(t, { authentication, claimsInIdToken: true });
      const { email } = await createPerson(server, { accountId: server.accountId });
      provider.person = { subject: 's', email, email_verified: true };
      const done = await signInThere(server, provider);
      assert.equal(done.status, 303, done.text);
      assert.equal(provider.requests.includes('GET /me'), false);
    });
  }

  test('whoever is unknown, or whose address is not verified, is told so: 403', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    for (const [person, text] of [
      [{ email: 'stranger@example.com', email_verified: true }, /You have no invitation/],
      [{ email: '<b>@example.com', email_verified: true }, /&lt;b&gt;@example\.com/],
      [{ email, email_verified: false }, /not verified/],
      [{ email, email_verified: 'yes' }, /not verified/],
      [{ email }, /not verified/],
      [{}, /is missing/],
    ] as const) {
      provider.person = { subject: 'subject-2', ...person };
      const answer = await signInThere(server, provider);
      assert.equal(answer.status, 403, JSON.stringify(person));
      assert.match(answer.text, text);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(cookiesOf(answer).size, 0);
    }
    assert.deepEqual(await identitiesOf(server, userId), []);
    assert.deepEqual(await auditOf(server, userId), []);
  });

  test('whoever says no is told so: 403', async (t) => {
    const { provider, server } = await start(t);
    provider.person = undefined;
    const { cookies, path, query } = await makeRoundTrip(server, provider);
    assert.equal(query.get('error'), 'access_denied');
    const answer = await getPage(server, path, cookies);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /You canceled the sign-in, or Example Inc denied access/);
    const again = await makeRoundTrip(server, provider);
    const strange = again.path.replace('access_denied', '%3Cscript%3E');
    const other = await getPage(server, strange, again.cookies);
    assert.equal(other.status, 403);
    assert.match(other.text, /did not sign you in: an unknown error/);
    assert.equal(other.text.includes('<script>'), false);
  });

  test('a callback works once, in the browser that began, for ten minutes: 400', async (t) => {
    const clock = new ManualClock();
    const { provider, server } = await start(t, {}, clock);
    const { email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 's', email, email_verified: true };
    const refused = async (path: string, cookies: Map<string, string>) => {
      const answer = await getPage(server, path, cookies);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, /started in another browser/);
      assert.equal(cookiesOf(answer).size, 0);
    };

    const mine = await makeRoundTrip(server, provider);
    await refused(mine.path, new Map());
    assert.equal((await getPage(server, mine.path, mine.cookies)).status, 303);

    // Somebody lures me to a callback of their own: it signs nobody in, and does not disturb mine.
    const theirs = await makeRoundTrip(server, provider);
    const own = await makeRoundTrip(server, provider);
    await refused(theirs.path, own.cookies);
    assert.equal((await getPage(server, own.path, own.cookies)).status, 303);

    for (const path of [CALLBACK, `${CALLBACK}?code=x`, `${CALLBACK}?code=x&state=x`]) {
      await refused(path, own.cookies);
    }
    const [[name, sealed] = ['', '']] = theirs.cookies;
    for (const forged of ['x', sealed.slice(0, -1), `${sealed}A`, sealed.replace('v1', 'v2')]) {
      await refused(theirs.path, new Map([[name, forged]]));
    }
    // The code alone is worth nothing, whatever state it comes with.
    const mixed = new URLSearchParams(theirs.query);
    mixed.set('state', own.query.get('state') ?? '');
    await refused(`${CALLBACK}?${mixed.toString()}`, own.cookies);
    for (const [ageMs, status] of [
      [10 * MINUTE_MS - 1, 303],
      [10 * MINUTE_MS, 400],
    ] as const) {
      const late = await makeRoundTrip(server, provider);
      clock.advance(ageMs);
      assert.equal((await getPage(server, late.path, late.cookies)).status, status);
    }
  });

  test('only a browser that goes there begins: 403 for what a page contains', async (t) => {
    const { server } = await start(t);
    const begin = (headers: Record<string, string>) =>
      request('GET', `${server.origin}/login/external`, { headers });
    for (const destination of ['image', 'iframe', 'empty', 'script', 'object', '']) {
      const answer = await begin({ 'sec-fetch-dest': destination });
      assert.equal(answer.status, 403, destination);
      assert.match(answer.text, /cannot sign in inside another page/);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    // And however often some page had it asked for: nobody else is kept from signing in.
    for (let i = 0; i < 120; i++) await begin({});
    assert.equal((await begin({ 'sec-fetch-dest': 'document' })).status, 303);
  });

  test('instead of a return address too long for a cookie, a page says so', async (t) => {
    const { provider, server } = await start(t);
    const { email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 's', email, email_verified: true };
    const longest = `/${'x'.repeat(2_499)}`;
    for (const [returnTo, location] of [
      [longest, longest],
      [`${longest}x`, '/signed-in'],
    ] as const) {
      const { begun, cookies, path } = await makeRoundTrip(server, provider, returnTo);
      assert.ok(begun.headers.getSetCookie().every((line) => line.length <= 4_096));
      const done = await getPage(server, path, cookies);
      assert.deepEqual([done.status, done.headers.get('location')], [303, location]);
    }
  });

  test('half a sign-in does not take the place of a whole one', async (t) => {
    const clock = new ManualClock();
    const { provider, server } = await start(t, {}, clock);
    const present = await createPerson(server, { accountId: server.accountId });
    const { cookie } = await signInAs(server, present.userId, clock);
    const secret = cookie.slice('latchkey_session='.length);
    const signedIn = new Map([
      ['__Host-latchkey_session', secret],
      ['__Host-latchkey_csrf', csrfTokenOf(secret)],
    ]);
    const isStillIn = async () =>
      (await callWith(server, signedIn, 'GET', '/user/totp')).status === 200;
    const comeBack = async () => {
      const { cookies, path } = await makeRoundTrip(server, provider, '/docs');
      assert.equal(await isStillIn(), true);
      return getPage(server, path, new Map([...signedIn, ...cookies]));
    };

    const other = await enrolOverHttps(server, clock);
    provider.person = { subject: 'other', email: other.email, email_verified: true };
    const kept = await comeBack();
    assert.equal(kept.status, 403);
    assert.match(kept.text, new RegExp(`signed in as <strong>${present.email}</strong>`));
    assert.equal(cookiesOf(kept).size, 0);
    assert.equal(await isStillIn(), true);

    // The person who is signed in stays so, also with a second factor of their own.
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('totp_factors')
        .values({
          user_id: present.userId,
          sealed_secret: 'x',
          created_at: 1,
          confirmed_at: 1,
          last_step: 0,
        })
        .execute();
    });
    provider.person = { subject: 'present', email: present.email, email_verified: true };
    const same = await comeBack();
    assert.deepEqual([same.status, same.headers.get('location')], [303, '/docs']);
    assert.deepEqual(sessionCookiesOf(same), []);
    assert.equal(await isStillIn(), true);

    // A whole one does.
    const third = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 'third', email: third.email, email_verified: true };
    const replaced = await comeBack();
    assert.equal(replaced.status, 303);
    assert.equal(await isStillIn(), false);
    assert.equal((await callWith(server, cookiesOf(replaced), 'GET', '/user/totp')).status, 200);
  });

  test('where to go afterwards is a place of this server', async (t) => {
    const { provider, server } = await start(t);
    const { email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 's', email, email_verified: true };
    for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const done = await signInThere(server, provider, returnTo);
      assert.deepEqual([done.status, done.headers.get('location')], [303, '/']);
    }
  });

  test('a second factor that the person has here is still asked for', async (t) => {
    const clock = new ManualClock();
    const { provider, server } = await start(t, {}, clock);
    // The cookies of people.ts are those of http.
    const { email, secret } = await enrolOverHttps(server, clock);
    provider.person = { subject: 's', email, email_verified: true };
    const done = await signInThere(server, provider, '/docs');
    assert.deepEqual(
      [done.status, done.headers.get('location')],
      [303, '/login/second-factor?return_to=%2Fdocs'],
    );
    const pending = cookiesOf(done);
    assert.equal((await callWith(server, pending, 'GET', '/user/totp')).status, 401);
    const path = '/user/sessions/current/second_factor';
    const totp_code = codeAt(secret, clock.now());
    const shown = await callWith(server, pending, 'POST', path, { totp_code });
    assert.equal(shown.status, 200, shown.text);
    assert.equal((await callWith(server, cookiesOf(shown), 'GET', '/user/totp')).status, 200);
  });

  async function enrolOverHttps(server: TestServer, clock: ManualClock) {
    const here = {
      ...server,
      call: ((method, path, options = {}) => {
        const { cookie, ...headers } = options.headers ?? {};
        const secure = cookie?.replace('latchkey_session', '__Host-latchkey_session') ?? '';
        return request(method, `${server.origin}/client/v4${path}`, {
          ...options,
          headers: { ...headers, cookie: secure },
        });
      }) satisfies TestServer['call'],
    };
    return enrol(here, clock);
  }

  test('two callbacks of one new identity at once link it once', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 's', email, email_verified: true };
    const trips = [await makeRoundTrip(server, provider), await makeRoundTrip(server, provider)];
    const answers = await Promise.all(
      trips.map(({ path, cookies }) => getPage(server, path, cookies)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    assert.equal((await identitiesOf(server, userId)).length, 1);
  });
});
