import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { updateUser } from '../../src/iam/users/user-store.ts';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import { codeAt, enrol, wrongCodeAt } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { CALLBACK, cookiesOf, getPage, sessionCookiesOf } from '../support/external-sign-in.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { PUBLIC_ORIGIN, startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson, hashPassword, signInAs } from '../support/people.ts';
import { type BootOptions, bootServer, request } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const PLACE = '/oauth2/auth/resume?request=v1.x';
const BACK = `return_to=${encodeURIComponent(PLACE)}`;

/** Whoever sends a person to sign in may ask for a new proof, and name whom it expects. */
onEachDatabase((database) => {
  async function boot(t: TestContext, settings: BootOptions['settings'] = {}) {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    return { clock, server };
  }

  test('prompt=login asks although somebody is signed in, and the new session replaces theirs', async (t) => {
    const { server } = await boot(t);
    const [first, second] = [
      await createPerson(server, { password: PASSWORD }),
      await createPerson(server, { password: PASSWORD }),
    ];
    const visitor = new Visitor(server);
    await visitor.signIn(first.email, PASSWORD);
    const before = visitor.cookie('latchkey_session') ?? '';
    assert.deepEqual(redirectOf(await visitor.open(`/login?${BACK}`)), [303, PLACE]);
    const path = `/login?prompt=login&${BACK}`;
    const page = await visitor.open(path);
    assert.equal(readPage(page).title, 'Sign in');
    assert.deepEqual(
      { ...hiddenFields(page.text), form_token: '' },
      { form_token: '', return_to: PLACE, prompt: 'login' },
    );
    const wrong = await visitor.submit(path, { email: second.email, password: 'not the one' });
    assert.equal(wrong.status, 401);
    assert.equal(hiddenFields(wrong.text).prompt, 'login');
    assert.equal((await visitor.call('GET', '/user')).json.result.email, first.email);
    const done = await visitor.submit(path, { email: second.email, password: PASSWORD });
    assert.deepEqual(redirectOf(done), [303, PLACE]);
    assert.equal((await visitor.call('GET', '/user')).json.result.email, second.email);
    const old = new Visitor(server);
    old.cookies.set('latchkey_session', before);
    assert.equal((await old.open('/login')).status, 200);
    for (const other of ['none', 'Login', '']) {
      const answer = await visitor.open(`/login?prompt=${other}&${BACK}`);
      assert.deepEqual(redirectOf(answer), [303, PLACE]);
    }
  });

  test('login_hint fills the address in, wherever the way leads', async (t) => {
    const mail = await startMailServer(t);
    const { server } = await boot(t, { SMTP_URL: mail.url, MAIL_FROM: 'noreply@latchkey.example' });
    const visitor = new Visitor(server);
    const hint = 'hinted+x@example.com';
    const wishes = `login_hint=${encodeURIComponent(hint)}&${BACK}`;
    const valueOf = (text: string) => /name="email"[^>]*value="([^"]*)"/s.exec(text)?.[1];
    const login = await visitor.open(`/login?${wishes}`);
    assert.equal(valueOf(login.text), hint);
    assert.match(login.text, /name="password"[^>]*autofocus/s);
    const forgot = `/forgot-password?${wishes}`;
    assert.ok(login.text.includes(`href="${forgot.replaceAll('&', '&amp;')}"`), login.text);
    const page = await visitor.open(forgot);
    assert.equal(valueOf(page.text), hint);
    const back = `href="/login?${wishes.replaceAll('&', '&amp;')}"`;
    assert.ok(page.text.includes(back), page.text);
    const sent = await visitor.submit(forgot, { email: hint });
    assert.ok(sent.text.includes(back), sent.text);
    // What the person types counts more.
    const fields = { email: 'typed@example.com', password: 'x' };
    const wrong = await visitor.submit(`/login?${wishes}`, fields);
    assert.equal(valueOf(wrong.text), 'typed@example.com');
    assert.equal(hiddenFields(wrong.text).login_hint, hint);
    const longest = 'a'.repeat(254);
    assert.equal(valueOf((await visitor.open(`/login?login_hint=${longest}`)).text), longest);
    assert.equal(valueOf((await visitor.open(`/login?login_hint=a${longest}`)).text), '');
  });

  test('a second factor carries it on', async (t) => {
    const { clock, server } = await boot(t);
    const person = await enrol(server, clock);
    const passwordHash = await hashPassword(PASSWORD);
    await server.app.database.transaction((tx) => updateUser(tx, person.userId, { passwordHash }));
    const visitor = new Visitor(server);
    const hint = `login_hint=${encodeURIComponent(person.email)}`;
    const path = `/login?prompt=login&${hint}&${BACK}`;
    const halfway = `/login/second-factor?prompt=login&${hint}&${BACK}`;
    const enter = () => visitor.submit(path, { email: person.email, password: PASSWORD });
    assert.deepEqual(redirectOf(await enter()), [303, halfway]);
    const code = wrongCodeAt(person.secret, clock.now());
    for (let i = 0; i < 4; i++) assert.ok(readPage(await visitor.submit(halfway, { code })).error);
    const ended = `/login?ended=wrong-codes&${hint}&${BACK}`;
    assert.deepEqual(redirectOf(await visitor.submit(halfway, { code })), [303, ended]);
    clock.advance(60 * 60_000);
    await enter();
    const right = codeAt(person.secret, clock.now());
    const hidden = hiddenFields((await visitor.open(halfway)).text);
    const done = await visitor.post('/login/second-factor', { ...hidden, code: right });
    assert.deepEqual(redirectOf(done), [303, PLACE]);
    // Who presses the button twice is not asked again.
    const twice = await visitor.post('/login/second-factor', { ...hidden, code: right });
    const [, again] = redirectOf(twice);
    assert.deepEqual(redirectOf(await visitor.open(String(again))), [303, PLACE]);
  });

  test('the provider is asked for a new proof too, and its person replaces who was signed in', async (t) => {
    const provider = await startOpenIdProvider(t);
    const { clock, server } = await boot(t, provider.settings);
    const { userId, email } = await createPerson(server);
    const { cookie } = await signInAs(server, userId, clock);
    const secret = cookie.slice('latchkey_session='.length);
    const present = new Map([
      ['__Host-latchkey_session', secret],
      ['__Host-latchkey_csrf', csrfTokenOf(secret)],
    ]);
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('totp_factors')
        .values({
          user_id: userId,
          sealed_secret: 'x',
          created_at: 1,
          confirmed_at: 1,
          last_step: 0,
        })
        .execute();
    });
    provider.person = { subject: 's', email, email_verified: true };
    const login = await getPage(server, `/login?prompt=login&login_hint=a%40b.c&${BACK}`, present);
    const link = `/login/external?prompt=login&login_hint=a%40b.c&${BACK}`;
    assert.ok(login.text.includes(`href="${link.replaceAll('&', '&amp;')}"`), login.text);
    const roundTrip = async (path: string) => {
      const begun = await getPage(server, path, present);
      const url = new URL(begun.headers.get('location') ?? '');
      const callback = await provider.visit(url.href);
      assert.equal(callback.origin + callback.pathname, PUBLIC_ORIGIN + CALLBACK);
      const cookies = new Map([...present, ...cookiesOf(begun)]);
      const done = await getPage(server, callback.pathname + callback.search, cookies);
      return { asked: url.searchParams, done };
    };
    const plain = await roundTrip(`/login/external?${BACK}`);
    assert.deepEqual([plain.asked.get('prompt'), plain.asked.get('login_hint')], [null, null]);
    assert.deepEqual(redirectOf(plain.done), [303, PLACE]);
    assert.deepEqual(sessionCookiesOf(plain.done), []);
    const again = await roundTrip(link);
    assert.deepEqual(
      [again.asked.get('prompt'), again.asked.get('login_hint')],
      ['login', 'a@b.c'],
    );
    assert.deepEqual(redirectOf(again.done), [303, `/login/second-factor?${BACK}`]);
    assert.notEqual(cookiesOf(again.done).get('__Host-latchkey_session'), secret);
    const old = await request('GET', `${server.origin}/login`, {
      headers: { cookie: `__Host-latchkey_session=${secret}` },
    });
    assert.equal(old.status, 200);
  });
});
