import assert from 'node:assert/strict';
import { type TestContext, after, before, describe, test } from 'node:test';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { makeResetLink } from '../../src/iam/passwords/make-reset-link.ts';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { lockOutUser, readmitUser } from '../../src/iam/users/lock-out.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { callAs, codeAt, enrol, signInHalfway } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { getPage, makeRoundTrip, signInThere } from '../support/external-sign-in.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor, readPage } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';

/** A person whom an operator has locked out: no way in, and no answer that tells of it. */
onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    // Each visitor comes from an address of its own: one that tries many passwords is slowed down.
    server = await bootServer(database, { clock, settings: { TRUST_PROXY: '127.0.0.1' } });
  });
  after(() => server.stop());

  const lock = (email: string, node = server) => lockOutUser(node.app.database, clock, email);
  const unlock = (email: string, node = server) => readmitUser(node.app.database, clock, email);

  let visitors = 0;
  const visitor = () => new Visitor(server, `10.1.0.${++visitors}`);
  const signIn = (email: string, password: string): Promise<Answer> =>
    visitor().call('POST', '/user/sessions', { email, password });

  const person = () => createPerson(server, { accountId: server.accountId, password: PASSWORD });

  test('the password: the answer is that to a wrong one, or to nobody', async () => {
    const { email, userId } = await person();
    assert.equal((await signIn(email, PASSWORD)).status, 200);
    await lock(email);
    const answers = [
      await signIn(email, PASSWORD),
      await signIn(email, NEW_PASSWORD),
      await signIn('nobody@example.com', PASSWORD),
    ];
    for (const { status, code, json } of answers) {
      assert.deepEqual([status, code], [answers[2]?.status, 3040]);
      assert.deepEqual(json, answers[2]?.json);
    }
    const sessions = server.app.database.read
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId);
    assert.deepEqual(await sessions.execute(), []);
    await unlock(email);
    assert.equal((await signIn(email, PASSWORD)).status, 200);
  });

  test('the login page says the same as for a wrong password', async () => {
    const { email } = await person();
    await lock(email);
    const pages: unknown[] = [];
    for (const password of [PASSWORD, NEW_PASSWORD]) {
      pages.push(readPage(await visitor().submit('/login', { email, password })));
    }
    assert.deepEqual(pages[0], pages[1]);
    assert.ok((pages[0] as { error?: string }).error);
  });

  test('sessions and API tokens of the person stop at once; tokens work again afterwards', async () => {
    const { userId, email } = await person();
    const bystander = await person();
    const session = await signInAs(server, userId, clock);
    const { value } = await createUserToken(server, session, ['user-details.read']);
    const other = await signInAs(server, bystander.userId, clock);
    const bySession = async (headers = session) =>
      (await callAs(server, headers, 'GET', '/user')).status;
    const byToken = async () => (await server.call('GET', '/user', { token: value })).status;
    assert.deepEqual([await bySession(), await byToken()], [200, 200]);
    await lock(email);
    assert.deepEqual([await bySession(), await byToken()], [401, 401]);
    assert.equal(await bySession(other), 200);
    await unlock(email);
    assert.deepEqual([await bySession(), await byToken()], [401, 200]);
  });

  test('a sign-in that waits for its second factor ends, and no code completes it', async () => {
    const { userId, email, secret, recoveryCodes } = await enrol(server, clock);
    const path = '/user/sessions/current/second_factor';
    const before = await signInHalfway(server, userId, clock);
    await lock(email);
    const totp = { totp_code: codeAt(secret, clock.now()) };
    // One that was begun by a request which was under way.
    const during = await signInHalfway(server, userId, clock);
    for (const [session, body] of [
      [before, totp],
      [during, totp],
      [during, { recovery_code: recoveryCodes[0] }],
    ] as const) {
      const answer = await callAs(server, session, 'POST', path, body);
      assert.deepEqual([answer.status, answer.code], [401, 10_000]);
    }
    await unlock(email);
    // The code was not used up.
    const again = await signInHalfway(server, userId, clock);
    assert.equal((await callAs(server, again, 'POST', path, totp)).status, 200);
  });

  describe('links', () => {
    const issue = (userId: string) =>
      server.app.database.transaction((tx) =>
        issueResetLink(tx, server.origin, userId, clock.now(), null),
      );
    const redeem = (link: string) =>
      visitor().call('PUT', '/user/password_resets', {
        token: new URL(link).searchParams.get('token'),
        new_password: NEW_PASSWORD,
      });

    test('to choose a password: those from before are gone, none is good', async () => {
      const { userId, email } = await person();
      const before = await issue(userId);
      await lock(email);
      const during = await issue(userId);
      for (const link of [before, during]) {
        const answer = await redeem(link);
        assert.equal(answer.code, 3044);
        const page = await visitor().open(link.slice(server.origin.length));
        assert.equal(readPage(page).title, 'This link is no longer valid');
      }
      await unlock(email);
      assert.equal((await redeem(before)).code, 3044);
      assert.equal((await redeem(during)).status, 200);
    });

    test('an operator who wants one is told', async () => {
      const { email } = await person();
      await lock(email);
      const made = makeResetLink(server.app.database, clock, server.origin, email);
      await assert.rejects(made, new Error(`${email} is locked`));
    });

    test('an invitation: it has expired, as far as anybody can see', async () => {
      const email = 'invited@example.com';
      const invited = await server.call('POST', `${server.account}/members`, {
        body: { email, roles: [findRoleBySlug('member')?.id] },
      });
      assert.equal(invited.status, 200, invited.text);
      const { pathname, search } = new URL(invited.json.result.invitation_url);
      const titleOf = async () => readPage(await visitor().open(pathname + search)).title;
      const before = await titleOf();
      await lock(email);
      const during = await titleOf();
      assert.notEqual(during, before);
      const unknown = search.replace(/token=.*/, 'token=lkiv_x');
      assert.equal(during, readPage(await visitor().open(pathname + unknown)).title);
      await unlock(email);
      assert.equal(await titleOf(), before);
    });
  });

  test('no mail goes out to who asks for a link', async (t: TestContext) => {
    const mail = await startMailServer(t);
    const mailing = await bootServer(database, {
      clock,
      settings: { SMTP_URL: mail.url, MAIL_FROM: 'noreply@latchkey.example' },
    });
    t.after(() => mailing.stop());
    const locked = await createPerson(mailing, { password: PASSWORD });
    const other = await createPerson(mailing, { password: PASSWORD });
    await lock(locked.email, mailing);
    const answers: Answer[] = [];
    for (const { email } of [locked, other]) {
      const options = { token: null, body: { email } };
      answers.push(await mailing.call('POST', '/user/password_resets', options));
    }
    assert.deepEqual(answers[0]?.json, answers[1]?.json);
    assert.equal(answers[0]?.status, 200);
    await eventually('the other is sent one', async () => mail.received.length > 0);
    assert.deepEqual(
      mail.received.map(({ to }) => to),
      [[other.email]],
    );
    const rows = await readAuditRows(mailing.app.database, locked.userId);
    assert.deepEqual(
      rows.map((row) => row.action_type),
      ['lock'],
    );
  });

  test("the organisation's own sign-in: as somebody whom nobody has invited", async (t) => {
    const provider = await startOpenIdProvider(t);
    const node = await bootServer(database, { settings: provider.settings, clock });
    t.after(() => node.stop());
    const linked = await createPerson(node, { accountId: node.accountId });
    const fresh = await createPerson(node, { accountId: node.accountId });
    provider.person = { subject: 'linked', email: linked.email, email_verified: true };
    assert.equal((await signInThere(node, provider)).status, 303);
    for (const { email } of [linked, fresh]) await lock(email, node);
    const arrive = async (subject: string, email: string) => {
      provider.person = { subject, email, email_verified: true };
      const { path, cookies } = await makeRoundTrip(node, provider);
      const answer = await getPage(node, path, cookies);
      return { ...readPage(answer), text: answer.text.replaceAll(email, 'EMAIL') };
    };
    const nobody = await arrive('nobody', 'nobody@example.com');
    assert.deepEqual(await arrive('linked', linked.email), nobody);
    assert.deepEqual(await arrive('fresh', fresh.email), nobody);
    const identities = await node.app.database.read
      .selectFrom('external_identities')
      .select('subject')
      .execute();
    assert.deepEqual(
      identities.map(({ subject }) => subject),
      ['linked'],
    );
    for (const { email } of [linked, fresh]) await unlock(email, node);
    provider.person = { subject: 'linked', email: linked.email, email_verified: true };
    assert.equal((await signInThere(node, provider)).status, 303);
  });

  test("the person's own log tells of it; a second time changes nothing", async () => {
    const { email, userId } = await person();
    assert.deepEqual(
      [
        await lock(email.toUpperCase()),
        await lock(email),
        await unlock(email),
        await unlock(email),
      ],
      [true, false, true, false],
    );
    const rows = await readAuditRows(server.app.database, userId);
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.actor_type, row.resource_type, row.resource_id]),
      [
        ['lock', 'system', 'user', userId],
        ['unlock', 'system', 'user', userId],
      ],
    );
    await assert.rejects(
      lock('nobody@example.com'),
      new Error('no user has the email address nobody@example.com'),
    );
  });
});
