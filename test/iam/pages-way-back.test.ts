import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { updateUser } from '../../src/iam/users/user-store.ts';
import { codeAt, enrol, wrongCodeAt } from '../support/authenticator-app.ts';
import { launchBrowser, openPage } from '../support/chromium.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson, firstPerson, hashPassword, signInAs } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { Visitor, hiddenFields, readPage, redirectOf } from '../support/visitor.ts';
import { forgetGuesses } from './guesses.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';
const PLACE = '/oauth2/auth?client_id=x&redirect_uri=https%3A%2F%2Fx.y%2F';
const ENCODED = encodeURIComponent(PLACE);

/** The names of the cookies that remember where to go. */
function returnCookiesOf({ cookies }: Visitor): string[] {
  return [...cookies.keys()].filter((name) => name.startsWith('latchkey_return_to_'));
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock });
  });
  after(() => shared.stop());

  /** The server of all these tests, or with settings one of its own. */
  async function boot(t: TestContext, settings?: Record<string, string>) {
    if (settings === undefined) {
      await forgetGuesses(shared);
      return { clock, server: shared };
    }
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    return { clock, server };
  }

  async function withMail(t: TestContext) {
    const mail = await startMailServer(t);
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'noreply@latchkey.example' };
    return { mail, ...(await boot(t, settings)) };
  }

  /** Somebody with two factors, who has entered the password on the way to {@link PLACE}. */
  async function halfway(server: TestServer, clock: ManualClock) {
    const person = await enrol(server, clock);
    const passwordHash = await hashPassword(PASSWORD);
    await server.app.database.transaction((tx) => updateUser(tx, person.userId, { passwordHash }));
    const visitor = new Visitor(server);
    const fields = { email: person.email, password: PASSWORD };
    await visitor.submit(`/login?return_to=${ENCODED}`, fields);
    return { person, visitor };
  }

  test('after the fifth wrong code, the page says why it begins again', async (t) => {
    const { clock, server } = await boot(t);
    const { person, visitor } = await halfway(server, clock);
    const path = `/login/second-factor?return_to=${ENCODED}`;
    const code = wrongCodeAt(person.secret, clock.now());
    for (let i = 0; i < 4; i++) assert.ok(readPage(await visitor.submit(path, { code })).error);
    const fifth = await visitor.submit(path, { code });
    const login = `/login?ended=wrong-codes&return_to=${ENCODED}`;
    assert.deepEqual(redirectOf(fifth), [303, login]);
    const page = await visitor.open(login);
    assert.deepEqual(readPage(page), {
      status: 200,
      title: 'Sign in',
      error: 'Too many wrong codes. Sign in again.',
    });
    assert.equal(hiddenFields(page.text).return_to, PLACE);
  });

  test('a sign-in that took too long says so', async (t) => {
    const { clock, server } = await boot(t);
    const { person, visitor } = await halfway(server, clock);
    const path = `/login/second-factor?return_to=${ENCODED}`;
    const hidden = hiddenFields((await visitor.open(path)).text);
    clock.advance(10 * 60_000);
    const code = codeAt(person.secret, clock.now());
    const login = `/login?ended=expired&return_to=${ENCODED}`;
    assert.deepEqual(redirectOf(await visitor.open(path)), [303, login]);
    const late = await visitor.post('/login/second-factor', { ...hidden, code });
    assert.deepEqual(redirectOf(late), [303, login]);
    // As a browser does, which has dropped the cookie by then.
    visitor.cookies.delete('latchkey_session');
    const later = await visitor.post('/login/second-factor', { ...hidden, code });
    assert.deepEqual(redirectOf(later), [303, login]);
    assert.equal(
      readPage(await visitor.open(login)).error,
      'Your sign-in has expired. Sign in again.',
    );
    for (const ended of ['x', '__proto__', 'constructor', '<b>']) {
      const page = await visitor.open(`/login?ended=${encodeURIComponent(ended)}`);
      assert.equal(readPage(page).error, undefined, ended);
    }
  });

  test('a forgotten password leads back to where the way began', async (t) => {
    const { mail, server } = await withMail(t);
    const { email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    const login = await visitor.open(`/login?return_to=${ENCODED}`);
    const forgot = `/forgot-password?return_to=${ENCODED}`;
    assert.ok(login.text.includes(`href="${forgot}"`), login.text);
    const back = `href="/login?return_to=${ENCODED}"`;
    assert.ok((await visitor.open(forgot)).text.includes(back));
    const sent = await visitor.submit(forgot, { email });
    assert.ok(sent.text.includes(back), sent.text);
    await eventually('the mail is there', async () => mail.received.length === 1);
    const body = mail.received[0]?.body ?? '';
    // Whoever asks for a mail to somebody else does not choose where it leads.
    assert.ok(!body.includes('oauth2') && !body.includes('return_to'), body);
    const [link = ''] = /\/reset-password\?token=\w+&return=[\w-]+/.exec(body) ?? [];
    const done = await visitor.submit(link, { new_password: NEW_PASSWORD });
    assert.deepEqual(redirectOf(done), [303, PLACE]);
    assert.deepEqual(returnCookiesOf(visitor), []);
  });

  test('two tabs come back to their own places, in either order', async (t) => {
    const { mail, server } = await withMail(t);
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const visitor = new Visitor(server);
      const links: string[] = [];
      for (const place of ['/one', '/two']) {
        const { email } = await createPerson(server, { password: PASSWORD });
        await visitor.submit(`/forgot-password?return_to=${encodeURIComponent(place)}`, { email });
        const received = () => mail.received.find(({ to }) => to.includes(email));
        await eventually('the mail is there', async () => received() !== undefined);
        const body = received()?.body ?? '';
        links.push(/\/reset-password\?token=\w+&return=[\w-]+/.exec(body)?.[0] ?? '');
      }
      assert.equal(returnCookiesOf(visitor).length, 2);
      for (const tab of order) {
        const done = await visitor.submit(links[tab] ?? '', { new_password: NEW_PASSWORD });
        assert.deepEqual(redirectOf(done), [303, ['/one', '/two'][tab]]);
      }
      assert.deepEqual(returnCookiesOf(visitor), []);
    }
  });

  test('a browser keeps the latest five places', async (t) => {
    const { server } = await withMail(t);
    const visitor = new Visitor(server);
    for (let i = 1; i <= 7; i++) {
      await visitor.submit(`/forgot-password?return_to=%2F${i}`, { email: 'x@example.com' });
      assert.equal(returnCookiesOf(visitor).length, Math.min(i, 5));
    }
  });

  test('a link that is opened in another browser, or for nowhere else, leads to the start', async (t) => {
    const { clock, server } = await withMail(t);
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    await visitor.submit(`/forgot-password?return_to=${ENCODED}`, { email });
    const [name = ''] = returnCookiesOf(visitor);
    const id = name.slice('latchkey_return_to_'.length);
    const elsewhere = new Visitor(server);
    for (const [browser, given] of [
      [elsewhere, id],
      [visitor, undefined],
      [visitor, 'x'],
      [visitor, 'A'.repeat(16)],
    ] as const) {
      const link = await server.app.database.transaction((tx) =>
        issueResetLink(tx, '', userId, clock.now(), null, given),
      );
      const done = await browser.submit(link, { new_password: NEW_PASSWORD });
      assert.deepEqual(redirectOf(done), [303, '/']);
    }
  });

  test('instead of a place too long to be remembered, a page says how to go on', async (t) => {
    const { clock, server } = await withMail(t);
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const longest = `/${'x'.repeat(2_799)}`;
    for (const [place, expected] of [
      [longest, longest],
      [`${longest}x`, '/signed-in'],
    ] as const) {
      const visitor = new Visitor(server);
      assert.deepEqual(redirectOf(await visitor.open('/signed-in')), [
        303,
        '/login?return_to=%2Fsigned-in',
      ]);
      const forgot = `/forgot-password?return_to=${encodeURIComponent(place)}`;
      const sent = await visitor.submit(forgot, { email });
      assert.ok(sent.headers.getSetCookie().every((line) => line.length <= 4_096));
      const [name = ''] = returnCookiesOf(visitor);
      const id = name.slice('latchkey_return_to_'.length);
      const link = await server.app.database.transaction((tx) =>
        issueResetLink(tx, '', userId, clock.now(), null, id),
      );
      const done = await visitor.submit(link, { new_password: NEW_PASSWORD });
      assert.deepEqual(redirectOf(done), [303, expected]);
      const page = await visitor.open('/signed-in');
      assert.equal(readPage(page).title, 'You are signed in');
      assert.ok(page.text.includes(email) && page.text.includes('try again'), page.text);
    }
  });

  test('a tab that was opened for the sign-in sends back to the one that waits', async (t) => {
    const { server } = await boot(t);
    const { email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    const [, location = ''] = redirectOf(await visitor.open('/signed-in?tab=yes'));
    assert.equal(location, '/login?return_to=%2Fsigned-in%3Ftab%3Dyes');
    const done = await visitor.submit(location, { email, password: PASSWORD });
    assert.deepEqual(redirectOf(done), [303, '/signed-in?tab=yes']);
    const page = await visitor.open('/signed-in?tab=yes');
    assert.ok(page.text.includes(email) && page.text.includes('Close this tab'), page.text);
  });

  test('the page of a link says what becomes of everything else', async (t) => {
    const { clock, server } = await boot(t);
    const textFor = async (isEmailVerified: boolean) => {
      const { userId } = await createPerson(server, { password: PASSWORD, isEmailVerified });
      const link = await server.app.database.transaction((tx) =>
        issueResetLink(tx, '', userId, clock.now(), null),
      );
      return (await new Visitor(server).open(link)).text.replaceAll(/\s+/g, ' ');
    };
    assert.match(await textFor(true), /Your passkeys and API tokens keep working\./);
    assert.match(await textFor(false), /API tokens will stop working/);
  });

  test('an invitation leads on, and says who else is signed in', async (t) => {
    const { clock, server } = await boot(t);
    const { userId } = await firstPerson(server);
    const as = { token: null, headers: await signInAs(server, userId, clock) };
    const { json: roles } = await server.call('GET', `${server.account}/roles`, as);
    const role = roles.result.find(({ name }: { name: string }) => name === 'Member');
    const { json, text } = await server.call('POST', `${server.account}/members`, {
      ...as,
      body: { email: 'new.person@example.com', roles: [role.id] },
    });
    assert.equal(json.success, true, text);
    const link: string = json.result.invitation_url.slice(server.origin.length);
    const other = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    assert.ok(!(await visitor.open(link)).text.includes('signed out'));
    await visitor.signIn(other.email, PASSWORD);
    const page = await visitor.open(link);
    assert.deepEqual([page.status, readPage(page).title], [200, 'Join First account']);
    const shown = page.text.replaceAll(/\s+/g, ' ');
    const notice = `You will be signed out of <strong>${other.email}</strong>.`;
    assert.ok(shown.includes(notice), shown);
    const fields = { new_password: NEW_PASSWORD, first_name: '', last_name: '' };
    const turned = await visitor.submit(link, { ...fields, last_name: 'a\u202eb' });
    assert.equal(turned.status, 400);
    const joined = await visitor.submit(`${link}&return_to=${ENCODED}`, fields);
    assert.deepEqual(redirectOf(joined), [303, PLACE], joined.text);
  });

  test('the news of a changed password says what goes on working', async (t) => {
    const { mail, server } = await withMail(t);
    const { email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    await visitor.signIn(email, PASSWORD);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    assert.equal((await visitor.call('PUT', '/user/password', body)).status, 200);
    await eventually('the mail is there', async () => mail.received.length === 1);
    const told = mail.received[0]?.body ?? '';
    assert.match(told, /API tokens and passkeys remain valid/);
    assert.ok(told.includes('DELETE /user/tokens') && told.includes(`${server.origin}/docs`), told);
  });
});

test('in a browser, a form may end at another origin', async (t) => {
  const provider = await startOpenIdProvider(t);
  const { BASE_URL: _, ...told } = provider.settings;
  const server = await bootServer('sqlite', { settings: { ...told, HOST: 'localhost' } });
  t.after(() => server.stop());
  const { email } = await createPerson(server, { password: PASSWORD });
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await openPage(browser, `${server.origin}/login?return_to=/login/external`);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', PASSWORD);
  const reached = page.waitForRequest((request) => request.url().startsWith(provider.issuer));
  await page.click('button[type=submit]');
  assert.match((await reached).url(), /[?&]client_id=latchkey/);
});
