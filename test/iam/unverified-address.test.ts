import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { makeResetLink } from '../../src/iam/passwords/make-reset-link.ts';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { codeAt } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, createUserToken, firstPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor, readPage, redirectOf } from '../support/visitor.ts';

const VICTIM = 'victim@corp.example';
const OF_MALLORY = 'blue kettle on the roof';
const OF_VICTIM = 'seven green umbrellas';

onEachDatabase((database) => {
  async function start(t: TestContext, settings: Record<string, string> = {}) {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock, settings });
    t.after(() => server.stop());
    const { userId } = await firstPerson(server);
    const headers = await signInAs(server, userId, clock);
    const created = await server.call('POST', '/accounts', {
      token: null,
      headers,
      body: { name: 'Mallory Ltd' },
    });
    return { clock, server, ofMallory: `/accounts/${created.json.result.id}`, headers };
  }

  type Started = Awaited<ReturnType<typeof start>>;

  async function invite({ server, headers }: Started, account: string): Promise<string> {
    const roles = [findRoleBySlug('administrator')?.id];
    const invited = await server.call('POST', `${account}/members`, {
      token: null,
      headers,
      body: { email: VICTIM, roles },
    });
    assert.equal(invited.status, 200, invited.text);
    return invited.json.result.invitation_url ?? '';
  }

  /** Somebody takes the address for theirs, with a link that the inviter was shown. */
  async function hijack(started: Started) {
    const { server, clock, ofMallory } = started;
    const link = await invite(started, ofMallory);
    const mallory = new Visitor(server);
    const joined = await mallory.submit(link.slice(server.origin.length), {
      new_password: OF_MALLORY,
    });
    assert.deepEqual(redirectOf(joined), [303, '/'], joined.text);
    const session = {
      cookie: `latchkey_session=${mallory.cookie('latchkey_session')}`,
      'x-csrf-token': mallory.cookie('latchkey_csrf') ?? '',
    };
    const token = await createUserToken(server, session, ['members.read']);
    const { secret } = (await mallory.call('POST', '/user/totp')).json.result;
    const code = codeAt(secret, clock.now());
    assert.equal((await mallory.call('PUT', '/user/totp', { code })).status, 200);
    return { mallory, token: token.value, totp: secret };
  }

  const readMembers = (server: TestServer, token: string): Promise<Answer> =>
    server.call('GET', `${server.account}/members`, { token });

  async function isVerified(server: TestServer): Promise<boolean> {
    const user = await server.app.database.read
      .selectFrom('users')
      .select('email_verified_at')
      .where('email', '=', VICTIM)
      .executeTakeFirstOrThrow();
    return user.email_verified_at !== null;
  }

  test('who took an address before its owner came has nothing of what the owner gets', async (t) => {
    const started = await start(t);
    const { server, clock } = started;
    const { mallory, token } = await hijack(started);
    const invitation = (await invite(started, server.account)).slice(server.origin.length);
    // A link that was shown to the inviter does not undo anything by itself.
    const page = readPage(await new Visitor(server).open(invitation));
    assert.match(page.title ?? '', /^Join /);

    const reset = await makeResetLink(server.app.database, clock, server.origin, VICTIM);
    const victim = new Visitor(server);
    const chosen = await victim.submit(reset.slice(server.origin.length), {
      new_password: OF_VICTIM,
    });
    assert.deepEqual(redirectOf(chosen), [303, '/'], chosen.text);
    const joined = await victim.submit(invitation);
    assert.deepEqual(redirectOf(joined), [303, '/'], joined.text);
    assert.equal((await victim.call('GET', `${server.account}/members`)).status, 200);

    assert.equal((await readMembers(server, token)).status, 401);
    assert.equal((await mallory.call('GET', '/user/totp')).status, 401);
    assert.equal((await new Visitor(server).signIn(VICTIM, OF_MALLORY)).status, 401);
    const totp = (await victim.call('GET', '/user/totp')).json.result;
    assert.deepEqual(totp, { enabled: false, recovery_codes_left: 0 });
    // What an operator hands over says nothing about the mail.
    assert.equal(await isVerified(server), false);
  });

  test('a mailed invitation to such an address lets its reader choose a password anew', async (t) => {
    const mail = await startMailServer(t);
    const started = await start(t, { SMTP_URL: mail.url, MAIL_FROM: 'a@latchkey.example' });
    const { server, clock } = started;
    const { userId } = await createPerson(server, {
      email: VICTIM,
      password: OF_MALLORY,
      isEmailVerified: false,
    });
    const session = await signInAs(server, userId, clock);
    const token = await createUserToken(server, session, ['members.read']);
    await invite(started, server.account);
    await eventually('the mail is there', async () => mail.received.length === 1);
    const [, link = ''] =
      /http:\S+(\/invitation\?token=\w+)/.exec(mail.received[0]?.body ?? '') ?? [];
    const victim = new Visitor(server);
    const joined = await victim.submit(link, { new_password: OF_VICTIM });
    assert.deepEqual(redirectOf(joined), [303, '/'], joined.text);
    assert.equal((await victim.call('GET', `${server.account}/members`)).status, 200);
    assert.equal(await isVerified(server), true);
    assert.equal((await readMembers(server, token.value)).status, 401);
    const old = await server.call('GET', '/user/totp', { token: null, headers: session });
    assert.equal(old.status, 401);
    assert.equal((await new Visitor(server).signIn(VICTIM, OF_MALLORY)).status, 401);
  });

  test('who is known by the address keeps everything, and signs in to accept', async (t) => {
    const mail = await startMailServer(t);
    const started = await start(t, { SMTP_URL: mail.url, MAIL_FROM: 'a@latchkey.example' });
    const { server, clock } = started;
    const { userId, email } = await createPerson(server, { password: OF_VICTIM });
    const session = await signInAs(server, userId, clock);
    const { value } = await createUserToken(server, session, ['user-details.read']);
    const invited = await server.call('POST', `${started.ofMallory}/members`, {
      token: null,
      headers: started.headers,
      body: { email, roles: [findRoleBySlug('member')?.id] },
    });
    assert.equal(invited.status, 200, invited.text);
    await eventually('the mail is there', async () => mail.received.length === 1);
    const [, link = ''] =
      /http:\S+(\/invitation\?token=\w+)/.exec(mail.received[0]?.body ?? '') ?? [];
    const visitor = new Visitor(server);
    visitor.cookies.set('latchkey_session', session.cookie.split('=')[1] ?? '');
    assert.deepEqual(redirectOf(await visitor.submit(link)), [303, '/']);
    assert.equal((await server.call('GET', '/user/tokens/verify', { token: value })).status, 200);
    assert.equal((await new Visitor(server).signIn(email, OF_VICTIM)).status, 200);
  });

  test('a reset link takes away what was there; a link that was mailed verifies the address', async (t) => {
    const { server, clock } = await start(t);
    const { userId, email } = await createPerson(server, {
      email: VICTIM,
      password: OF_MALLORY,
      isEmailVerified: false,
    });
    const addTotp = () =>
      server.app.database.transaction(async (tx) => {
        await tx
          .insertInto('totp_factors')
          .values({
            user_id: userId,
            sealed_secret: '',
            created_at: 0,
            confirmed_at: 0,
            last_step: 0,
          })
          .execute();
      });
    const visitor = new Visitor(server);
    const reset = async (mailedTo: string | null) => {
      const link = await server.app.database.transaction((tx) =>
        issueResetLink(tx, server.origin, userId, clock.now(), mailedTo),
      );
      const token = new URL(link).searchParams.get('token');
      const body = { token, new_password: OF_VICTIM };
      const { json, text } = await visitor.call('PUT', '/user/password_resets', body);
      assert.equal(json.success, true, text);
      return json.result.status;
    };
    // That of an operator, or one to an address that the person had before, shows nothing about the
    // mail; but it came to somebody else.
    for (const mailedTo of [null, 'former@example.com']) {
      await addTotp();
      assert.equal(await reset(mailedTo), 'complete');
      assert.equal(await isVerified(server), false);
    }
    await addTotp();
    assert.equal(await reset(email), 'complete');
    assert.equal(await isVerified(server), true);
    // From then on, what the person sets up stays.
    await addTotp();
    assert.equal(await reset(null), 'second_factor_required');
  });
});
