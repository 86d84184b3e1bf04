import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { Html, html } from '../../src/iam/pages/html.ts';
import { updateUser } from '../../src/iam/users/user-store.ts';
import { type Enrolled, codeAt, enrol, wrongCodeAt } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, firstPerson, hashPassword, signInAs } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { Visitor, readPage, redirectOf } from '../support/visitor.ts';
import { forgetGuesses } from './guesses.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

interface Context {
  after(work: () => unknown): void;
}

async function setPassword(server: TestServer, userId: string): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await server.app.database.transaction((tx) => updateUser(tx, userId, { passwordHash }));
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let shared: TestServer;
  before(async () => {
    shared = await bootServer(database, { clock });
  });
  after(() => shared.stop());

  /** The server of all these tests, or with settings one of its own. */
  async function boot(t: Context, settings?: Record<string, string>) {
    if (settings === undefined) {
      await forgetGuesses(shared);
      return { clock, server: shared };
    }
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    return { clock, server };
  }

  /** Somebody with two factors, who has entered the password. */
  async function halfway(server: TestServer, person: Enrolled, returnTo = '/docs') {
    await setPassword(server, person.userId);
    const visitor = new Visitor(server);
    const path = `/login?return_to=${encodeURIComponent(returnTo)}`;
    const answer = await visitor.submit(path, { email: person.email, password: PASSWORD });
    const query = returnTo === '/' ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
    const next = `/login/second-factor${query}`;
    assert.deepEqual(redirectOf(answer), [303, next]);
    return { visitor, next };
  }

  test('the second factor: a code of the app', async (t) => {
    const { clock, server } = await boot(t);
    const person = await enrol(server, clock);
    const { visitor, next } = await halfway(server, person);
    const before = visitor.cookie('latchkey_session');
    const page = readPage(await visitor.open(next));
    assert.deepEqual([page.status, page.title], [200, 'Two-factor authentication']);
    const wrong = await visitor.submit(next, { code: wrongCodeAt(person.secret, clock.now()) });
    assert.equal(readPage(wrong).title, 'Two-factor authentication');
    assert.ok(wrong.status >= 400 && wrong.status < 500);
    assert.ok(readPage(wrong).error);
    const right = await visitor.submit(next, { code: codeAt(person.secret, clock.now()) });
    assert.deepEqual(redirectOf(right), [303, '/docs']);
    assert.notEqual(visitor.cookie('latchkey_session'), before);
    const { json } = await visitor.call('GET', '/user/sessions/current');
    assert.deepEqual(json.result.methods, ['password', 'totp']);
    // There is nothing left to confirm.
    assert.equal(redirectOf(await visitor.open(next))[0], 303);
  });

  test('the second factor: a recovery code instead', async (t) => {
    const { clock, server } = await boot(t);
    const person = await enrol(server, clock);
    const { visitor } = await halfway(server, person, '/');
    const { text } = await visitor.open('/login/second-factor');
    assert.ok(text.includes('href="/login/second-factor?recovery=1"'), text);
    const [code = ''] = person.recoveryCodes;
    const path = '/login/second-factor?recovery=1';
    const wrong = await visitor.submit(path, { recovery_code: 'aaaa-bbbb-cccc' });
    assert.ok(readPage(wrong).error);
    assert.ok(wrong.text.includes('name="recovery_code"'));
    assert.deepEqual(redirectOf(await visitor.submit(path, { recovery_code: code })), [303, '/']);
  });

  test('the second factor: without the first, or with a forged form', async (t) => {
    const { clock, server } = await boot(t);
    const stranger = new Visitor(server);
    const begin = await stranger.open('/login/second-factor?return_to=/docs');
    assert.deepEqual(redirectOf(begin), [303, '/login?return_to=%2Fdocs']);
    const none = await stranger.post('/login/second-factor', { code: '000000' });
    assert.deepEqual(redirectOf(none), [303, '/login?ended=expired']);
    const person = await enrol(server, clock);
    const { visitor } = await halfway(server, person);
    const code = codeAt(person.secret, clock.now());
    for (const fields of [{ code }, { code, form_token: 'x' }]) {
      assert.equal((await visitor.post('/login/second-factor', fields)).status, 403);
    }
    clock.advance(10 * 60_000);
    const late = await visitor.open('/login/second-factor');
    assert.deepEqual(redirectOf(late), [303, '/login?ended=expired']);
  });

  test('a forgotten password: from the page to the mail and back', async (t) => {
    const mail = await startMailServer(t);
    const { server } = await boot(t, {
      SMTP_URL: mail.url,
      MAIL_FROM: 'noreply@latchkey.example',
    });
    const { email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    assert.equal(readPage(await visitor.open('/forgot-password')).title, 'Forgot your password?');
    const texts = [];
    for (const address of [email, 'nobody@example.com']) {
      const sent = await visitor.submit('/forgot-password', { email: address });
      assert.deepEqual([sent.status, readPage(sent).title], [200, 'Check your email']);
      texts.push(sent.text.replaceAll(address, 'E'));
    }
    assert.equal(texts[0], texts[1]);
    assert.equal((await visitor.post('/forgot-password', { email })).status, 403);
    await eventually('the mail is there', async () => mail.received.length === 1);
    const [link = ''] = /\/reset-password\?token=\w+/.exec(mail.received[0]?.body ?? '') ?? [];

    const page = await visitor.open(link);
    assert.deepEqual([page.status, readPage(page).title], [200, 'Choose a new password']);
    assert.ok(page.text.includes(email));
    const weak = await visitor.submit(link, { new_password: 'password1234' });
    assert.equal(weak.status, 400);
    assert.match(
      readPage(weak).error ?? '',
      /does not meet the requirements: it is a common password/,
    );
    const forged = await visitor.post('/reset-password', { new_password: NEW_PASSWORD });
    assert.equal(forged.status, 400);
    const done = await visitor.submit(link, { new_password: NEW_PASSWORD });
    assert.deepEqual(redirectOf(done), [303, '/']);
    assert.equal((await visitor.call('GET', '/user/sessions')).status, 200);
    for (const path of [link, '/reset-password', '/reset-password?token=nonsense']) {
      const used = readPage(await visitor.open(path));
      assert.deepEqual([used.status, used.title], [400, 'This link is no longer valid']);
    }
    assert.ok(!server.logLines.join('').includes(link.split('=')[1] ?? '-'));
  });

  test('a forgotten password where no mail is sent', async (t) => {
    const { server } = await boot(t);
    const visitor = new Visitor(server);
    assert.equal(
      readPage(await visitor.open('/forgot-password')).title,
      'Contact your administrator',
    );
    const sent = await visitor.post('/forgot-password', { email: 'a@b' });
    assert.equal(readPage(sent).title, 'Contact your administrator');
  });

  test('asking too often is refused on the page', async (t) => {
    const mail = await startMailServer(t);
    const { server } = await boot(t, {
      SMTP_URL: mail.url,
      MAIL_FROM: 'noreply@latchkey.example',
    });
    const visitor = new Visitor(server);
    for (let i = 0; i < 20; i++) {
      const sent = await visitor.submit('/forgot-password', { email: 'nobody@example.com' });
      assert.equal(sent.status, 200);
    }
    const refused = await visitor.submit('/forgot-password', { email: 'kept@example.com' });
    assert.deepEqual(readPage(refused), {
      status: 429,
      title: 'Forgot your password?',
      error: 'Too many attempts: try again in 1 second.',
    });
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.ok(refused.text.includes('value="kept@example.com"'));
  });

  test('a second factor stands behind a new password too', async (t) => {
    const { clock, server } = await boot(t);
    const person = await enrol(server, clock);
    const link = await server.app.database.transaction((tx) =>
      issueResetLink(tx, '', person.userId, clock.now(), null),
    );
    const visitor = new Visitor(server);
    const done = await visitor.submit(link, { new_password: NEW_PASSWORD });
    assert.deepEqual(redirectOf(done), [303, '/login/second-factor']);
    assert.equal(
      readPage(await visitor.open('/login/second-factor')).title,
      'Two-factor authentication',
    );
  });

  async function invite(server: TestServer, clock: ManualClock, email: string) {
    const { userId } = await firstPerson(server);
    const headers = await signInAs(server, userId, clock);
    const as = { token: null, headers };
    const { json: roles } = await server.call('GET', `${server.account}/roles`, as);
    const role = roles.result.find(({ name }: { name: string }) => name === 'Member');
    const { json, text } = await server.call('POST', `${server.account}/members`, {
      ...as,
      body: { email, roles: [role.id] },
    });
    const link: string = json.result?.invitation_url ?? '';
    assert.ok(link.startsWith(`${server.origin}/invitation?token=lkiv_`), text);
    return link.slice(server.origin.length);
  }

  test('an invitation: a new person chooses a password and is in', async (t) => {
    const { clock, server } = await boot(t);
    const link = await invite(server, clock, 'new.person@example.com');
    const visitor = new Visitor(server);
    const page = await visitor.open(link);
    assert.deepEqual([page.status, readPage(page).title], [200, 'Join First account']);
    const fill = (fields: Record<string, string>) =>
      visitor.submit(link, { first_name: '<b>Ann', last_name: '', ...fields });
    const weak = await fill({ new_password: 'short' });
    assert.deepEqual(
      [weak.status, readPage(weak).error],
      [400, 'The password does not meet the requirements: use at least 12 characters.'],
    );
    assert.ok(weak.text.includes('value="&lt;b&gt;Ann"'), weak.text);
    const long = await fill({ new_password: NEW_PASSWORD, last_name: 'x'.repeat(61) });
    assert.equal(long.status, 400);
    const lines = await fill({ new_password: NEW_PASSWORD, last_name: 'a\nb' });
    assert.match(readPage(lines).error ?? '', /at most 60 characters and no line breaks/);
    const joined = await fill({ new_password: NEW_PASSWORD });
    assert.deepEqual(redirectOf(joined), [303, '/'], joined.text);
    const { json } = await visitor.call('GET', '/user');
    assert.deepEqual(
      [json.result.email, json.result.first_name],
      ['new.person@example.com', '<b>Ann'],
    );
    const used = readPage(await visitor.open(link));
    assert.deepEqual([used.status, used.title], [400, 'This invitation is no longer valid']);
    const again = await new Visitor(server).signIn('new.person@example.com', NEW_PASSWORD);
    assert.equal(again.status, 200);
  });

  test('an invitation: who is known signs in first, and then accepts', async (t) => {
    const { clock, server } = await boot(t);
    const { email } = await createPerson(server, { password: PASSWORD });
    const link = await invite(server, clock, email);
    const visitor = new Visitor(server);
    const page = await visitor.open(link);
    assert.ok(page.text.includes(`href="/login?return_to=${encodeURIComponent(link)}"`), page.text);
    // The link alone gives nobody a password.
    const planted = await visitor.open('/login');
    assert.equal(planted.status, 200);
    const forged = await visitor.submit('/login', { email: 'x@y', password: 'z' });
    assert.equal(forged.status, 401);
    const form = { new_password: NEW_PASSWORD, token: link.split('=')[1] ?? '' };
    const { form_token = '' } = Object.fromEntries(
      [...forged.text.matchAll(/name="(form_token)"\s+value="([^"]+)"/g)].map(([, n, v]) => [n, v]),
    );
    const taken = await visitor.post('/invitation', { ...form, form_token });
    assert.equal((await new Visitor(server).signIn(email, NEW_PASSWORD)).status, 401);
    assert.ok(!redirectOf(taken)[1]);

    const signIn = `/login?return_to=${encodeURIComponent(link)}`;
    const signedIn = await visitor.submit(signIn, { email, password: PASSWORD });
    assert.deepEqual(redirectOf(signedIn), [303, link]);
    assert.equal((await visitor.post('/invitation', { token: form.token })).status, 403);
    const accepted = await visitor.submit(link);
    assert.deepEqual(redirectOf(accepted), [303, '/'], accepted.text);
    const { json } = await visitor.call('GET', '/memberships');
    assert.equal(json.result.length, 1);
    assert.equal(readPage(await visitor.open(link)).status, 400);
  });

  test('an invitation: for somebody else, or too late', async (t) => {
    const { clock, server } = await boot(t);
    const invited = await createPerson(server, { password: PASSWORD });
    const other = await createPerson(server, { password: PASSWORD });
    const link = await invite(server, clock, invited.email);
    const visitor = new Visitor(server);
    await visitor.signIn(other.email, PASSWORD);
    const page = await visitor.open(link);
    assert.deepEqual([page.status, readPage(page).title], [403, 'Join First account']);
    assert.ok(page.text.includes(invited.email) && page.text.includes(other.email));
    const { text } = await visitor.open('/logout');
    const [, form_token = ''] = /name="form_token"\s+value="([^"]+)"/.exec(text) ?? [];
    const token = link.split('=')[1] ?? '';
    const stolen = await visitor.post('/invitation', { token, form_token });
    assert.equal(stolen.status, 403);
    const { json } = await visitor.call('GET', '/memberships');
    assert.equal(json.result.length, 0);
    clock.advance(WEEK_MS - 1);
    assert.equal((await new Visitor(server).open(link)).status, 200);
    clock.advance(1);
    assert.equal((await new Visitor(server).open(link)).status, 400);
  });
});

test('whatever stands in a template is escaped, once', () => {
  const hostile = `<i>&"'`;
  const escaped = '&lt;i&gt;&amp;&quot;&#39;';
  assert.equal(html`${hostile}`.text, escaped);
  assert.equal(html`a${html`b${hostile}`}c`.text, `ab${escaped}c`);
  assert.equal(html`${[html`${hostile}`, html`-`]}`.text, `${escaped}-`);
  assert.equal(html`${7}${undefined}${false}${''}`.text, '7');
  assert.equal(html`${new Html('<br>')}`.text, '<br>');
});
