import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Changes } from '../../src/iam/changes.ts';
import { acceptInvitation, findInvitation } from '../../src/iam/members/accept-invitation.ts';
import { ANONYMOUS } from '../../src/iam/principal.ts';
import { SUPER_ADMINISTRATOR, findRoleBySlug } from '../../src/iam/roles.ts';
import { findUserByEmail, updateUser } from '../../src/iam/users/user-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, firstPerson, hashPassword, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';
const DAY_MS = 86_400_000;

const secretOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Accepts by the secret, as the page of the invitation does. */
function accept(server: TestServer, clock: ManualClock, secret: string) {
  const request = {
    id: createId(),
    method: 'POST',
    path: '/',
    query: '',
    ip: '127.0.0.1',
    headers: {},
  };
  const changes = new Changes(server.app.database, clock);
  return changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    const invitation = await acceptInvitation(tools, secret, clock.now());
    if (invitation === undefined) tools.unchanged();
    return { result: invitation };
  });
}

/** Whether some transaction on PostgreSQL waits for another. */
async function isLockAwaited({ app }: TestServer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database.read);
  return rows.length > 0;
}

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let members: string;
  before(async () => {
    server = await bootServer(database, { clock });
    members = `${server.account}/members`;
  });
  after(() => server.stop());

  async function invite(email: string, on = server): Promise<Json> {
    const body = { email, roles: [roleId('administrator-read-only')] };
    const { json, text } = await on.call('POST', `${on.account}/members`, { body });
    assert.equal(json.success, true, text);
    return json.result;
  }

  const find = (secret: string) => findInvitation(server.app.database.read, secret, clock.now());

  test('without a mail server the answer has the link, once', async () => {
    const invited = await invite('new@example.com');
    assert.equal(invited.status, 'pending');
    assert.equal(invited.invitation_expires_on, new Date(clock.now() + 7 * DAY_MS).toISOString());
    assert.ok(invited.invitation_url.startsWith(`${server.origin}/invitation?token=lkiv_`));
    const { json } = await server.call('GET', `${members}/${invited.id}`);
    const { invitation_url, ...rest } = invited;
    assert.ok(invitation_url);
    assert.deepEqual(json.result, rest);
    const range = 'since=2020-01-01&before=2100-01-01';
    const log = await server.call('GET', `${server.account}/logs/audit?${range}`);
    assert.ok(log.text.includes('Invited a member'));
    assert.ok(!log.text.includes('lkiv_'));
    assert.ok(!server.logLines.join('').includes('lkiv_'));
  });

  test('somebody new has nothing but the address', async () => {
    await invite('Blank@example.com');
    const user = await findUserByEmail(server.app.database.read, 'blank@example.com');
    assert.equal(user?.email, 'Blank@example.com');
    assert.equal(user.passwordHash, undefined);
    assert.equal(user.emailVerifiedAtMs, undefined);
  });

  test('a link finds its invitation for 7 days, and works once', async () => {
    const { id, email, invitation_url } = await invite('found@example.com');
    const user = await findUserByEmail(server.app.database.read, email);
    const secret = secretOf(invitation_url);
    clock.advance(7 * DAY_MS - 1);
    const found = await find(secret);
    const account = await server.call('GET', server.account);
    assert.deepEqual(found, {
      accountName: account.json.result.name,
      accountId: server.accountId,
      memberId: id,
      userId: user?.id,
      email,
      userHasCredential: false,
      isMailed: false,
      isEmailVerified: false,
    });
    const answers = await Promise.all([1, 2, 3].map(() => accept(server, clock, secret)));
    assert.equal(answers.filter(({ result }) => result !== undefined).length, 1);
    assert.equal(await find(secret), undefined);
    const { json } = await server.call('GET', `${members}/${id}`);
    assert.equal(json.result.status, 'accepted');
    assert.equal('invitation_expires_on' in json.result, false);
    // The inviter was shown the link: that it was used says nothing about the address.
    const person = await findUserByEmail(server.app.database.read, email);
    assert.equal(person?.emailVerifiedAtMs, undefined);
    const range = 'since=2020-01-01&before=2100-01-01&limit=1';
    const log = await server.call('GET', `${server.account}/logs/audit?${range}`);
    const [row] = log.json.result;
    assert.deepEqual([row.action.type, row.actor.email], ['accept', email]);
  });

  test('a link is worth nothing when it has expired or is none', async () => {
    const { invitation_url } = await invite('late@example.com');
    const secret = secretOf(invitation_url);
    clock.advance(7 * DAY_MS);
    for (const wrong of [secret, createSecret('lkiv_'), `${secret}x`, '', 'lkiv_']) {
      assert.equal(await find(wrong), undefined);
      assert.equal((await accept(server, clock, wrong)).result, undefined);
    }
  });

  test('a link is worth nothing when the invitation was withdrawn', async () => {
    const { id, invitation_url } = await invite('withdrawn@example.com');
    await server.call('DELETE', `${members}/${id}`);
    assert.equal(await find(secretOf(invitation_url)), undefined);
  });

  test('who was only ever invited is forgotten, and can be invited again', async () => {
    const email = 'forgotten@example.com';
    const { id } = await invite(email);
    await server.call('DELETE', `${members}/${id}`);
    assert.equal(await findUserByEmail(server.app.database.read, email), undefined);
    assert.equal((await invite(email)).status, 'pending');
    const known = await createPerson(server, { password: 'any password' });
    const again = await invite(known.email);
    await server.call('DELETE', `${members}/${again.id}`);
    assert.ok(await findUserByEmail(server.app.database.read, known.email));
  });

  test('inviting and withdrawing at once leaves no half', async () => {
    const email = 'contended@example.com';
    const { id } = await invite(email);
    const body = { email, roles: [roleId('member')] };
    await Promise.all([
      server.call('DELETE', `${members}/${id}`),
      ...Array.from({ length: 4 }, async () => {
        const { status, code, text } = await server.call('POST', members, { body });
        assert.ok(status === 200 || code === 3026, text);
      }),
    ]);
    const { json } = await server.call('GET', `${members}?per_page=1000`);
    const found = json.result.filter((member: Json) => member.email === email);
    assert.ok(found.length <= 1);
  });

  test('userHasCredential: a password, a passkey or an identity elsewhere', async () => {
    const secretFor = async (email: string) => secretOf((await invite(email)).invitation_url);
    const withPassword = await createPerson(server, { password: 'any password' });
    const withPasskey = await createPerson(server);
    const withIdentity = await createPerson(server);
    const without = await createPerson(server);
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('passkeys')
        .values({
          id: createId(),
          credential_id: createId(),
          user_id: withPasskey.userId,
          name: '',
          public_key: '',
          sign_count: 0,
          transports: '[]',
          created_at: 1,
          last_used_at: null,
        })
        .execute();
      await tx
        .insertInto('external_identities')
        .values({
          issuer: 'https://id.example.com',
          subject: 'x',
          user_id: withIdentity.userId,
          created_at: 1,
          last_used_at: 1,
        })
        .execute();
    });
    for (const [person, has] of [
      [withPassword, true],
      [withPasskey, true],
      [withIdentity, true],
      [without, false],
    ] as const) {
      const found = await find(await secretFor(person.email));
      assert.equal(found?.userHasCredential, has);
      assert.equal(found?.isEmailVerified, true);
    }
  });

  test('of two links of one new person, the second knows of the password', async (t) => {
    const { userId } = await firstPerson(server);
    const headers = await signInAs(server, userId, clock);
    const created = await server.call('POST', '/accounts', {
      token: null,
      headers,
      body: { name: 'second' },
    });
    const path = `/accounts/${created.json.result.id}`;
    t.after(() => server.call('DELETE', path, { token: null, headers }));
    const email = 'shared@example.com';
    const one = await invite(email);
    const two = await server.call('POST', `${path}/members`, {
      token: null,
      headers,
      body: { email, roles: [roleId('member')] },
    });
    const passwordHash = await hashPassword('any password');
    const request = {
      id: createId(),
      method: 'POST',
      path: '/',
      query: '',
      ip: '127.0.0.1',
      headers: {},
    };
    const changes = new Changes(server.app.database, clock);
    const acceptWithPassword = async (link: string, meanwhile: () => Promise<void>) => {
      const { result } = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
        const invitation = await acceptInvitation(tools, secretOf(link), clock.now());
        await meanwhile();
        if (invitation?.userHasCredential === false) {
          await updateUser(tools.tx, invitation.userId, { passwordHash });
        }
        return { result: invitation?.userHasCredential };
      });
      return result;
    };
    let isThrough = false;
    let second: Promise<boolean | undefined> | undefined;
    const first = await acceptWithPassword(one.invitation_url, async () => {
      second ??= acceptWithPassword(two.json.result.invitation_url, async () => {
        isThrough = true;
      });
      // On the embedded database it does not even begin before this one ends.
      if (database === 'sqlite') return;
      await eventually('the second waits', async () => isThrough || (await isLockAwaited(server)));
    });
    assert.deepEqual([first, await second], [false, true]);
  });

  test('a fresh link kills the one before', async () => {
    const invited = await invite('again@example.com');
    clock.advance(3 * DAY_MS);
    const path = `${members}/${invited.id}/invitation`;
    const { json, status, text } = await server.call('POST', path);
    assert.equal(status, 200, text);
    assert.notEqual(json.result.invitation_url, invited.invitation_url);
    assert.equal(
      json.result.invitation_expires_on,
      new Date(clock.now() + 7 * DAY_MS).toISOString(),
    );
    assert.equal(await find(secretOf(invited.invitation_url)), undefined);
    const secret = secretOf(json.result.invitation_url);
    assert.equal((await find(secret))?.memberId, invited.id);
    await accept(server, clock, secret);
    const late = await server.call('POST', path);
    assert.deepEqual([late.status, late.code], [400, 3031]);
  });

  test('nothing is in effect before it is accepted, and all of it after', async () => {
    const { email, userId } = await createPerson(server, {});
    const headers = await signInAs(server, userId, clock);
    const list = (): Promise<Answer> => server.call('GET', members, { token: null, headers });
    const { invitation_url } = await invite(email);
    assert.equal((await list()).status, 403);
    await accept(server, clock, secretOf(invitation_url));
    assert.equal((await list()).status, 200);
  });

  test('with a mail server the link is mailed, and its use verifies the address', async (t) => {
    const mailServer = await startMailServer(t);
    const settings = { SMTP_URL: mailServer.url, MAIL_FROM: 'accounts@example.com' };
    const mailing = await bootServer(database, { clock, settings });
    t.after(() => mailing.stop());
    const { userId } = await firstPerson(mailing);
    const headers = await signInAs(mailing, userId, clock);
    const name = 'Grüße & <b>Co</b>';
    const renamed = await mailing.call('PUT', mailing.account, { body: { name } });
    assert.equal(renamed.status, 200);
    const invited = await mailing.call('POST', `${mailing.account}/members`, {
      token: null,
      headers,
      body: { email: 'mailed@example.com', roles: [roleId(SUPER_ADMINISTRATOR)] },
    });
    assert.equal(invited.status, 200, invited.text);
    assert.equal('invitation_url' in invited.json.result, false);
    await eventually('the mail arrives', () => Promise.resolve(mailServer.received.length === 1));
    const [mail] = mailServer.received;
    assert.deepEqual(mail?.to, ['mailed@example.com']);
    const [link = ''] = /http:\S+\/invitation\?token=\w+/.exec(mail.body) ?? [];
    assert.ok(link.startsWith(mailing.origin), mail.body);
    assert.ok(mail.body.includes(name), mail.body);
    const found = await findInvitation(mailing.app.database.read, secretOf(link), clock.now());
    assert.equal(found?.isMailed, true);
    await accept(mailing, clock, secretOf(link));
    const person = await findUserByEmail(mailing.app.database.read, 'mailed@example.com');
    assert.equal(person?.emailVerifiedAtMs, clock.now());

    const second = await invite('renewed@example.com', mailing);
    const renew = `${mailing.account}/members/${second.id}/invitation`;
    clock.advance(59_999);
    const tooSoon = await mailing.call('POST', renew);
    assert.deepEqual([tooSoon.status, tooSoon.code], [429, 3034]);
    assert.equal(tooSoon.headers.get('retry-after'), '1');
    clock.advance(1);
    const { json } = await mailing.call('POST', renew);
    assert.equal('invitation_url' in json.result, false);
    await eventually('two more mails', () => Promise.resolve(mailServer.received.length === 3));
    const links = mailServer.received.map(({ body }) => /token=(\w+)/.exec(body)?.[1] ?? '');
    assert.equal(new Set(links).size, 3);
    const isGood = await Promise.all(
      links.map(async (secret) =>
        Boolean(await findInvitation(mailing.app.database.read, secret, clock.now())),
      ),
    );
    assert.deepEqual(isGood, [false, false, true]);
  });
});
