import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Transaction } from '../../src/storage/schema.ts';
import { createId } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import {
  callWith,
  cookiesOf,
  getPage,
  makeRoundTrip,
  signInThere,
} from '../support/external-sign-in.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const TABLES = [
  'sessions',
  'api_tokens',
  'passkeys',
  'totp_factors',
  'recovery_codes',
  'external_identities',
  'known_devices',
  'one_time_secrets',
] as const;

onEachDatabase((database) => {
  async function start(t: TestContext) {
    const provider = await startOpenIdProvider(t);
    const server = await bootServer(database, { settings: provider.settings });
    t.after(() => server.stop());
    return { provider, server };
  }

  /** What somebody could set up who got in with another person's address. */
  async function plant(tx: Transaction, userId: string): Promise<void> {
    const owner = { user_id: userId };
    await tx
      .insertInto('passkeys')
      .values({
        ...owner,
        id: createId(),
        credential_id: createId(),
        name: 'x',
        public_key: '',
        sign_count: 0,
        transports: '[]',
        created_at: 1,
        last_used_at: null,
      })
      .execute();
    await tx
      .insertInto('totp_factors')
      .values({ ...owner, sealed_secret: 'x', created_at: 1, confirmed_at: 1, last_step: 0 })
      .execute();
    await tx
      .insertInto('recovery_codes')
      .values({ ...owner, digest: 'x' })
      .execute();
    await tx
      .insertInto('external_identities')
      .values({ ...owner, issuer: 'x', subject: createId(), created_at: 1, last_used_at: 1 })
      .execute();
    await tx
      .insertInto('known_devices')
      .values({ ...owner, digest: 'x', last_used_at: Date.now() })
      .execute();
    await tx
      .insertInto('one_time_secrets')
      .values({
        ...owner,
        digest: createId(),
        purpose: 'passkey_registration',
        payload: '{}',
        expires_at: Date.now() + 60_000,
      })
      .execute();
  }

  async function countRows(server: TestServer, userId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const rows = await server.app.database.read
        .selectFrom(table as 'sessions')
        .select('user_id')
        .where('user_id', '=', userId)
        .execute();
      counts[table] = rows.length;
    }
    return counts;
  }

  /** Somebody with everything that a person can have; the address was verified or was not. */
  async function createEquipped(server: TestServer, isEmailVerified: boolean) {
    const { userId, email } = await createPerson(server, {
      accountId: server.accountId,
      password: 'blue kettle on the roof',
      isEmailVerified,
    });
    const { cookie, ...csrf } = await signInAs(server, userId);
    const session = { cookie: cookie.replace('latchkey_', '__Host-latchkey_'), ...csrf };
    const here = { ...server, baseUrl: `${server.origin}/client/v4` };
    const call: TestServer['call'] = (method, path, options) =>
      fetchJson(here.baseUrl + path, method, options?.headers ?? {}, options?.body);
    const token = await createUserToken({ ...server, call }, session, ['user-details.read']);
    await server.app.database.transaction((tx) => plant(tx, userId));
    return { userId, email, session, token: token.value };
  }

  const fetchJson = (
    url: string,
    method: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => request(method, url, { headers, ...(body === undefined ? {} : { body }) });

  test('the first link to an address that was never verified takes away what was planted', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email, session, token } = await createEquipped(server, false);
    const api = `${server.origin}/client/v4`;
    const bySession = () => fetchJson(`${api}/user/totp`, 'GET', session);
    const verify = `${api}/user/tokens/verify`;
    const byToken = () => fetchJson(verify, 'GET', { authorization: `Bearer ${token}` });
    // Both are remembered by now.
    assert.deepEqual([(await bySession()).status, (await byToken()).status], [200, 200]);
    assert.deepEqual(
      Object.values(await countRows(server, userId)),
      TABLES.map(() => 1),
    );

    provider.person = { subject: 'owner', email, email_verified: true };
    const done = await signInThere(server, provider);
    // No second factor is asked for: there is none that its owner has set up.
    assert.deepEqual([done.status, done.headers.get('location')], [303, '/']);
    assert.deepEqual([(await bySession()).status, (await byToken()).status], [401, 401]);
    assert.deepEqual(await countRows(server, userId), {
      sessions: 1,
      api_tokens: 0,
      passkeys: 0,
      totp_factors: 0,
      recovery_codes: 0,
      external_identities: 1,
      known_devices: 1,
      // The result of this sign-in, for a minute.
      one_time_secrets: 1,
    });
    const user = await server.app.database.read
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    assert.equal(user.password_hash, null);
    assert.notEqual(user.email_verified_at, null);
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select('action_type')
      .where('chain_id', '=', userId)
      .orderBy('seq')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.action_type),
      ['create', 'verify_email', 'link', 'update', 'sign_in'],
    );
    const session_ = cookiesOf(done);
    assert.equal((await callWith(server, session_, 'GET', '/user/totp')).status, 200);
  });

  test('an address that was verified before keeps what its person has', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email, session } = await createEquipped(server, true);
    provider.person = { subject: 'owner', email, email_verified: true };
    const done = await signInThere(server, provider);
    assert.equal(done.headers.get('location'), '/login/second-factor');
    const counts = await countRows(server, userId);
    assert.deepEqual(counts, {
      ...Object.fromEntries(TABLES.map((table) => [table, 1])),
      sessions: 2,
      external_identities: 2,
      one_time_secrets: 2,
    });
    const answer = await fetchJson(
      `${server.origin}/client/v4/user/totp`,
      'GET',
      session,
      undefined,
    );
    assert.equal(answer.status, 200);
  });

  test('it is done once: what the owner sets up afterwards stays', async (t) => {
    const { provider, server } = await start(t);
    const { userId, email } = await createPerson(server, {
      accountId: server.accountId,
      isEmailVerified: false,
    });
    provider.person = { subject: 'owner', email, email_verified: true };
    const trips = [await makeRoundTrip(server, provider), await makeRoundTrip(server, provider)];
    const answers = await Promise.all(
      trips.map(({ path, cookies }) => getPage(server, path, cookies)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    // The session of the first was not taken for planted by the second.
    for (const answer of answers) {
      const session = cookiesOf(answer);
      assert.equal((await callWith(server, session, 'GET', '/user/totp')).status, 200);
    }
    await server.app.database.transaction((tx) => plant(tx, userId));
    const done = await signInThere(server, provider);
    assert.equal(done.headers.get('location'), '/login/second-factor');
    assert.equal((await countRows(server, userId)).passkeys, 1);
  });
});
