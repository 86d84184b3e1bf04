import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { lockOutUser, readmitUser } from '../../src/iam/users/lock-out.ts';
import { callAs, enrol, sessionOf, signInHalfway } from '../support/authenticator-app.ts';
import {
  type StoredCredential,
  type VirtualAuthenticator,
  addAuthenticator,
  getCredential,
  launchBrowser,
  openPage,
} from '../support/chromium.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { auditOf as auditRowsOf, registerPasskey } from '../support/passkeys.ts';
import { type SessionHeaders, createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

const MINUTE_MS = 60_000;
const PATH = '/user/sessions/passkey';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  let page: Page;
  let authenticator: VirtualAuthenticator;
  before(async () => {
    server = await bootServer(database, { clock, settings: { HOST: 'localhost' } });
    page = await openPage(browser, `${server.origin}/healthz`);
    authenticator = await addAuthenticator(page);
  });
  beforeEach(() => authenticator.clear());
  after(() => server.stop());

  /** A new person with a passkey, which is the only one that the authenticator has. */
  async function person(): Promise<{ userId: string; session: SessionHeaders; id: string }> {
    const { userId } = await createPerson(server, { accountId: server.accountId });
    return { userId, ...(await register(userId)) };
  }

  const register = (userId: string) =>
    registerPasskey({ server, clock, page, authenticator }, userId);

  async function begin(): Promise<Json> {
    const begun = await server.call('POST', '/user/sessions/passkey_options', { token: null });
    assert.equal(begun.status, 200, begun.text);
    return begun.json.result;
  }

  async function answerOf(): Promise<{ state: string; response: Json }> {
    const { state, options } = await begin();
    return { state, response: await getCredential(page, options) };
  }

  const finish = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call('POST', PATH, { token: null, headers, body });

  const withUserHandle = (response: Json, userHandle: string | null | undefined): Json => ({
    ...response,
    response: { ...response.response, userHandle },
  });

  const auditOf = (userId: string) => auditRowsOf(server, userId);

  test('a passkey signs in by itself, and counts as both factors', async () => {
    const { userId, session: first } = await person();
    const { state, options } = await begin();
    assert.deepEqual(options.allowCredentials, []);
    assert.deepEqual([options.rpId, options.userVerification], ['localhost', 'required']);
    const response = await getCredential(page, options);
    clock.advance(1_000);
    const answer = await finish({ state, response });
    assert.equal(answer.status, 200, answer.text);
    const session = sessionOf(answer);
    assert.deepEqual(answer.json.result, {
      status: 'complete',
      second_factors: [],
      csrf_token: session['x-csrf-token'],
    });
    const list = await callAs(server, session, 'GET', '/user/passkeys');
    assert.equal(list.json.result[0].last_used_on, new Date(clock.now()).toISOString());
    assert.notEqual(session.cookie, first.cookie);
    assert.equal((await auditOf(userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
  });

  test('of who is locked out, it is refused as a wrong one is', async () => {
    const { userId } = await person();
    const { email } = await server.app.database.read
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    await lockOutUser(server.app.database, clock, email);
    const answer = await finish(await answerOf());
    assert.deepEqual([answer.status, answer.code], [401, 3069]);
    await readmitUser(server.app.database, clock, email);
    assert.equal((await finish(await answerOf())).status, 200);
  });

  test('a state works once, for five minutes: 3066', async () => {
    await person();
    const body = await answerOf();
    assert.equal((await finish(body)).status, 200);
    const again = await finish(body);
    assert.deepEqual([again.status, again.code], [400, 3066]);
    for (const state of ['', 'x', `${body.state.slice(0, -1)}_`]) {
      assert.equal((await finish({ ...body, state })).code, 3066);
    }
    // A wrong response does not use it up, so that nobody can store anything without a passkey.
    const other = await answerOf();
    assert.equal((await finish({ ...body, state: other.state })).code, 3069);
    assert.equal((await finish(other)).status, 200);
    assert.equal((await finish(other)).code, 3066);
    for (const [ageMs, code] of [
      [5 * MINUTE_MS - 1, undefined],
      [5 * MINUTE_MS, 3066],
    ] as const) {
      const late = await answerOf();
      clock.advance(ageMs);
      assert.equal((await finish(late)).code, code);
    }
  });

  test('one answer shown many times at once signs in once', async () => {
    await person();
    const body = await answerOf();
    const answers = await Promise.all(Array.from({ length: 4 }, () => finish(body)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400, 400, 400],
    );
  });

  test('an answer to another challenge, of another site, broken or unknown is refused: 3069', async (t) => {
    const { session, id } = await person();
    const refused = async (body: unknown) => {
      const answer = await finish(body);
      assert.deepEqual([answer.status, answer.code], [401, 3069], answer.text);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    };
    const one = await answerOf();
    await refused({ ...one, state: (await begin()).state });

    // None of these is signed, so nothing else about the answer is wrong.
    for (const change of [
      (response: Json) => ({ ...response, id: 'AAAA', rawId: 'AAAA' }),
      (response: Json) => withUserHandle(response, Buffer.alloc(16).toString('base64url')),
      (response: Json) => withUserHandle(response, null),
      (response: Json) => withUserHandle(response, undefined),
    ]) {
      const { state, response } = await answerOf();
      await refused({ state, response: change(response) });
    }
    const flip = (text: string) => text.slice(0, -4) + (text.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const field of ['signature', 'authenticatorData', 'clientDataJSON']) {
      const { state, response } = await answerOf();
      const changed = { ...response.response, [field]: flip(response.response[field]) };
      await refused({ state, response: { ...response, response: changed } });
    }

    const elsewhere = createServer((_request, answer) => void answer.end('<p>'));
    elsewhere.listen(0, 'localhost');
    await once(elsewhere, 'listening');
    t.after(() => elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const [credential] = await authenticator.credentials();
    assert.ok(credential);
    const foreign = await openPage(browser, `http://localhost:${port}/`);
    await (await addAuthenticator(foreign)).add({ ...credential, signCount: 100 });
    const phished = await begin();
    const response = await getCredential(foreign, phished.options);
    await refused({ state: phished.state, response });

    // A page of another name, with a credential for that name.
    const named = await openPage(browser, `http://other.localhost:${port}/`);
    const otherParty = { ...credential, rpId: 'other.localhost', signCount: 100 };
    await (await addAuthenticator(named)).add(otherParty);
    const { state, options } = await begin();
    const foreignOptions = { ...options, rpId: 'other.localhost' };
    await refused({ state, response: await getCredential(named, foreignOptions) });

    const gone = await answerOf();
    await callAs(server, session, 'DELETE', `/user/passkeys/${id}`);
    await refused(gone);
  });

  test('without unlocking it, a passkey proves too little: 3069', async () => {
    await person();
    const { state, options } = await begin();
    await authenticator.setUserVerified(false);
    try {
      await assert.rejects(getCredential(page, options), /NotAllowedError/);
      const lax = { ...options, userVerification: 'discouraged' };
      const answer = await finish({ state, response: await getCredential(page, lax) });
      assert.deepEqual([answer.status, answer.code], [401, 3069]);
    } finally {
      await authenticator.setUserVerified(true);
    }
  });

  test('a counter that goes back, or stands still, is refused and told of: 3069', async () => {
    const { userId } = await person();
    assert.equal((await finish(await answerOf())).status, 200);
    assert.equal((await finish(await answerOf())).status, 200);
    const [credential] = await authenticator.credentials();
    const copyOf = async (original: StoredCredential, signCount: number) => {
      await authenticator.clear();
      await authenticator.add({ ...original, signCount });
    };
    assert.ok(credential && credential.signCount > 1);
    for (const signCount of [credential.signCount - 1, 0]) {
      // The authenticator counts one up and signs.
      await copyOf(credential, signCount);
      const answer = await finish(await answerOf());
      assert.deepEqual([answer.status, answer.code], [401, 3069]);
    }
    const failures = (await auditOf(userId)).filter((row) => row.includes('failure'));
    assert.equal(failures.length, 2);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('chain_id', '=', userId)
      .where('action_result', '=', 'failure')
      .orderBy('seq')
      .execute();
    const { signCount } = credential;
    assert.equal(
      rows[0]?.action_description,
      `Refused a passkey whose signature counter did not increase (${signCount} to ${signCount}). The passkey may have been copied`,
    );
    assert.deepEqual([rows[0]?.actor_id, rows[0]?.request_status_code], [null, 401]);
    // The one that counts on still works.
    await copyOf(credential, signCount);
    assert.equal((await finish(await answerOf())).status, 200);
  });

  test('as second factor it completes the sign-in that is under way', async () => {
    const { userId } = await person();
    const pending = await signInHalfway(server, userId, clock);
    const answer = await finish(await answerOf(), pending);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(
      (await auditOf(userId)).at(-1),
      'sign_in success {"methods":["password","passkey"]}',
    );
    assert.equal((await callAs(server, sessionOf(answer), 'GET', '/user/totp')).status, 200);
    // That one is over; with its cookie, a passkey begins a session of its own.
    const alone = await finish(await answerOf(), pending);
    assert.equal(alone.status, 200);
    assert.equal((await auditOf(userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
  });

  test("another person's passkey signs that person in; another site's page nobody: 403", async () => {
    const one = await enrol(server, clock);
    const pending = await signInHalfway(server, one.userId, clock);
    const other = await person();
    const answer = await finish(await answerOf(), pending);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await auditOf(other.userId)).at(-1), 'sign_in success {"methods":["passkey"]}');
    const list = await callAs(server, sessionOf(answer), 'GET', '/user/passkeys');
    assert.deepEqual(
      list.json.result.map(({ id }: Json) => id),
      [other.id],
    );
    // The session that waited for the first person's factor is over.
    const late = await callAs(server, pending, 'POST', '/user/sessions/current/second_factor', {
      recovery_code: one.recoveryCodes[0],
    });
    assert.equal(late.status, 401);
    assert.equal(
      (await auditOf(one.userId)).some((row) => row.startsWith('sign_in')),
      false,
    );

    const own = await signInHalfway(server, other.userId, clock);
    const body = await answerOf();
    const forged = await finish(body, { cookie: own.cookie });
    assert.deepEqual([forged.status, forged.code], [403, 10_000]);
    assert.equal((await finish(body, own)).status, 200);
  });

  test('a cookie that is worth nothing does not matter', async () => {
    await person();
    for (const cookie of ['latchkey_session=', 'latchkey_session=lkss_x']) {
      assert.equal((await finish(await answerOf(), { cookie })).status, 200);
    }
  });

  test('3001 and 3002 for what is no answer of a browser', async () => {
    await person();
    const body = await answerOf();
    const { response } = body;
    for (const bad of [
      {},
      { ...body, extra: 1 },
      { ...body, state: 5 },
      { ...body, response: { ...response, id: '' } },
      { ...body, response: { ...response, type: 'x' } },
      { ...body, response: { ...response, response: { ...response.response, signature: '=' } } },
    ]) {
      const answer = await finish(bad);
      assert.equal(answer.status, 400);
      assert.ok([3001, 3002].includes(answer.code ?? 0), answer.text);
    }
    assert.equal((await finish('{')).code, 6007);
    assert.equal((await finish(body)).status, 200);
  });
});
