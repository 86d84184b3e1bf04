import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findInvitation } from '../../src/iam/members/accept-invitation.ts';
import {
  MAX_INVITATION_MAILS_PER_DAY_AND_ACCOUNT,
  MAX_INVITATION_MAILS_PER_HOUR_AND_RECIPIENT,
} from '../../src/iam/members/limit-invitation-mails.ts';
import { SUPER_ADMINISTRATOR, findRoleBySlug } from '../../src/iam/roles.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { firstPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { newAccount, newcomer } from './newcomers.ts';

const HOUR_MS = 3_600_000;
const roleId = (slug: string): string => findRoleBySlug(slug)?.id ?? '';
const secretOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

onEachDatabase((database) => {
  // The beginning of a day.
  const clock = new ManualClock(Date.UTC(2026, 4, 1));
  let mailServer: MailServer;
  let plain: TestServer;
  let mailing: TestServer;
  before(async () => {
    mailServer = await startMailServer({ after: () => {} });
    const settings = { SMTP_URL: mailServer.url, MAIL_FROM: 'accounts@example.com' };
    plain = await bootServer(database, { clock });
    mailing = await bootServer(database, { clock, settings });
  });
  after(async () => {
    await plain.stop();
    await mailing.stop();
    await mailServer.stop();
  });

  const invite = (server: TestServer, email: string, ...slugs: string[]): Promise<Answer> =>
    server.call('POST', `${server.account}/members`, {
      body: { email, roles: (slugs.length === 0 ? ['member'] : slugs).map(roleId) },
    });

  /** The rise is for Super Administrators alone. */
  async function update(server: TestServer, id: string, ...slugs: string[]): Promise<Json> {
    const headers = await signInAs(server, (await firstPerson(server)).userId, clock);
    const body = { roles: slugs.map((slug) => ({ id: roleId(slug) })) };
    const path = `${server.account}/members/${id}`;
    const { json, text } = await server.call('PUT', path, { token: null, headers, body });
    assert.equal(json.success, true, text);
    return json.result;
  }

  async function renewAsChief(server: TestServer, id: string): Promise<Json> {
    const headers = await signInAs(server, (await firstPerson(server)).userId, clock);
    const path = `${server.account}/members/${id}/invitation`;
    const { json, text } = await server.call('POST', path, { token: null, headers });
    assert.equal(json.success, true, text);
    return json.result;
  }

  const isGood = async (server: TestServer, link: string): Promise<boolean> =>
    (await findInvitation(server.app.database.read, secretOf(link), clock.now())) !== undefined;

  test('a link that was shown does not outlive a rise in roles', async () => {
    const { result } = (await invite(plain, 'risen@example.com', 'member', 'tag-admin')).json;
    const { id, invitation_url: link } = result;
    const read = async () =>
      (await plain.call('GET', `${plain.account}/members/${id}`)).json.result;
    // Fewer roles, or the same, are no more than the inviter could give.
    for (const roles of [['tag-admin', 'member'], ['tag-admin']]) {
      assert.equal('invitation_link_revoked' in (await update(plain, id, ...roles)), false);
      assert.equal(await isGood(plain, link), true);
    }
    const risen = await update(plain, id, SUPER_ADMINISTRATOR);
    assert.equal(risen.invitation_link_revoked, true);
    assert.deepEqual(await read(), risen);
    assert.equal(await isGood(plain, link), false);
    // A change that grants nothing more tells it still.
    assert.equal((await update(plain, id, SUPER_ADMINISTRATOR)).invitation_link_revoked, true);
    const renewed = await renewAsChief(plain, id);
    assert.equal('invitation_link_revoked' in renewed, false);
    assert.equal('invitation_link_revoked' in (await read()), false);
    assert.equal(await isGood(plain, renewed.invitation_url), true);
    assert.equal(await isGood(plain, link), false);
  });

  test('one other role for another is a rise too', async () => {
    const { id, invitation_url: link } = (await invite(plain, 'moved@example.com')).json.result;
    await update(plain, id, 'tag-admin');
    assert.equal(await isGood(plain, link), false);
  });

  test('a link that was mailed stays good: nobody but the person has seen it', async () => {
    const { id } = (await invite(mailing, 'mailed@example.com')).json.result;
    const risen = await update(mailing, id, SUPER_ADMINISTRATOR);
    assert.equal('invitation_link_revoked' in risen, false);
    await eventually('the mail arrives', () =>
      Promise.resolve(mailServer.received.some(({ to }) => to.includes('mailed@example.com'))),
    );
    const mail = mailServer.received.find(({ to }) => to.includes('mailed@example.com'));
    const [link = ''] = /http:\S+\/invitation\?token=\w+/.exec(mail?.body ?? '') ?? [];
    assert.equal(await isGood(mailing, link), true);
  });

  test('names that others have chosen are no links in the mail, and not in its subject', async () => {
    const name = 'Pay at https://evil.example/pay or www.evil.example, me@evil.example';
    assert.equal((await mailing.call('PUT', mailing.account, { body: { name } })).status, 200);
    const chief = await newcomer(mailing, clock, 'administrator');
    const email = 'quoted@example.com';
    const invited = await chief.call('POST', `${mailing.account}/members`, {
      body: { email, roles: [roleId('member')] },
    });
    assert.equal(invited.status, 200, invited.text);
    const received = () => mailServer.received.find(({ to }) => to.includes(email));
    await eventually('the mail arrives', () => Promise.resolve(received() !== undefined));
    const { headers, body } = received() ?? { headers: new Map(), body: '' };
    assert.equal(headers.get('subject'), 'Invitation to an account on latchkey');
    const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    assert.equal(links.length, 1);
    assert.ok(links[0]?.startsWith(`${mailing.origin}/invitation?token=lkiv_`), body);
    for (const piece of ['https://e', 'evil.example', 'me@evil', chief.email]) {
      assert.equal(body.includes(piece), false, piece);
    }
    // What is in between is not seen.
    assert.ok(body.replaceAll('\u2060', '').includes(`"${name}"`), body);
  });

  test('who may no longer give the roles is not shown the link of before', async () => {
    const { id } = (await invite(plain, 'replayed@example.com', 'administrator')).json.result;
    const inviter = await newcomer(plain, clock, 'administrator');
    const renew = (key: string) =>
      inviter.call('POST', `${plain.account}/members/${id}/invitation`, {
        headers: { ...inviter.session, 'idempotency-key': key },
      });
    const first = await renew('one');
    assert.equal(first.status, 200, first.text);
    assert.equal((await renew('one')).text, first.text);
    // The inviter still manages members; the person invited is to be more than the inviter.
    await update(plain, id, SUPER_ADMINISTRATOR);
    const refused = await renew('one');
    assert.deepEqual([refused.status, refused.code], [403, 3022]);
    assert.equal(refused.text.includes('lkiv_'), false);
    await update(plain, id, 'member');
    assert.equal((await renew('one')).text, first.text);
    await plain.call('DELETE', `${plain.account}/members/${id}`);
    assert.equal((await renew('one')).status, 404);
  });

  test('one recipient gets three mails an hour, from whichever account, in whatever spelling', async () => {
    clock.advance(HOUR_MS);
    const chief = await newcomer(mailing, clock, 'administrator');
    const other = await newAccount(mailing, chief.userId, 'administrator');
    const accounts = [mailing.accountId, other];
    const inviteInto = (accountId: string | undefined, email: string, headers = {}) =>
      chief.call('POST', `/accounts/${accountId}/members`, {
        headers: { ...chief.session, ...headers },
        body: { email, roles: [roleId('member')] },
      });
    const withdraw = (accountId: string | undefined, { json }: Answer) =>
      chief.call('DELETE', `/accounts/${accountId}/members/${json.result.id}`);
    const key = { 'idempotency-key': 'x' };
    const spellings = ['bombed@example.com', 'Bombed@example.com', 'bombed+1@example.com'];
    assert.equal(spellings.length, MAX_INVITATION_MAILS_PER_HOUR_AND_RECIPIENT);
    for (const [index, email] of spellings.entries()) {
      const accountId = accounts[index % 2];
      const made = await inviteInto(accountId, email, index === 0 ? key : {});
      assert.equal(made.status, 200, made.text);
      await withdraw(accountId, made);
      // What is refused, or repeated, sends no mail and does not count.
      assert.equal((await inviteInto(accountId, 'nobody')).status, 400);
      if (index === 0) assert.equal((await inviteInto(accountId, email, key)).text, made.text);
    }
    clock.advance(HOUR_MS - 1_500);
    for (const accountId of accounts) {
      const refused = await inviteInto(accountId, 'bombed@example.com');
      assert.deepEqual([refused.status, refused.code], [429, 3034]);
      assert.equal(refused.headers.get('retry-after'), '2');
    }
    assert.equal((await inviteInto(other, 'another@example.com')).status, 200);
    clock.advance(1_500);
    const again = await inviteInto(other, 'bombed@example.com');
    assert.equal(again.status, 200, again.text);
    // A new link for the same invitation counts too.
    const renew = `/accounts/${other}/members/${again.json.result.id}/invitation`;
    for (const expected of [200, 200, 429]) {
      clock.advance(60_000);
      assert.equal((await chief.call('POST', renew)).status, expected);
    }
  });

  test('one account sends two hundred a day', async () => {
    clock.advance(24 * HOUR_MS);
    const chief = await newcomer(mailing, clock, 'administrator');
    const accountId = await newAccount(mailing, chief.userId, 'administrator');
    const members = `/accounts/${accountId}/members`;
    const inviteOne = (index: number) =>
      chief.call('POST', members, {
        body: { email: `one-of-many-${index}@example.com`, roles: [roleId('member')] },
      });
    for (let i = 0; i < MAX_INVITATION_MAILS_PER_DAY_AND_ACCOUNT; i++) {
      const { status, json, text } = await inviteOne(i);
      assert.equal(status, 200, text);
      await chief.call('DELETE', `${members}/${json.result.id}`);
    }
    const refused = await inviteOne(-1);
    assert.deepEqual([refused.status, refused.code], [429, 3034]);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    assert.ok(waitSeconds > 20 * 3_600 && waitSeconds <= 24 * 3_600, String(waitSeconds));
    clock.advance(waitSeconds * 1_000);
    const session = await signInAs(mailing, chief.userId, clock);
    const body = { email: 'next-day@example.com', roles: [roleId('member')] };
    const next = await mailing.call('POST', members, { token: null, headers: session, body });
    assert.equal(next.status, 200, next.text);
  });

  test('without a mail server nothing is counted', async () => {
    for (let i = 0; i < 5; i++) {
      const { json, status } = await invite(plain, 'often@example.com');
      assert.equal(status, 200);
      await plain.call('DELETE', `${plain.account}/members/${json.result.id}`);
    }
  });
});
