import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { argon2Sync, randomBytes } from 'node:crypto';
import { HASHING_COST } from '../../src/iam/users/password.ts';
import { isWellFormedSecret } from '../../src/lib/secrets.ts';
import { Visitor, setCookies } from '../support/visitor.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const DAY_SECONDS = 86_400;

/** What an answer shows apart from what differs in every one. */
function shown(answer: Answer) {
  const headers = Object.fromEntries(answer.headers);
  delete headers['x-request-id'];
  delete headers.date;
  return { status: answer.status, text: answer.text, headers };
}

async function auditOf(server: TestServer, userId: string) {
  return server.app.database.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('chain_id', '=', userId)
    .orderBy('seq')
    .execute();
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  test('email address and password begin a session', async () => {
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    const answer = await visitor.signIn(email.toUpperCase(), PASSWORD);
    assert.equal(answer.status, 200, answer.text);
    const { status, second_factors, csrf_token } = answer.json.result;
    assert.deepEqual([status, second_factors], ['complete', []]);
    assert.equal(csrf_token, visitor.cookie('latchkey_csrf'));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.ok(!answer.text.includes(visitor.cookie('latchkey_session') ?? '-'));
    const current = await visitor.call('GET', '/user/sessions/current');
    assert.equal(current.status, 200, current.text);
    assert.deepEqual(current.json.result.methods, ['password']);
    assert.equal(current.json.result.ip, '127.0.0.1');
    const [row] = await auditOf(server, userId);
    assert.deepEqual(
      [row?.action_type, row?.action_result, row?.actor_id, row?.actor_email, row?.request_uri],
      ['sign_in', 'success', userId, email, '/client/v4/user/sessions'],
    );
  });

  test('a password is the same however its characters are composed', async () => {
    const { email } = await createPerson(server, { password: 'Caf\u00e9 au lait \u00e0 midi' });
    const answer = await new Visitor(server).signIn(email, 'Cafe\u0301 au lait a\u0300 midi');
    assert.equal(answer.status, 200, answer.text);
  });

  test('the cookies: over http', async () => {
    const { email } = await createPerson(server, { password: PASSWORD });
    const cookies = setCookies(await new Visitor(server).signIn(email, PASSWORD));
    assert.deepEqual(
      cookies.map(({ name, attributes }) => [name, Object.fromEntries(attributes)]),
      [
        ['latchkey_session', attributesOf(30, true)],
        ['latchkey_csrf', attributesOf(30, false)],
        ['latchkey_device', attributesOf(365, true)],
      ],
    );
    const [session, , device] = cookies;
    assert.ok(isWellFormedSecret(session?.value ?? '', 'lkss_'));
    assert.ok(isWellFormedSecret(device?.value ?? '', 'lkdv_'));
  });

  test('the cookies: over https they are bound to the host', async (t) => {
    const server = await bootServer(database, {
      settings: { BASE_URL: 'https://id.example.com/client/v4' },
    });
    t.after(() => server.stop());
    const { email } = await createPerson(server, { password: PASSWORD });
    // The address is behind a proxy that is not there: ask the listener.
    const here = { ...server, baseUrl: `${server.origin}/client/v4` };
    const cookies = setCookies(await new Visitor(here).signIn(email, PASSWORD));
    assert.deepEqual(
      cookies.map(({ name, attributes }) => [name, Object.fromEntries(attributes)]),
      [
        ['__Host-latchkey_session', { ...attributesOf(30, true), secure: '' }],
        ['__Host-latchkey_csrf', { ...attributesOf(30, false), secure: '' }],
        ['__Host-latchkey_device', { ...attributesOf(365, true), secure: '' }],
      ],
    );
  });

  test('what a visitor brought along is worth nothing afterwards', async () => {
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const planted = await signInAs(server, userId);
    const visitor = new Visitor(server);
    const before = planted.cookie.split('=')[1] ?? '';
    visitor.cookies.set('latchkey_session', before);
    assert.equal((await visitor.signIn(email, PASSWORD)).status, 200);
    assert.notEqual(visitor.cookie('latchkey_session'), before);
    const old = await server.call('GET', '/user/sessions', { token: null, headers: planted });
    assert.deepEqual([old.status, old.code], [401, 10_000]);
  });

  test('whoever is wrong learns nothing: unknown, without a password, wrong password', async () => {
    const known = await createPerson(server, { password: PASSWORD });
    const without = await createPerson(server);
    const answers: Answer[] = [];
    const attempts = [
      [known.email, 'not the right one'],
      [without.email, PASSWORD],
      ['nobody@example.com', PASSWORD],
      ['', ''],
    ] as const;
    for (const [email, password] of attempts) {
      answers.push(await new Visitor(server).signIn(email, password));
    }
    const [first] = answers;
    assert.ok(first);
    assert.deepEqual([first.status, first.code], [401, 3040]);
    assert.equal(first.json.errors[0].message, 'Wrong email address or password');
    for (const answer of answers) assert.deepEqual(shown(answer), shown(first));
    assert.equal(first.headers.getSetCookie().length, 0);
  });

  test('the wrong attempt stands in the log of the person', async () => {
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    await new Visitor(server).signIn(email, 'not the right one');
    await eventually('it is noted', async () => (await auditOf(server, userId)).length === 1);
    const [row] = await auditOf(server, userId);
    assert.deepEqual(
      [row?.action_type, row?.action_result, row?.actor_id, row?.actor_ip_address],
      ['sign_in', 'failure', null, '127.0.0.1'],
    );
    assert.equal(row?.request_status_code, 401);
  });

  test('a body that is none', async () => {
    const post = (body: unknown) => server.call('POST', '/user/sessions', { token: null, body });
    for (const body of [{}, { email: 'a@b' }, { email: 1, password: PASSWORD }]) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.code], [400, 3001], JSON.stringify(body));
    }
    const long = { email: 'a@b', password: 'x'.repeat(1_025) };
    assert.equal((await post(long)).code, 3001);
    const more = await post({ email: 'a@b', password: PASSWORD, remember: true });
    assert.deepEqual([more.status, more.code], [400, 3002]);
    const form = await server.call('POST', '/user/sessions', {
      token: null,
      body: 'email=a@b&password=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([form.status, form.code], [415, 7004]);
  });

  test('a hash of former parameters is renewed when its password was right', async (t) => {
    const server = await bootServer(database, { hashingCost: HASHING_COST });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server);
    const old = formerHash(PASSWORD);
    const stored = async () => {
      const { read } = server.app.database;
      const rows = read.selectFrom('users').select('password_hash').where('id', '=', userId);
      return (await rows.executeTakeFirstOrThrow()).password_hash ?? '';
    };
    await server.app.database.transaction(async (tx) => {
      await tx.updateTable('users').set({ password_hash: old }).where('id', '=', userId).execute();
    });
    assert.equal((await new Visitor(server).signIn(email, 'not the right one')).code, 3040);
    assert.equal(await stored(), old);
    assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 200);
    const renewed = await stored();
    assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 200);
    assert.equal(await stored(), renewed);
  });

  test('a second factor is asked for, and until then the session allows nothing', async () => {
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    await server.app.database.transaction(async (tx) => {
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
      await tx.insertInto('recovery_codes').values({ user_id: userId, digest: 'x' }).execute();
    });
    const visitor = new Visitor(server);
    const answer = await visitor.signIn(email, PASSWORD);
    assert.deepEqual(answer.json.result.status, 'second_factor_required');
    assert.deepEqual(answer.json.result.second_factors, ['totp', 'recovery_code']);
    const cookies = setCookies(answer);
    assert.deepEqual(
      cookies.map(({ name, attributes }) => [name, attributes.get('max-age')]),
      [
        ['latchkey_session', '600'],
        ['latchkey_csrf', '600'],
      ],
    );
    const refused = await visitor.call('GET', '/user/sessions');
    assert.deepEqual([refused.status, refused.code], [401, 10_000]);
    const types = (await auditOf(server, userId)).map((row) => row.action_type);
    assert.deepEqual(types, ['first_factor']);
  });

  test('nothing secret reaches the log or the audit log', async (t) => {
    const server = await bootServer(database, { settings: { LOG_LEVEL: 'trace' } });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const visitor = new Visitor(server);
    await visitor.signIn(email, 'a wrong password to hide');
    await visitor.signIn(email, PASSWORD);
    const secrets = [...visitor.cookies.values()];
    assert.equal(secrets.length, 3);
    await visitor.call('PUT', '/user/password', {
      current_password: PASSWORD,
      new_password: 'a new password to hide',
    });
    secrets.push(...visitor.cookies.values());
    await visitor.call('DELETE', '/user/sessions/current');
    await eventually('all is noted', async () => (await auditOf(server, userId)).length === 4);
    const written = server.logLines.join('') + JSON.stringify(await auditOf(server, userId));
    for (const secret of [...secrets, PASSWORD, 'password to hide']) {
      assert.ok(!written.includes(secret), secret);
    }
  });
});

