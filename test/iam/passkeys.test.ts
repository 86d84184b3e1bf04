import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { callAs, codeAt, sessionOf, signInHalfway } from '../support/authenticator-app.ts';
import {
  type VirtualAuthenticator,
  addAuthenticator,
  createCredential,
  launchBrowser,
  openPage,
} from '../support/chromium.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';

const MINUTE_MS = 60_000;

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
    // Passkeys are bound to a name; an address is none.
    server = await bootServer(database, { clock, settings: { HOST: 'localhost' } });
    page = await openPage(browser, `${server.origin}/healthz`);
    authenticator = await addAuthenticator(page);
  });
  after(() => server.stop());

  async function person() {
    const { userId, email } = await createPerson(server, { accountId: server.accountId });
    return { userId, email, session: await signInAs(server, userId, clock) };
  }

  /** What the browser answers, with an authenticator that has nothing stored: it has room for three. */
  async function create(options: Json, keep = false): Promise<Json> {
    if (!keep) await authenticator.clear();
    return createCredential(page, options);
  }

  async function begin(session: SessionHeaders): Promise<Json> {
    const begun = await callAs(server, session, 'POST', '/user/passkeys/options');
    assert.equal(begun.status, 200, begun.text);
    return begun.json.result;
  }

  const finish = (session: SessionHeaders, body: unknown): Promise<Answer> =>
    callAs(server, session, 'POST', '/user/passkeys', body);

  async function register(session: SessionHeaders, name = 'phone'): Promise<Answer> {
    const { state, options } = await begin(session);
    const response = await create({ ...options, excludeCredentials: [] });
    return finish(session, { state, name, response });
  }

  async function auditOf(userId: string): Promise<string[]> {
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .selectAll()
      .where('chain_id', '=', userId)
      .orderBy('seq')
      .execute();
    return rows.map((row) => `${row.action_type} ${row.resource_type} ${row.resource_request}`);
  }

  test('a passkey is registered, listed, renamed and deleted', async () => {
    const { userId, email, session } = await person();
    const { state, options } = await begin(session);
    assert.deepEqual(options.rp, { name: 'latchkey', id: 'localhost' });
    assert.equal(options.user.name, email);
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), userId);
    assert.equal(options.attestation, 'none');
    assert.deepEqual(options.excludeCredentials, []);
    const { residentKey, userVerification } = options.authenticatorSelection;
    assert.deepEqual([residentKey, userVerification], ['required', 'required']);

    await authenticator.clear();
    const response = await create(options);
    const created = await finish(session, { state, name: 'Grüße 🔑', response });
    assert.equal(created.status, 200, created.text);
    const { recovery_codes: codes, ...passkey } = created.json.result;
    assert.equal(new Set(codes).size, 10);
    assert.deepEqual(passkey, {
      id: passkey.id,
      name: 'Grüße 🔑',
      created_on: new Date(clock.now()).toISOString(),
      transports: ['internal'],
    });
    const [stored] = await authenticator.credentials();
    assert.equal(stored?.rpId, 'localhost');
    assert.equal(stored?.isResidentCredential, true);

    const list = async () => (await callAs(server, session, 'GET', '/user/passkeys')).json.result;
    assert.deepEqual(await list(), [passkey]);
    const path = `/user/passkeys/${passkey.id}`;
    const renamed = await callAs(server, session, 'PATCH', path, { name: 'laptop' });
    assert.deepEqual([renamed.status, renamed.json.result], [200, { ...passkey, name: 'laptop' }]);
    const deleted = await callAs(server, session, 'DELETE', path);
    assert.deepEqual([deleted.status, deleted.json.result], [200, { id: passkey.id }]);
    assert.deepEqual(await list(), []);
    assert.deepEqual(await auditOf(userId), [
      'create passkey {"name":"Grüße 🔑"}',
      'update passkey {"name":"laptop"}',
      'delete passkey {"name":"laptop"}',
    ]);
  });

  test('the browser is told which passkeys are there already', async () => {
    const { session } = await person();
    assert.equal((await register(session)).status, 200);
    const { options } = await begin(session);
    assert.equal(options.excludeCredentials.length, 1);
    await assert.rejects(create(options, true), /InvalidStateError/);
  });

  test('a state works once, for its person, for five minutes: 3066', async () => {
    const { session } = await person();
    const stranger = await person();
    const { state, options } = await begin(session);
    const response = await create(options);
    const body = { state, name: 'phone', response };
    const taken = await finish(stranger.session, body);
    assert.deepEqual([taken.status, taken.code], [400, 3066]);
    assert.equal((await finish(session, body)).status, 200);
    const again = await finish(session, body);
    assert.deepEqual([again.status, again.code], [400, 3066]);
    for (const state_ of ['', 'x', 'lkot_0', state.slice(0, -1)]) {
      assert.equal((await finish(session, { ...body, state: state_ })).code, 3066);
    }
    // To begin again ends what was begun before.
    const older = await begin(session);
    await begin(session);
    assert.equal((await finish(session, { ...body, state: older.state })).code, 3066);
    // And that of a sign-in is none of a registration.
    const other = await server.call('POST', '/user/sessions/passkey_options', { token: null });
    assert.equal((await finish(session, { ...body, state: other.json.result.state })).code, 3066);
    for (const [ageMs, code] of [
      [5 * MINUTE_MS - 1, undefined],
      [5 * MINUTE_MS, 3066],
    ] as const) {
      const late = await person();
      const begun = await begin(late.session);
      const answer = await create(begun.options);
      clock.advance(ageMs);
      const session_ = await signInAs(server, late.userId, clock);
      const finished = await finish(session_, { state: begun.state, name: 'x', response: answer });
      assert.equal(finished.code, code, finished.text);
    }
  });

  test('an answer to other options, of another site, or without unlocking is refused: 3067', async (t) => {
    const { session } = await person();
    const refused = async (state: string, response: unknown) => {
      const answer = await finish(session, { state, name: 'x', response });
      assert.deepEqual([answer.status, answer.code], [400, 3067], answer.text);
    };
    const first = await begin(session);
    const response = await create(first.options);
    await refused((await begin(session)).state, response);

    // The browser lets any page of localhost use the relying party; its origin tells them apart.
    const elsewhere = createServer((_request, answer) => void answer.end('<p>'));
    elsewhere.listen(0, 'localhost');
    await once(elsewhere, 'listening');
    t.after(() => elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const foreign = await openPage(browser, `http://localhost:${port}/`);
    await addAuthenticator(foreign);
    const second = await begin(session);
    await refused(second.state, await createCredential(foreign, second.options));

    const third = await begin(session);
    const discouraged = {
      ...third.options,
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    };
    const keyPage = await openPage(browser, `${server.origin}/healthz`);
    await addAuthenticator(keyPage, { canVerify: false });
    await assert.rejects(createCredential(keyPage, third.options), /NotAllowedError/);
    await refused(third.state, await createCredential(keyPage, discouraged));

    const fourth = await begin(session);
    const honest = await create(fourth.options);
    for (const broken of [
      { ...honest, rawId: 'AAAA' },
      { ...honest, response: { ...honest.response, attestationObject: 'AAAA' } },
      { ...honest, response: { ...honest.response, clientDataJSON: 'AAAA' } },
    ]) {
      await refused(fourth.state, broken);
    }
    const taken = await finish(session, { state: fourth.state, name: 'x', response: honest });
    assert.equal(taken.status, 200);
  });

  test('an attestation with certificates is refused, and nothing is fetched for it: 3067', async () => {
    const { session } = await person();
    const { state, options } = await begin(session);
    const honest = await create({ ...options, attestation: 'direct' });
    const object = Buffer.from(honest.response.attestationObject, 'base64url');
    assert.ok(object.includes('x5c'));
    const answer = await finish(session, { state, name: 'x', response: honest });
    assert.deepEqual([answer.status, answer.code], [400, 3067], answer.text);
  });

  test('with the first passkey there are recovery codes, and the other sessions end', async () => {
    const { userId, session } = await person();
    const other = await signInAs(server, userId, clock);
    const codes: string[] = (await register(session)).json.result.recovery_codes;
    assert.equal(codes.length, 10);
    assert.equal((await callAs(server, session, 'GET', '/user/totp')).status, 200);
    assert.equal((await callAs(server, other, 'GET', '/user/totp')).status, 401);
    const log = JSON.stringify(
      await server.app.database.read.selectFrom('audit_logs').selectAll().execute(),
    );
    assert.ok(codes.every((code) => !log.includes(code)));

    // Whoever has lost the passkey comes in with the password and a code.
    const half = await signInHalfway(server, userId, clock);
    const shown = await callAs(server, half, 'POST', '/user/sessions/current/second_factor', {
      recovery_code: codes[0],
    });
    assert.equal(shown.status, 200, shown.text);
    const back = sessionOf(shown);
    const totp = (await callAs(server, back, 'GET', '/user/totp')).json.result;
    assert.deepEqual(totp, { enabled: false, recovery_codes_left: 9 });
    // Neither another passkey nor the removal of an app takes them away while there is a factor.
    assert.equal('recovery_codes' in (await register(back, 'key')).json.result, false);
    const { secret } = (await callAs(server, back, 'POST', '/user/totp')).json.result;
    const code = codeAt(secret, clock.now());
    assert.equal((await callAs(server, back, 'PUT', '/user/totp', { code })).status, 200);
    assert.equal((await callAs(server, session, 'GET', '/user/totp')).status, 200);
    assert.equal((await callAs(server, back, 'DELETE', '/user/totp')).status, 200);
    const left = (await callAs(server, back, 'GET', '/user/totp')).json.result;
    assert.deepEqual(left, { enabled: false, recovery_codes_left: 10 });
  });

  test('a credential belongs to who registered it first: 3068', async () => {
    const one = await person();
    const other = await person();
    assert.equal((await register(one.session)).status, 200);
    const [row] = await server.app.database.read
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', one.userId)
      .execute();
    const { state, options } = await begin(other.session);
    const response = await create(options);
    // Browsers choose the id; so the one who registered first gets the one that is chosen now.
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('passkeys')
        .set({ credential_id: response.id })
        .where('id', '=', row?.id ?? '')
        .execute();
    });
    const answer = await finish(other.session, { state, name: 'x', response });
    assert.deepEqual([answer.status, answer.code], [400, 3068], answer.text);
    const { json } = await callAs(server, other.session, 'GET', '/user/passkeys');
    assert.deepEqual(json.result, []);
  });

  test('a person may have twenty: 3065', async () => {
    const { userId, session } = await person();
    const addRow = (i: number) =>
      server.app.database.transaction(async (tx) => {
        await tx
          .insertInto('passkeys')
          .values({
            id: `${userId.slice(0, 30)}${i}`,
            credential_id: `${userId}${i}`,
            user_id: userId,
            name: 'x',
            public_key: '',
            sign_count: 0,
            transports: '[]',
            created_at: clock.now(),
            last_used_at: null,
          })
          .execute();
      });
    for (let i = 10; i < 29; i++) await addRow(i);
    await begin(session);
    assert.equal((await register(session)).status, 200);
    const refused = await callAs(server, session, 'POST', '/user/passkeys/options');
    assert.deepEqual([refused.status, refused.code], [400, 3065]);
    // Two that were begun before the last one was there.
    await callAs(server, session, 'DELETE', `/user/passkeys/${userId.slice(0, 30)}10`);
    const begun = await begin(session);
    const response = await create({ ...begun.options, excludeCredentials: [] });
    await addRow(30);
    const late = await finish(session, { state: begun.state, name: 'x', response });
    assert.deepEqual([late.status, late.code], [400, 3065]);
  });

  test('3001 and 3002 for what is no answer of a browser, 6007 for no JSON', async () => {
    const { session } = await person();
    const { state, options } = await begin(session);
    const response = await create(options);
    const body = { state, name: 'x', response };
    for (const bad of [
      { ...body, name: '' },
      { ...body, name: ' ' },
      { ...body, name: 'x'.repeat(101) },
      { ...body, name: 'a\nb' },
      { ...body, name: 5 },
      { ...body, color: 'red' },
      { ...body, response: {} },
      { ...body, response: { ...response, id: 'a b' } },
      { ...body, response: { ...response, id: 'A'.repeat(1_365) } },
      { ...body, response: { ...response, type: 'password' } },
      { ...body, response: { ...response, response: { clientDataJSON: 'AAAA' } } },
      { ...body, response: { ...response, response: { ...response.response, transports: [5] } } },
      { name: 'x', response },
    ]) {
      const answer = await finish(session, bad);
      assert.equal(answer.status, 400);
      assert.ok([3001, 3002].includes(answer.code ?? 0), answer.text);
    }
    assert.equal((await finish(session, '{')).code, 6007);
    assert.equal((await finish(session, { ...body, name: 'x'.repeat(100) })).status, 200);
  });

  test("what is not the person's is not found: 404", async () => {
    const one = await person();
    const other = await person();
    const { id } = (await register(one.session)).json.result;
    for (const path of [`/user/passkeys/${id}`, '/user/passkeys/x']) {
      for (const method of ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { name: 'x' } : undefined;
        const answer = await callAs(server, other.session, method, path, body);
        assert.deepEqual([answer.status, answer.code], [404, 7003]);
      }
    }
    const renamed = await callAs(server, one.session, 'PATCH', `/user/passkeys/${id}`, {
      name: '',
    });
    assert.deepEqual([renamed.status, renamed.code], [400, 3001]);
  });

  test('to change passkeys, a person has proved who they are a while ago at most: 3045', async () => {
    const { userId, session } = await person();
    const { id } = (await register(session)).json.result;
    clock.advance(15 * MINUTE_MS);
    for (const [method, path] of [
      ['POST', '/user/passkeys/options'],
      ['DELETE', `/user/passkeys/${id}`],
    ] as const) {
      const answer = await callAs(server, session, method, path);
      assert.deepEqual([answer.status, answer.code], [403, 3045]);
    }
    const fresh = await signInAs(server, userId, clock);
    assert.equal((await callAs(server, fresh, 'DELETE', `/user/passkeys/${id}`)).status, 200);
  });

  test('no token may touch passkeys, and nobody without a session', async () => {
    for (const [method, path] of [
      ['GET', '/user/passkeys'],
      ['POST', '/user/passkeys/options'],
      ['POST', '/user/passkeys'],
      ['PATCH', '/user/passkeys/x'],
      ['DELETE', '/user/passkeys/x'],
    ] as const) {
      assert.equal((await server.call(method, path)).status, 403, path);
      assert.equal((await server.call(method, path, { token: null })).status, 401, path);
    }
  });

  test('a passkey is a second factor; with the last factor the recovery codes go', async () => {
    const { userId, session } = await person();
    const first = (await register(session)).json.result;
    const second = (await register(session, 'key')).json.result;
    assert.equal('recovery_codes' in second, false);
    const hasFactor = async () => {
      const user = await server.call('GET', `${server.account}/members`);
      const member = user.json.result?.find((item: Json) => item.user.id === userId);
      return member?.user.two_factor_authentication_enabled as boolean | undefined;
    };
    const codes = await callAs(server, session, 'POST', '/user/recovery_codes');
    assert.equal(codes.status, 200, codes.text);
    const left = async () =>
      (await callAs(server, session, 'GET', '/user/totp')).json.result.recovery_codes_left;
    await callAs(server, session, 'DELETE', `/user/passkeys/${first.id}`);
    assert.equal(await left(), 10);
    assert.notEqual(await hasFactor(), false);
    await callAs(server, session, 'DELETE', `/user/passkeys/${second.id}`);
    assert.equal(await left(), 0);
    assert.notEqual(await hasFactor(), true);
  });
});
