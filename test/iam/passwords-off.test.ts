import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { SettingError, readSettings } from '../../src/config/settings.ts';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { cookiesOf, getPage, signInThere } from '../support/external-sign-in.ts';
import { startMailServer } from '../support/mail-server.ts';
import { type TestOpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson } from '../support/people.ts';
import { type TestServer, bootServer, createDataDir, request } from '../support/server.ts';
import { hiddenFields, readPage, redirectOf } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const OFF = { PASSWORD_SIGN_IN: 'false' };

/** A request where the server listens, and not where it says that it is. */
function call(
  server: TestServer,
  method: string,
  path: string,
  options: Parameters<typeof request>[2],
) {
  return request(method, `${server.origin}/client/v4${path}`, options);
}

onEachDatabase((database) => {
  async function start(t: TestContext, settings: Record<string, string> = {}) {
    const provider = await startOpenIdProvider(t);
    const server = await bootServer(database, { settings: { ...provider.settings, ...settings } });
    t.after(() => server.stop());
    return { provider, server };
  }

  /** Invites a new user; returns the path of the invitation. */
  async function invite(server: TestServer, email: string): Promise<string> {
    const { token } = server;
    const { json } = await call(server, 'GET', `${server.account}/roles`, { token });
    const role = json.result.find(({ name }: { name: string }) => name === 'Member');
    const body = { email, roles: [role.id] };
    const invited = await call(server, 'POST', `${server.account}/members`, { body, token });
    assert.equal(invited.status, 200, invited.text);
    const url = new URL(invited.json.result.invitation_url as string);
    return url.pathname + url.search;
  }

  /** Joins with the provider's button; returns the membership's status. */
  async function joinThere(server: TestServer, provider: TestOpenIdProvider, email: string) {
    const path = await invite(server, email);
    const page = await getPage(server, path);
    assert.match(page.text, /Sign in with Example Inc/);
    const link = /href="(\/login\/external[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    const query = new URL(link ?? '', server.origin).searchParams;
    assert.equal(query.get('login_hint'), email);
    assert.equal(query.get('return_to'), path);
    provider.person = { subject: email, email, email_verified: true };
    const back = await signInThere(server, provider, path);
    assert.deepEqual(redirectOf(back), [303, path]);
    const cookies = cookiesOf(back);
    const form = await getPage(server, path, cookies);
    assert.match(form.text, /Accept invitation/);
    const done = await request('POST', `${server.origin}/invitation`, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams(hiddenFields(form.text)).toString(),
    });
    assert.equal(done.status, 303, done.text);
    const members = await call(server, 'GET', `${server.account}/members`, { token: server.token });
    return members.json.result.find((member: { email: string }) => member.email === email)?.status;
  }

  test('the page of an invitation offers single sign-on, and a password below it', async (t) => {
    const { provider, server } = await start(t);
    const page = await getPage(server, await invite(server, 'new@example.com'));
    assert.ok(page.text.indexOf('Sign in with Example Inc') < page.text.indexOf('new_password'));
    assert.equal(await joinThere(server, provider, 'ada@example.com'), 'accepted');
  });

  test('without passwords, users join and sign in with the provider alone', async (t) => {
    const { provider, server } = await start(t, OFF);
    const page = await getPage(server, await invite(server, 'new@example.com'));
    assert.equal(page.status, 200);
    assert.equal(page.text.includes('new_password'), false);
    assert.equal(await joinThere(server, provider, 'ada@example.com'), 'accepted');
    const login = await getPage(server, '/login');
    assert.equal(login.text.includes('name="password"'), false);
    assert.equal(login.text.includes('/forgot-password'), false);
    assert.match(login.text, /Sign in with Example Inc/);
    assert.equal((await signInThere(server, provider)).status, 303);
  });

  test('3047: every operation that takes a password, or sends a link to set one', async (t) => {
    const mail = await startMailServer(t);
    const settings = { ...OFF, SMTP_URL: mail.url, MAIL_FROM: 'noreply@latchkey.example' };
    const { provider, server } = await start(t, settings);
    const { email, userId } = await createPerson(server, {
      accountId: server.accountId,
      password: PASSWORD,
    });
    provider.person = { subject: 's', email, email_verified: true };
    const cookies = cookiesOf(await signInThere(server, provider));
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-csrf-token': cookies.get('__Host-latchkey_csrf') ?? '',
    };
    const link = await server.app.database.transaction((tx) =>
      issueResetLink(tx, '', userId, Date.now(), null),
    );
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
    for (const [method, path, body] of [
      ['POST', '/user/sessions', { email, password: PASSWORD }],
      ['POST', '/user/sessions', { email: 'nobody@example.com', password: PASSWORD }],
      ['POST', '/user/password_resets', { email }],
      ['PUT', '/user/password_resets', { token, new_password: 'seven green umbrellas' }],
      [
        'PUT',
        '/user/password',
        { current_password: PASSWORD, new_password: 'seven green umbrellas' },
      ],
      ['POST', '/user/sessions/current/confirmation', { password: PASSWORD }],
    ] as const) {
      const answer = await call(server, method, path, { headers, body });
      assert.notEqual(answer.status, 404, `${method} ${path}`);
      assert.deepEqual(
        [answer.status, answer.json.errors[0].code],
        [403, 3047],
        `${path} ${answer.text}`,
      );
    }
    for (const path of ['/forgot-password', link]) {
      const page = readPage(await getPage(server, path));
      assert.deepEqual([page.status, page.title], [403, 'Passwords are turned off']);
    }
    assert.equal(mail.received.length, 0);
  });
});

test('without a provider, passwords cannot be turned off', () => {
  assert.throws(
    () => readSettings({ LATCHKEY_PASSWORD_SIGN_IN: 'false' }),
    (error: Error) =>
      error instanceof SettingError && /PASSWORD_SIGN_IN=false requires/.test(error.message),
  );
  for (const [text, expected] of [
    ['off', false],
    ['0', false],
    ['TRUE', true],
    ['yes', true],
  ] as const) {
    const settings = readSettings({
      LATCHKEY_PASSWORD_SIGN_IN: text,
      LATCHKEY_OIDC_ISSUER: 'https://id.example.com',
      LATCHKEY_OIDC_CLIENT_ID: 'x',
    });
    assert.equal(settings.PASSWORD_SIGN_IN, expected);
  }
  assert.throws(() => readSettings({ LATCHKEY_PASSWORD_SIGN_IN: 'never' }), /true or false/);
});

onEachDatabase((database) => {
  test('user verify-email marks an address as verified and keeps the credentials', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await bootServer(database, { dataDir });
    t.after(() => server.stop());
    const { email } = await createPerson(server, { password: PASSWORD, isEmailVerified: false });
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    for (const said of [`${email} is verified.\n`, `${email} was already verified.\n`]) {
      const { code, stdout, stderr } = await runCli(['user', 'verify-email', email], { env });
      assert.deepEqual([code, stdout, stderr], [0, said, '']);
    }
    const body = { email, password: PASSWORD };
    const signedIn = await server.call('POST', '/user/sessions', { token: null, body });
    assert.equal(signedIn.status, 200, signedIn.text);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select('action_description')
      .where('action_type', '=', 'verify_email')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.action_description),
      ['An operator verified the email address'],
    );
    for (const rest of [[], ['nobody@example.com'], [email, 'more']]) {
      const { code, stdout, stderr } = await runCli(['user', 'verify-email', ...rest], { env });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^latchkey: [^\n]+\n$/);
    }
  });
});
