import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addHousekeeping } from '../../src/iam/housekeeping.ts';
import { verifyAuditLog } from '../../src/iam/audit/verify-log.ts';
import { LastUsed } from '../../src/iam/last-used.ts';
import { selectDueMail } from '../../src/iam/mail/mail-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { acquireLease } from '../../src/storage/leases.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { callAs, codeAt, enrol, signInHalfway } from '../support/authenticator-app.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import { type TestServer, allowPolicy, bootServer, request } from '../support/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEARS_MS = 10 * 365 * DAY_MS;
const MESSAGES = [{ role: 'user', content: 'hello' }];

/** A clock that somebody sets, beside one that nobody does. */
class SteppedClock extends ManualClock {
  #elapsedMs = 0;

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Time passes. */
  pass(byMs: number): void {
    this.#elapsedMs += byMs;
    this.advance(byMs);
  }
}

onEachDatabase((kind) => {
  async function boot(t: TestContext, settings: Record<string, string> = {}) {
    const clock = new SteppedClock();
    const server = await bootServer(kind, { clock, settings });
    t.after(() => server.stop());
    return { server, clock };
  }

  test('whichever way the clock is set, all that has not expired works, and goes on working', async (t) => {
    const { server, clock } = await boot(t, { RATE_LIMIT: '1000' });
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const session = await signInAs(server, userId, clock);
    const body = { name: 'test', policies: [allowPolicy(server.accountId, ['tags.read'])] };
    const headers = { 'idempotency-key': createId() };
    const create = () => server.call('POST', `${server.account}/tokens`, { headers, body });
    const first = await create();
    assert.equal(first.status, 200, first.text);
    const tag = (resource: string) =>
      server.call('PUT', `${server.account}/tags`, {
        body: { resource_type: 'queue', resource_id: resource, tags: { a: resource } },
      });
    for (const stepMs of [HOUR_MS, YEARS_MS, -DAY_MS, -YEARS_MS]) {
      for (const byMs of [stepMs, -stepMs]) {
        clock.advance(byMs);
        assert.equal((await tag(`step-${stepMs}`)).status, 200);
        const asked = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
          body: { model: 'local/echo', messages: MESSAGES },
          headers: { 'cf-aig-cache-ttl': '60' },
        });
        assert.equal(asked.status, 200, asked.text);
        assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
        const seen = await callAs(server, session, 'GET', '/user');
        assert.ok([200, 401].includes(seen.status), seen.text);
      }
      // Back at the time at which it was made.
      assert.equal((await callAs(server, session, 'GET', '/user')).status, 200, `${stepMs}`);
    }
    assert.deepEqual((await create()).json, first.json);
    const faults = server.logLines
      .map((line) => JSON.parse(line))
      .filter(({ level, err }) => level > 40 && !/the clock jumped/.test(err.message));
    assert.deepEqual(faults, []);
    for await (const chain of verifyAuditLog(server.app.database.read, () => {})) {
      assert.equal(chain.fault, undefined);
    }
  });

  test('what a clock that was ahead has left behind holds nobody up once it is right', async (t) => {
    const { server, clock } = await boot(t, { RATE_LIMIT: '4' });
    const { database } = server.app;
    const work = { id: createId(), token: await server.createToken(['tags.read']) };
    const use = () =>
      server.call('GET', `${server.account}/tags/keys`, { token: work.token.value });

    clock.advance(YEARS_MS);
    assert.equal(await acquireLease(database, clock, work.id, 'ahead', 30_000), true);
    for (let i = 0; i < 4; i++) assert.equal((await use()).status, 200);
    assert.equal((await use()).status, 429);
    await insertMail(server, clock.now() + HOUR_MS);
    const lastUsed = useStoreOf(server, clock);
    lastUsed.record(work.token.id);
    await lastUsed.flush();

    clock.advance(-YEARS_MS);
    assert.equal(await acquireLease(database, clock, work.id, 'right', 30_000), true);
    assert.equal(await acquireLease(database, clock, work.id, 'other', 30_000), false);
    assert.equal((await use()).status, 200);
    assert.equal((await selectDueMail(database.read, clock.now(), 10)).length, 1);
    lastUsed.record(work.token.id);
    await lastUsed.flush();
    const row = await database.read
      .selectFrom('api_tokens')
      .select('last_used_at')
      .where('id', '=', work.token.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.last_used_at, clock.now());
  });

  test('an authenticator app that was used while the clock was ahead works on', async (t) => {
    const { server, clock } = await boot(t);
    const { userId, secret } = await enrol(server, clock);
    const show = async () => {
      const pending = await signInHalfway(server, userId, clock);
      const body = { totp_code: codeAt(secret, clock.now()) };
      const answer = await callAs(
        server,
        pending,
        'POST',
        '/user/sessions/current/second_factor',
        body,
      );
      return answer.code ?? answer.status;
    };
    clock.advance(DAY_MS);
    assert.equal(await show(), 200);
    clock.advance(-DAY_MS);
    assert.equal(await show(), 200);
    assert.equal(await show(), 3064);
  });

  test('a proof of who somebody is does not last longer because the clock was set back', async (t) => {
    const { server, clock } = await boot(t);
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const session = await signInAs(server, userId, clock);
    clock.advance(-DAY_MS);
    const refused = await callAs(server, session, 'POST', '/user/totp');
    assert.deepEqual([refused.status, refused.code], [403, 3045], refused.text);
  });

  test('a step forward deletes nothing for an hour, so that a mistake can be mended', async (t) => {
    const { server, clock } = await boot(t);
    const { database } = server.app;
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const session = await signInAs(server, userId, clock);
    const reports: string[] = [];
    const work = new PeriodicWork(database, clock, (_error, message) => void reports.push(message));
    addHousekeeping(work, database);
    const purge = () => work.runNow('iam-housekeeping');
    const sessions = async () =>
      (await database.read.selectFrom('sessions').select('id').execute()).length;
    await purge();
    clock.advance(YEARS_MS);
    await purge();
    clock.pass(HOUR_MS - 1);
    await purge();
    assert.equal(await sessions(), 1);
    assert.equal(reports.length, 1);
    // Nobody is let in by what is kept.
    assert.equal((await callAs(server, session, 'GET', '/user')).status, 401);
    clock.advance(-YEARS_MS);
    await purge();
    assert.equal((await callAs(server, session, 'GET', '/user')).status, 200);

    clock.advance(YEARS_MS);
    await purge();
    clock.pass(HOUR_MS);
    await purge();
    assert.equal(await sessions(), 0);
    // Time that passes is no step.
    assert.equal(reports.length, 2);
    clock.pass(YEARS_MS);
    await purge();
    assert.equal(reports.length, 2);
  });
});

async function insertMail(server: TestServer, dueAtMs: number): Promise<void> {
  await server.app.database.transaction(async (tx) => {
    await tx
      .insertInto('outgoing_mail')
      .values({
        id: createId(),
        recipient: 'somebody@example.com',
        sealed: '',
        created_at: dueAtMs,
        attempts: 1,
        next_attempt_at: dueAtMs,
      })
      .execute();
  });
}

function useStoreOf({ app }: TestServer, clock: ManualClock): LastUsed {
  return new LastUsed(app.database, clock, (error) => assert.ifError(error), {
    table: 'api_tokens',
    column: 'last_used_at',
    field: 'last_used_on',
  });
}
