import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { issueResetLink } from '../../src/iam/passwords/issue-reset-link.ts';
import { storeState } from '../../src/iam/short-lived-state.ts';
import { type TestDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor, setCookies } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';
const HOUR_MS = 3_600_000;

interface Context {
  after(work: () => unknown): void;
}

async function bootOwn(t: Context, database: TestDatabase, smtpUrl?: string) {
  const clock = new ManualClock();
  const server = await bootServer(database, {
    clock,
    settings: {
      TRUST_PROXY: '127.0.0.1',
      ...(smtpUrl === undefined
        ? {}
        : { SMTP_URL: smtpUrl, MAIL_FROM: 'noreply@latchkey.example' }),
    },
  });
  t.after(() => server.stop());
  return { clock, server };
}

function tokenOf(text: string): string {
  return /reset-password\?token=(lkot_\w+)/.exec(text)?.[1] ?? '';
}

/** A link as an operator gets it, or one that was mailed. */
async function makeToken(
  server: TestServer,
  clock: ManualClock,
  userId: string,
  mailedTo?: string,
) {
  const link = await server.app.database.transaction((tx) =>
    issueResetLink(tx, server.origin, userId, clock.now(), mailedTo ?? null),
  );
  assert.ok(link.startsWith(`${server.origin}/reset-password?token=lkot_`), link);
  return tokenOf(link);
}

async function addTotp(server: TestServer, userId: string) {
  await server.app.database.transaction(async (tx) => {
    await tx
      .insertInto('totp_factors')
      .values({ user_id: userId, sealed_secret: '', created_at: 0, confirmed_at: 0, last_step: 0 })
      .execute();
  });
}

async function auditTypes(server: TestServer, userId: string): Promise<string[]> {
  const rows = await server.app.database.read
    .selectFrom('audit_logs')
    .select('action_type')
    .where('chain_id', '=', userId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => row.action_type);
}

function refusal({ status, code }: Answer) {
  return [status, code];
}