describe('limits on the size of what is kept', () => {
  test('a person has at most 50 known browsers, and none that was not used for a year', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer('sqlite', { clock });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const { database: db } = server.app;
    await db.transaction(async (tx) => {
      for (let i = 1; i <= 50; i++) {
        const row = { user_id: userId, digest: `d${i}`, last_used_at: clock.now() - i };
        await tx.insertInto('known_devices').values(row).execute();
      }
    });
    const digests = async () => {
      const rows = await db.read.selectFrom('known_devices').select('digest').execute();
      return rows.map(({ digest }) => digest);
    };
    await new Visitor(server).signIn(email, PASSWORD);
    assert.equal((await digests()).length, 50);
    assert.ok(!(await digests()).includes('d50') && (await digests()).includes('d49'));
    clock.advance(365 * DAY_SECONDS * 1_000);
    await new Visitor(server).signIn(email, PASSWORD);
    assert.equal((await digests()).length, 1);
  });

  test('of a person with 51 sessions, the oldest ends', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer('sqlite', { clock });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server, { password: PASSWORD });
    const oldest = await signInAs(server, userId, clock);
    clock.advance(1);
    const others = [];
    for (let i = 0; i < 49; i++) others.push(await signInAs(server, userId, clock));
    clock.advance(1);
    const list = async (headers: Record<string, string>) =>
      server.call('GET', '/user/sessions', { token: null, headers });
    assert.equal((await list(oldest)).json.result.length, 50);
    assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 200);
    assert.equal((await list(oldest)).status, 401);
    assert.equal((await list(others[0] ?? oldest)).json.result.length, 50);
  });
});

function attributesOf(days: number, isHttpOnly: boolean): Record<string, string> {
  return {
    'max-age': String(days * DAY_SECONDS),
    path: '/',
    ...(isHttpOnly ? { httponly: '' } : {}),
    samesite: 'Lax',
  };
}

function formerHash(password: string): string {
  const salt = randomBytes(16);
  const parameters = { message: password, nonce: salt, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { ...parameters, memory: 8_192, passes: 1 });
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=8192,t=1,p=1$${text(salt)}$${text(tag)}`;
}
