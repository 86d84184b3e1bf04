import assert from 'node:assert/strict';
import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Secret, TOTP, URI } from 'otpauth';
import { findTotpStep } from '../../src/iam/second-factor/totp.ts';
import {
  STEP_MS,
  callAs,
  codeAt,
  enrol,
  signInHalfway,
  wrongCodeAt,
} from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, createDataDir } from '../support/server.ts';

const MINUTE_MS = 60_000;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let dataDir: string;
  before(async () => {
    dataDir = await createDataDir();
    server = await bootServer(database, { clock, dataDir });
  });
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call = (session: SessionHeaders, method: string, path_: string, body?: unknown) =>
    callAs(server, session, method, path_, body);

  async function person() {
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    return { userId, email, session: await signInAs(server, userId, clock) };
  }

  const enrolled = () => enrol(server, clock);

  /** What an authenticator app shows, some steps off the server's clock. */
  const codeOf = (secret: string, stepsOff = 0) => codeAt(secret, clock.now() + stepsOff * STEP_MS);

  const wrongCode = (secret: string) => wrongCodeAt(secret, clock.now());

  test('an app is set up: begin, confirm, and the codes are shown once', async () => {
    const { userId, email, session } = await person();
    const before_ = await call(session, 'GET', '/user/totp');
    assert.deepEqual(before_.json.result, { enabled: false, recovery_codes_left: 0 });

    const begun = await call(session, 'POST', '/user/totp');
    assert.equal(begun.status, 200, begun.text);
    const { secret, provisioning_uri: uri } = begun.json.result;
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const parsed = URI.parse(uri);
    assert.ok(parsed instanceof TOTP);
    const { issuer, label, algorithm, digits, period } = parsed;
    assert.deepEqual(
      { issuer, label, algorithm, digits, period, secret: parsed.secret.base32 },
      { issuer: 'latchkey', label: email, algorithm: 'SHA1', digits: 6, period: 30, secret },
    );
    // Until it is confirmed it is no factor.
    assert.equal((await call(session, 'GET', '/user/totp')).json.result.enabled, false);

    const confirmed = await call(session, 'PUT', '/user/totp', { code: codeOf(secret) });
    assert.equal(confirmed.status, 200, confirmed.text);
    const codes: string[] = confirmed.json.result.recovery_codes;
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) {
      assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    }
    const after_ = await call(session, 'GET', '/user/totp');
    assert.deepEqual(after_.json.result, {
      enabled: true,
      created_on: new Date(clock.now()).toISOString(),
      recovery_codes_left: 10,
    });
    assert.deepEqual(await auditOf(userId), ['begin totp_factor', 'create totp_factor']);
    clock.advance(STEP_MS);
  });

  test('RFC 6238: the codes of its test vectors, and no others', async () => {
    // Appendix B, for SHA-1; of the eight digits, an app that shows six shows the last ones.
    const secret = Secret.fromUTF8('12345678901234567890').base32;
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const) {
      const step = Math.floor(seconds / 30);
      assert.equal(findTotpStep(secret, code, seconds * 1_000, -1), step, code);
      assert.equal(findTotpStep(secret, code, seconds * 1_000, step), undefined);
      assert.equal(findTotpStep(secret, code, (step + 1) * STEP_MS, -1), step);
      assert.equal(findTotpStep(secret, code, (step + 2) * STEP_MS - 1, -1), step);
      assert.equal(findTotpStep(secret, code, (step + 2) * STEP_MS, -1), undefined);
      assert.equal(findTotpStep(secret, code, (step - 1) * STEP_MS, -1), step);
      assert.equal(findTotpStep(secret, code, (step - 1) * STEP_MS - 1, -1), undefined);
      // A clock that goes back by a minute or two does not make it good again.
      assert.equal(findTotpStep(secret, code, seconds * 1_000, step + 4), undefined);
    }
    for (const code of ['', '28708', '2870820', '28708a', ' 287082', '２８７０８２']) {
      assert.equal(findTotpStep(secret, code, 59_000, -1), undefined, code);
    }
  });

  test('3062 for a wrong code, 3061 with nothing begun, 3060 when there is one', async () => {
    const { session } = await person();
    const early = await call(session, 'PUT', '/user/totp', { code: '123456' });
    assert.deepEqual([early.status, early.code], [400, 3061]);
    const { secret } = (await call(session, 'POST', '/user/totp')).json.result;
    const wrong = await call(session, 'PUT', '/user/totp', { code: wrongCode(secret) });
    assert.deepEqual([wrong.status, wrong.code], [400, 3062]);
    for (const code of ['12345', '1234567', 123456, null]) {
      assert.equal((await call(session, 'PUT', '/user/totp', { code })).code, 3001);
    }
    // To begin again ends what was begun before.
    const { secret: later } = (await call(session, 'POST', '/user/totp')).json.result;
    assert.equal((await call(session, 'PUT', '/user/totp', { code: codeOf(secret) })).code, 3062);
    assert.equal((await call(session, 'PUT', '/user/totp', { code: codeOf(later) })).status, 200);
    const again = await call(session, 'POST', '/user/totp');
    assert.deepEqual([again.status, again.code], [400, 3060]);
    const twice = await call(session, 'PUT', '/user/totp', { code: codeOf(later, 1) });
    assert.deepEqual([twice.status, twice.code], [400, 3061]);
  });

  test('what was begun is worth nothing after an hour', async () => {
    for (const [ageMs, code] of [
      [3_600_000 - 1, undefined],
      [3_600_000, 3061],
    ] as const) {
      const { userId, session } = await person();
      const { secret } = (await call(session, 'POST', '/user/totp')).json.result;
      clock.advance(ageMs);
      const later = await signInAs(server, userId, clock);
      const answer = await call(later, 'PUT', '/user/totp', { code: codeOf(secret) });
      assert.equal(answer.code, code, answer.text);
    }
  });

  test('guesses at what somebody has begun are limited: 429 3041', async () => {
    const { session } = await person();
    const { secret } = (await call(session, 'POST', '/user/totp')).json.result;
    const answers: Answer[] = [];
    for (let i = 0; i < 7; i++) {
      answers.push(await call(session, 'PUT', '/user/totp', { code: wrongCode(secret) }));
    }
    assert.equal(answers[0]?.code, 3062);
    assert.deepEqual([answers.at(-1)?.status, answers.at(-1)?.code], [429, 3041]);
    const right = await call(session, 'PUT', '/user/totp', { code: codeOf(secret) });
    assert.equal(right.code, 3041);
    clock.advance(MINUTE_MS);
    const later = await call(session, 'PUT', '/user/totp', { code: codeOf(secret) });
    assert.equal(later.status, 200, later.text);
  });

  test('to change factors, a person has proved who they are a while ago at most: 3045', async () => {
    const { userId } = await enrolled();
    const other = await person();
    for (const [ageMs, code] of [
      [15 * MINUTE_MS - 1, undefined],
      [15 * MINUTE_MS, 3045],
    ] as const) {
      const session = await signInAs(server, userId, clock);
      const without = await signInAs(server, other.userId, clock);
      clock.advance(ageMs);
      for (const [who, method, path_] of [
        [without, 'POST', '/user/totp'],
        [session, 'POST', '/user/recovery_codes'],
        [session, 'DELETE', '/user/totp'],
      ] as const) {
        const answer = await call(who, method, path_);
        assert.equal(answer.code, code, `${method} ${path_} ${answer.text}`);
        if (code !== undefined) assert.equal(answer.status, 403);
      }
      // For the next round.
      if (code === undefined) {
        const { secret } = (await call(await signInAs(server, userId, clock), 'POST', '/user/totp'))
          .json.result;
        await call(session, 'PUT', '/user/totp', { code: codeOf(secret) });
      }
    }
  });

  test('no token may touch factors, and nobody without a session', async () => {
    for (const [method, path_] of [
      ['GET', '/user/totp'],
      ['POST', '/user/totp'],
      ['PUT', '/user/totp'],
      ['DELETE', '/user/totp'],
      ['POST', '/user/recovery_codes'],
    ] as const) {
      const body = method === 'PUT' ? { body: { code: '123456' } } : {};
      assert.equal((await server.call(method, path_, { ...body })).status, 403, path_);
      assert.equal((await server.call(method, path_, { ...body, token: null })).status, 401);
      const { session } = await person();
      const headers = { cookie: session.cookie };
      assert.equal(
        (await server.call(method, path_, { ...body, token: null, headers })).status,
        403,
      );
    }
  });

  test('the app is removed with its codes; 404 when there is none', async () => {
    const { userId, session } = await enrolled();
    const removed = await call(session, 'DELETE', '/user/totp');
    assert.deepEqual([removed.status, removed.json.result], [200, { id: userId }]);
    const left = await call(session, 'GET', '/user/totp');
    assert.deepEqual(left.json.result, { enabled: false, recovery_codes_left: 0 });
    const again = await call(session, 'DELETE', '/user/totp');
    assert.deepEqual([again.status, again.code], [404, 7003]);
    // What is only begun is no factor either.
    await call(session, 'POST', '/user/totp');
    assert.equal((await call(session, 'DELETE', '/user/totp')).status, 404);
    assert.deepEqual((await auditOf(userId)).slice(0, 3), [
      'begin totp_factor',
      'create totp_factor',
      'delete totp_factor',
    ]);
  });

  test('new recovery codes replace the old ones; 3063 without a factor', async () => {
    const { session } = await person();
    const without = await call(session, 'POST', '/user/recovery_codes');
    assert.deepEqual([without.status, without.code], [400, 3063]);
    const who = await enrolled();
    const made = await call(who.session, 'POST', '/user/recovery_codes');
    const codes: string[] = made.json.result.recovery_codes;
    assert.equal(codes.length, 10);
    assert.equal(
      codes.some((code) => who.recoveryCodes.includes(code)),
      false,
    );
    const { recovery_codes_left: left } = (await call(who.session, 'GET', '/user/totp')).json
      .result;
    assert.equal(left, 10);
  });

  test('an account that demands two factors grants what it does as soon as there is one', async () => {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const session = await signInAs(server, userId, clock);
    const setDemand = (flag: 0 | 1) =>
      server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('accounts')
          .set({ enforce_twofactor: flag })
          .where('id', '=', server.accountId)
          .execute();
      });
    await setDemand(1);
    try {
      const status = async () => (await call(session, 'GET', `${server.account}/tokens`)).status;
      assert.equal(await status(), 403);
      const { secret } = (await call(session, 'POST', '/user/totp')).json.result;
      await call(session, 'PUT', '/user/totp', { code: codeOf(secret) });
      assert.equal(await status(), 200);
      await call(session, 'DELETE', '/user/totp');
      assert.equal(await status(), 403);
    } finally {
      await setDemand(0);
    }
  });

  test('the first factor ends all sessions that began without it, and a later one none', async () => {
    const { userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['administrator'],
    });
    const thief = await signInAs(server, userId, clock);
    const owner = await signInAs(server, userId, clock);
    const half = await signInHalfway(server, userId, clock);
    const bystander = await enrolled();
    const setDemand = (flag: 0 | 1) =>
      server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('accounts')
          .set({ enforce_twofactor: flag })
          .where('id', '=', server.accountId)
          .execute();
      });
    await setDemand(1);
    try {
      const status = async (session: SessionHeaders) =>
        (await call(session, 'GET', `${server.account}/tokens`)).status;
      assert.deepEqual([await status(thief), await status(owner)], [403, 403]);
      const { secret } = (await call(owner, 'POST', '/user/totp')).json.result;
      // A wrong code adds nothing, so it ends nothing.
      await call(owner, 'PUT', '/user/totp', { code: wrongCode(secret) });
      assert.deepEqual([await status(thief), await status(owner)], [403, 403]);
      const confirmed = await call(owner, 'PUT', '/user/totp', { code: codeOf(secret) });
      assert.equal(confirmed.status, 200, confirmed.text);
      assert.deepEqual([await status(thief), await status(owner)], [401, 200]);
      const shown = await call(half, 'POST', '/user/sessions/current/second_factor', {
        totp_code: codeOf(secret, 1),
      });
      assert.equal(shown.status, 401);
      assert.equal((await call(bystander.session, 'GET', '/user/totp')).status, 200);
    } finally {
      await setDemand(0);
    }
  });

  test('of two sessions that add the first factor at once, one does', async () => {
    const { userId, session: one } = await person();
    const other = await signInAs(server, userId, clock);
    const { secret } = (await call(one, 'POST', '/user/totp')).json.result;
    const answers = await Promise.all(
      [one, other].map((session) => call(session, 'PUT', '/user/totp', { code: codeOf(secret) })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.equal(statuses[0], 200, String(statuses));
    assert.equal(statuses[1], 401, String(statuses));
  });

  test('at rest and in the log there is nothing of the secret and of the codes', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const raw = Buffer.from(Secret.fromBase32(secret).bytes);
    const parts = [
      secret,
      raw.toString('hex'),
      raw.toString('base64').slice(0, 20),
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ];
    const { read } = server.app.database;
    const rows = JSON.stringify([
      await read.selectFrom('totp_factors').selectAll().execute(),
      await read.selectFrom('recovery_codes').selectAll().execute(),
      await read.selectFrom('audit_logs').selectAll().execute(),
    ]);
    const texts = [rows, server.logLines.join('')];
    if (database === 'sqlite') {
      for (const name of await readdir(dataDir)) {
        texts.push((await readFile(path.join(dataDir, name))).toString('latin1'));
      }
      assert.ok(texts.length > 2);
    }
    for (const part of parts) {
      assert.equal(
        texts.some((text) => text.includes(part)),
        false,
        part,
      );
    }
    assert.equal(
      texts.some((text) => text.includes(raw.toString('latin1'))),
      false,
    );
  });

  /** What happened to a person, oldest first. */
  async function auditOf(userId: string): Promise<string[]> {
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select(['action_type', 'resource_type'])
      .where('chain_id', '=', userId)
      .orderBy('seq')
      .execute();
    return rows.map((row) => `${row.action_type} ${row.resource_type}`);
  }
});