onEachDatabase((database) => {
  let shared: { clock: ManualClock; server: TestServer };
  before(async () => {
    const clock = new ManualClock();
    shared = { clock, server: await bootServer(database, { clock }) };
  });
  after(() => shared.server.stop());

  describe('changing a password', () => {
    test('ends all other sessions and replaces this one', async (t) => {
      const { server, clock } = await bootOwn(t, database);
      const { userId, email } = await createPerson(server, { password: PASSWORD });
      const other = await signInAs(server, userId, clock);
      const visitor = new Visitor(server);
      await visitor.signIn(email, PASSWORD);
      const before = visitor.cookie('latchkey_session');
      const token = await makeToken(server, clock, userId);
      clock.advance(HOUR_MS / 2);
      const answer = await visitor.call('PUT', '/user/password', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.result.csrf_token, visitor.cookie('latchkey_csrf'));
      assert.notEqual(visitor.cookie('latchkey_session'), before);
      const { json } = await visitor.call('GET', '/user/sessions');
      assert.deepEqual(
        json.result.map((session: { methods: unknown }) => session.methods),
        [['password']],
      );
      assert.equal(json.result[0].authenticated_on, '2026-01-01T00:30:00.000Z');
      for (const cookie of [`latchkey_session=${before}`, other.cookie]) {
        const headers = { ...other, cookie };
        const old = await server.call('GET', '/user/sessions', { token: null, headers });
        assert.deepEqual(refusal(old), [401, 10_000]);
      }
      assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 401);
      assert.equal((await new Visitor(server).signIn(email, NEW_PASSWORD)).status, 200);
      // A link from before does not undo it.
      const late = await server.call('PUT', '/user/password_resets', {
        token: null,
        body: { token, new_password: PASSWORD },
      });
      assert.deepEqual(refusal(late), [400, 3044]);
      assert.ok((await auditTypes(server, userId)).includes('change_password'));
    });

    test('refusals: wrong, none, unsuitable, malformed', async () => {
      const { server } = shared;
      const { userId, email } = await createPerson(server, { password: PASSWORD });
      const visitor = new Visitor(server);
      await visitor.signIn(email, PASSWORD);
      const change = (current: string, next: string) =>
        visitor.call('PUT', '/user/password', { current_password: current, new_password: next });
      assert.deepEqual(refusal(await change('not the right one', NEW_PASSWORD)), [403, 3042]);
      const short = await change(PASSWORD, 'elevenchars');
      assert.deepEqual(refusal(short), [400, 3043]);
      assert.match(short.json.errors[0].message, /at least 12 characters/);
      assert.deepEqual(refusal(await change(PASSWORD, email)), [400, 3043]);
      assert.deepEqual(refusal(await change(PASSWORD, 'x'.repeat(1_025))), [400, 3001]);
      const unknown = { current_password: PASSWORD, new_password: NEW_PASSWORD, more: 1 };
      assert.equal((await visitor.call('PUT', '/user/password', unknown)).code, 3002);
      await server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('users')
          .set({ password_hash: null })
          .where('id', '=', userId)
          .execute();
      });
      assert.deepEqual(refusal(await change(PASSWORD, NEW_PASSWORD)), [400, 3046]);
    });
  });

  describe('choosing a password with a link', () => {
    test('sets the password, ends all sessions and signs in', async () => {
      const { server, clock } = shared;
      const { userId, email } = await createPerson(server, { password: PASSWORD });
      const before = await signInAs(server, userId, clock);
      const token = await makeToken(server, clock, userId);
      clock.advance(HOUR_MS - 1);
      const visitor = new Visitor(server);
      const answer = await visitor.call('PUT', '/user/password_resets', {
        token,
        new_password: NEW_PASSWORD,
      });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        [answer.json.result.status, answer.json.result.second_factors],
        ['complete', []],
      );
      assert.deepEqual(
        setCookies(answer).map(({ name }) => name),
        ['latchkey_session', 'latchkey_csrf', 'latchkey_device'],
      );
      assert.equal((await visitor.call('GET', '/user/sessions')).json.result.length, 1);
      const old = await server.call('GET', '/user/sessions', { token: null, headers: before });
      assert.equal(old.status, 401);
      assert.equal((await new Visitor(server).signIn(email, NEW_PASSWORD)).status, 200);
      const again = await visitor.call('PUT', '/user/password_resets', {
        token,
        new_password: PASSWORD,
      });
      assert.deepEqual(refusal(again), [400, 3044]);
      const types = await auditTypes(server, userId);
      assert.deepEqual(types.slice(0, 2).toSorted(), ['reset_password', 'sign_in']);
    });

    test('a link that is none, too old, or for something else', async () => {
      const { server, clock } = shared;
      const { userId } = await createPerson(server, { password: PASSWORD });
      const reset = (token: string, password = NEW_PASSWORD) =>
        server.call('PUT', '/user/password_resets', {
          token: null,
          body: { token, new_password: password },
        });
      const latest = await makeToken(server, clock, userId);
      const other = await server.app.database.transaction((tx) =>
        storeState(tx, 'passkey_registration', {
          userId,
          expiresAtMs: clock.now() + HOUR_MS,
        }),
      );
      for (const token of ['', 'nonsense', other, `lkot_${'x'.repeat(46)}`]) {
        assert.deepEqual(refusal(await reset(token)), [400, 3044], token);
      }
      // An unsuitable password does not use the link up.
      assert.deepEqual(refusal(await reset(latest, 'password1234')), [400, 3043]);
      assert.equal((await reset('x'.repeat(257))).code, 3001);
      clock.advance(HOUR_MS);
      assert.deepEqual(refusal(await reset(latest)), [400, 3044]);
      const fresh = await makeToken(server, clock, userId);
      assert.equal((await reset(fresh)).status, 200);
    });

    test('of two who use a link at once, one succeeds', async () => {
      const { server, clock } = shared;
      const { userId } = await createPerson(server);
      const token = await makeToken(server, clock, userId);
      const answers = await Promise.all(
        [1, 2].map((n) =>
          new Visitor(server).call('PUT', '/user/password_resets', {
            token,
            new_password: `${NEW_PASSWORD} ${n}`,
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.deepEqual(statuses, [200, 400]);
    });

    test('a second factor is asked for all the same', async () => {
      const { server, clock } = shared;
      const { userId } = await createPerson(server, { password: PASSWORD });
      await addTotp(server, userId);
      const token = await makeToken(server, clock, userId);
      const visitor = new Visitor(server);
      const { json } = await visitor.call('PUT', '/user/password_resets', {
        token,
        new_password: NEW_PASSWORD,
      });
      assert.deepEqual(
        [json.result.status, json.result.second_factors],
        ['second_factor_required', ['totp']],
      );
      assert.equal((await visitor.call('GET', '/user/sessions')).status, 401);
    });
  });

  describe('asking for a link', () => {
    test('the answer is the same whoever has the address', async (t) => {
      const mail = await startMailServer(t);
      const { server } = await bootOwn(t, database, mail.url);
      const { email } = await createPerson(server, { password: PASSWORD });
      const answers: Answer[] = [];
      for (const address of [email, 'nobody@example.com', '', 'no address']) {
        answers.push(
          await new Visitor(server).call('POST', '/user/password_resets', { email: address }),
        );
      }
      for (const { status, json, headers } of answers) {
        assert.deepEqual([status, json], [200, answers[0]?.json]);
        assert.equal(headers.getSetCookie().length, 0);
      }
      assert.deepEqual(answers[0]?.json.result, { is_mail_configured: true });
      await eventually('the mail is there', async () => mail.received.length > 0);
      assert.equal(mail.received.length, 1);
    });

    test('the link goes out by mail; the one that is used first ends the others', async (t) => {
      const mail = await startMailServer(t);
      const { server, clock } = await bootOwn(t, database, mail.url);
      const { userId, email } = await createPerson(server, {
        password: PASSWORD,
        isEmailVerified: false,
      });
      const ask = () =>
        new Visitor(server).call('POST', '/user/password_resets', { email: email.toUpperCase() });
      await ask();
      await eventually('the first mail is there', async () => mail.received.length === 1);
      await ask();
      await eventually('the second mail is there', async () => mail.received.length === 2);
      const [first, second] = mail.received.map(({ body }) => tokenOf(body));
      assert.deepEqual(mail.received[0]?.to, [email]);
      const reset = (token = '') =>
        new Visitor(server).call('PUT', '/user/password_resets', {
          token,
          new_password: NEW_PASSWORD,
        });
      // Whoever asked for the second one has not taken the first away.
      assert.equal((await reset(first)).status, 200);
      assert.deepEqual(refusal(await reset(second)), [400, 3044]);
      await eventually('the news is there', async () => mail.received.length === 3);
      assert.match(mail.received[2]?.headers.get('subject') ?? '', /password .* was changed/);
      const types = await auditTypes(server, userId);
      assert.equal(types[0], 'request_password_reset');
      const log = server.logLines.join('');
      assert.ok(!log.includes(second ?? '-') && !log.includes(email));
      clock.advance(1);
    });

    test('five mails an hour to one person, and nobody is told of the end of them', async (t) => {
      const mail = await startMailServer(t);
      const { server, clock } = await bootOwn(t, database, mail.url);
      const { userId, email } = await createPerson(server, { password: PASSWORD });
      const ask = async (n: number) => {
        const visitor = new Visitor(server, `10.0.0.${n}`);
        const { status } = await visitor.call('POST', '/user/password_resets', { email });
        assert.equal(status, 200);
      };
      const asked = () =>
        auditTypes(server, userId).then(
          (types) => types.filter((type) => type === 'request_password_reset').length,
        );
      for (let i = 1; i <= 5; i++) {
        await ask(i);
        await eventually(`${i} are noted`, async () => (await asked()) === i);
      }
      await ask(6);
      // What is done for it begins within two seconds of its answer, and ends before what begins later.
      await delay(2_000);
      const other = await createPerson(server, { password: PASSWORD });
      await new Visitor(server, '10.0.1.1').call('POST', '/user/password_resets', {
        email: other.email,
      });
      await eventually('another is noted', async () =>
        (await auditTypes(server, other.userId)).includes('request_password_reset'),
      );
      clock.advance(HOUR_MS);
      await ask(7);
      await eventually('the next hour has come', async () => (await asked()) === 6);
      await eventually('all are sent', async () => mail.received.length === 7);
    });

    test('twenty from one address, then they are refused', async (t) => {
      const { server, clock } = await bootOwn(t, database);
      const ask = (ip: string) =>
        new Visitor(server, ip).call('POST', '/user/password_resets', {
          email: 'nobody@example.com',
        });
      for (let i = 0; i < 20; i++) {
        const { status, json } = await ask('10.0.0.1');
        assert.deepEqual([status, json.result], [200, { is_mail_configured: false }]);
      }
      const refused = await ask('10.0.0.1');
      assert.deepEqual(refusal(refused), [429, 3041]);
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.equal((await ask('10.0.0.2')).status, 200);
      clock.advance(1_000);
      assert.equal((await ask('10.0.0.1')).status, 200);
    });

    test('a body that is none', async () => {
      const { server } = shared;
      const ask = (body: unknown) =>
        server.call('POST', '/user/password_resets', { token: null, body });
      assert.deepEqual(refusal(await ask({})), [400, 3001]);
      assert.deepEqual(refusal(await ask({ email: 'x'.repeat(321) })), [400, 3001]);
      assert.deepEqual(refusal(await ask({ email: 'a@b', x: 1 })), [400, 3002]);
      const other = await server.call('GET', '/user/password_resets');
      assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST, PUT']);
    });
  });
});
