import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  STEP_MS,
  callAs,
  codeAt,
  enrol,
  sessionOf,
  signInHalfway,
  wrongCodeAt,
} from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const PATH = '/user/sessions/current/second_factor';
const MINUTE_MS = 60_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const show = (session: SessionHeaders, body: unknown): Promise<Answer> =>
    callAs(server, session, 'POST', PATH, body);

  async function auditOf(userId: string) {
    return server.app.database.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('chain_id', '=', userId)
      .orderBy('seq')
      .execute();
  }

  test('the code of the app completes the sign-in, with new cookies', async () => {
    const { userId, secret } = await enrol(server, clock);
    const pending = await signInHalfway(server, userId, clock);
    assert.equal((await callAs(server, pending, 'GET', '/user/totp')).status, 401);
    const answer = await show(pending, { totp_code: codeAt(secret, clock.now()) });
    assert.equal(answer.status, 200, answer.text);
    const session = sessionOf(answer);
    assert.deepEqual(answer.json.result, {
      status: 'complete',
      second_factors: [],
      csrf_token: session['x-csrf-token'],
    });
    assert.notEqual(session.cookie, pending.cookie);
    assert.equal((await callAs(server, session, 'GET', '/user/totp')).status, 200);
    // The half-way session is over.
    assert.equal((await callAs(server, pending, 'GET', '/user/totp')).status, 401);
    const again = await show(pending, { totp_code: codeAt(secret, clock.now() + STEP_MS) });
    assert.deepEqual([again.status, again.code], [401, 10_000]);
    const row = (await auditOf(userId)).at(-1);
    assert.deepEqual(
      [row?.action_type, row?.action_result, row?.actor_id, row?.resource_request],
      ['sign_in', 'success', userId, '{"methods":["password","totp"]}'],
    );
  });

  test('a code works once, and so does each that came before it', async () => {
    const { userId, secret } = await enrol(server, clock);
    const sign = async (offsetSteps: number) => {
      const pending = await signInHalfway(server, userId, clock);
      const answer = await show(pending, {
        totp_code: codeAt(secret, clock.now() + offsetSteps * STEP_MS),
      });
      return answer.code ?? answer.status;
    };
    clock.advance(2 * STEP_MS);
    assert.equal(await sign(-1), 200);
    assert.equal(await sign(-1), 3064);
    assert.equal(await sign(1), 200);
    // Of this step, which nobody has used, but a later one was.
    assert.equal(await sign(0), 3064);
    assert.equal(await sign(1), 3064);
    clock.advance(STEP_MS);
    assert.equal(await sign(0), 3064);
    assert.equal(await sign(1), 200);
  });

  test('the code that confirmed the app does not sign in', async () => {
    const { userId, secret } = await enrol(server, clock);
    const pending = await signInHalfway(server, userId, clock);
    const answer = await show(pending, { totp_code: codeAt(secret, clock.now() - STEP_MS) });
    assert.deepEqual([answer.status, answer.code], [401, 3064]);
  });

  test('clocks may be one step off, not two', async () => {
    for (const [stepsOff, status] of [
      [-2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, 401],
    ] as const) {
      const { userId, secret } = await enrol(server, clock);
      clock.advance(3 * STEP_MS);
      const pending = await signInHalfway(server, userId, clock);
      const totp_code = codeAt(secret, clock.now() + stepsOff * STEP_MS);
      assert.equal((await show(pending, { totp_code })).status, status, String(stepsOff));
    }
  });

  test('one code shown many times at once completes one sign-in', async () => {
    const { userId, secret } = await enrol(server, clock);
    const totp_code = codeAt(secret, clock.now());
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => signInHalfway(server, userId, clock)),
    );
    const answers = await Promise.all(sessions.map((session) => show(session, { totp_code })));
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 401, 401, 401],
    );
  });

  test('a recovery code completes a sign-in once, however it is typed', async () => {
    const { userId, session, recoveryCodes } = await enrol(server, clock);
    const typed = [
      (code: string) => code,
      (code: string) => code.toUpperCase(),
      (code: string) => code.replaceAll('-', ''),
      (code: string) => ` ${code.replaceAll('-', ' ')} `,
      (code: string) => code.replaceAll('-', '–').replaceAll('0', 'O').replaceAll('1', 'l'),
    ];
    for (const [i, type] of typed.entries()) {
      const recovery_code = type(recoveryCodes[i] ?? '');
      const answer = await show(await signInHalfway(server, userId, clock), { recovery_code });
      assert.equal(answer.status, 200, `${recovery_code} ${answer.text}`);
      const again = await show(await signInHalfway(server, userId, clock), { recovery_code });
      assert.deepEqual([again.status, again.code], [401, 3064]);
    }
    const left = await callAs(server, session, 'GET', '/user/totp');
    assert.equal(left.json.result.recovery_codes_left, 5);
    const rows = await auditOf(userId);
    const methods = rows
      .filter((row) => row.action_type === 'sign_in' && row.action_result === 'success')
      .map((row) => row.resource_request);
    assert.deepEqual(methods, Array(5).fill('{"methods":["password","recovery_code"]}'));
  });

  test('one recovery code shown many times at once completes one sign-in', async () => {
    const { userId, recoveryCodes } = await enrol(server, clock);
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => signInHalfway(server, userId, clock)),
    );
    const body = { recovery_code: recoveryCodes[0] };
    const answers = await Promise.all(sessions.map((session) => show(session, body)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 401, 401, 401],
    );
  });

  test("another person's codes, and codes from before, are wrong", async () => {
    const one = await enrol(server, clock);
    const other = await enrol(server, clock);
    const totp_code = codeAt(one.secret, clock.now());
    const bodies = [{ totp_code }, { recovery_code: one.recoveryCodes[0] }];
    for (const body of bodies) {
      const answer = await show(await signInHalfway(server, other.userId, clock), body);
      assert.equal(answer.code, 3064, answer.text);
    }
    await callAs(server, one.session, 'POST', '/user/recovery_codes');
    const pending = await signInHalfway(server, one.userId, clock);
    assert.equal((await show(pending, { recovery_code: one.recoveryCodes[1] })).code, 3064);
    assert.equal((await show(pending, { recovery_code: '?' })).code, 3064);
    assert.equal((await show(pending, { totp_code })).status, 200);
  });

  test('what is wrong is a fault of the body: 3001 and 3002', async () => {
    const { userId } = await enrol(server, clock);
    const pending = await signInHalfway(server, userId, clock);
    for (const body of [
      {},
      { totp_code: '12345' },
      { totp_code: 'abcdef' },
      { totp_code: 123456 },
      { recovery_code: '' },
      { recovery_code: 'x'.repeat(65) },
      { totp_code: '123456', recovery_code: 'x' },
      { totp_code: '123456', trust: true },
    ]) {
      const answer = await show(pending, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok([3001, 3002].includes(answer.code ?? 0), answer.text);
    }
    assert.equal((await show(pending, '{')).code, 6007);
  });

  test('only an incomplete session can be completed, by a page of ours: 401 and 403', async () => {
    const { userId, secret } = await enrol(server, clock);
    const body = { totp_code: codeAt(secret, clock.now()) };
    const pending = await signInHalfway(server, userId, clock);
    for (const headers of [{}, { cookie: 'latchkey_session=lkss_x', 'x-csrf-token': 'x' }]) {
      const answer = await server.call('POST', PATH, { token: null, headers, body });
      assert.ok([401, 403].includes(answer.status), answer.text);
    }
    for (const headers of [
      { cookie: pending.cookie },
      { cookie: pending.cookie, 'x-csrf-token': 'wrong' },
      { ...pending, 'x-csrf-token': (await signInAs(server, userId, clock))['x-csrf-token'] },
    ]) {
      const answer = await server.call('POST', PATH, { token: null, headers, body });
      assert.deepEqual([answer.status, answer.code], [403, 10_000]);
    }
    const complete = await signInAs(server, userId, clock);
    assert.equal((await show(complete, body)).status, 401);
    assert.equal((await show(pending, body)).status, 200);
  });

  test('an incomplete session lasts ten minutes', async () => {
    for (const [ageMs, status] of [
      [10 * MINUTE_MS - 1, 200],
      [10 * MINUTE_MS, 401],
    ] as const) {
      const { userId, secret } = await enrol(server, clock);
      const pending = await signInHalfway(server, userId, clock);
      clock.advance(ageMs);
      const answer = await show(pending, { totp_code: codeAt(secret, clock.now()) });
      assert.equal(answer.status, status);
    }
  });

  test('the fifth wrong code on one session ends it', async () => {
    const { userId, secret } = await enrol(server, clock);
    for (const wrongCodes of [4, 5]) {
      const pending = await signInHalfway(server, userId, clock);
      for (let i = 0; i < wrongCodes; i++) {
        const answer = await show(pending, { totp_code: wrongCodeAt(secret, clock.now()) });
        assert.deepEqual([answer.status, answer.code], [401, 3064], answer.text);
        // Past what the limits of the address ask to wait, and not past the end of the session.
        clock.advance(20_000);
      }
      const answer = await show(pending, { totp_code: codeAt(secret, clock.now()) });
      assert.deepEqual(
        [answer.status, answer.code],
        wrongCodes < 5 ? [200, undefined] : [401, 10_000],
      );
      clock.advance(60 * MINUTE_MS);
    }
    const failures = (await auditOf(userId)).filter((row) => row.action_result === 'failure');
    assert.deepEqual(
      failures.map((row) => `${row.action_type}: ${row.action_description}`),
      Array(9).fill('sign_in: Entered a wrong code'),
    );
    assert.equal(failures[0]?.actor_id, null);
  });

  test('guesses over many sessions are limited, and nobody is locked out for ever: 3041', async () => {
    clock.advance(60 * MINUTE_MS);
    const { userId, secret } = await enrol(server, clock);
    let refused: Answer | undefined;
    let guesses = 0;
    while (refused === undefined && guesses < 20) {
      const pending = await signInHalfway(server, userId, clock);
      const answer = await show(pending, { totp_code: wrongCodeAt(secret, clock.now()) });
      if (answer.status === 429) refused = answer;
      else guesses++;
    }
    assert.ok(guesses >= 5 && guesses <= 10, String(guesses));
    assert.equal(refused?.code, 3041);
    const waitMs = Number(refused?.headers.get('retry-after')) * 1_000;
    assert.ok(waitMs > 0 && waitMs <= 15 * MINUTE_MS);
    const early = await signInHalfway(server, userId, clock);
    const totp_code = () => codeAt(secret, clock.now());
    assert.equal((await show(early, { totp_code: totp_code() })).code, 3041);
    clock.advance(waitMs);
    const later = await signInHalfway(server, userId, clock);
    assert.equal((await show(later, { totp_code: totp_code() })).status, 200);
  });

  test('whoever has no second factor has nothing to show', async () => {
    const { userId } = await createPerson(server);
    const pending = await signInHalfway(server, userId, clock);
    for (const body of [{ totp_code: '123456' }, { recovery_code: '7k2m-9xqa-04tz-hw3c' }]) {
      assert.equal((await show(pending, body)).code, 3064);
    }
  });

  const fullWidth = (digits: string): string =>
    digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(digit.charCodeAt(0) + 0xfee0));

  for (const [name, typed] of Object.entries<(code: string) => string>({
    'two groups': (code) => `${code.slice(0, 3)} ${code.slice(3)} `,
    'two groups with a hyphen': (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
    'full-width digits': fullWidth,
  }))
    test(`on the page, the code can have ${name}`, async () => {
      const { userId, secret } = await enrol(server, clock);
      const pending = await signInHalfway(server, userId, clock);
      const code = codeAt(secret, clock.now());
      const form = {
        form_token: pending['x-csrf-token'],
        code: typed(code),
      };
      const answer = await request('POST', `${server.origin}/login/second-factor`, {
        headers: {
          cookie: pending.cookie,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(form).toString(),
      });
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/'], answer.text);
    });
});
