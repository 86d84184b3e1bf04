import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { sql } from 'kysely';
import { COUNTER_MS } from '../../src/iam/sessions/attempt-counters.ts';
import { networkOf, subscriberOf } from '../../src/lib/subscriber.ts';
import { HASHING_COST } from '../../src/iam/users/password.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';
import { Visitor } from '../support/visitor.ts';
import {
  type GuessingBench,
  PASSWORD,
  WRONG,
  guess,
  outcome,
  startGuessing,
  wrong,
} from './guesses.ts';

const SLOT_MS = 10_000;
/** More than are looked at and wait. */
const FLOOD = 140;

const inTenSeconds = [429, 3041, '10'];

onEachDatabase((database) => {
  let bench: GuessingBench;
  let clock: ManualClock;
  let server: TestServer;
  before(async () => {
    bench = await startGuessing(database);
    ({ clock, server } = bench);
  });
  after(() => server.stop());

  /** Somebody whose strangers have used up what is free, and waited for their first turn. */
  async function begin(): Promise<string> {
    const { email } = await bench.begin();
    await bench.spendFreeGuesses(email);
    clock.advance(SLOT_MS);
    return email;
  }

  test('while many addresses take every turn, the person gets in from a new browser', async () => {
    const email = await begin();
    for (let turn = 0; turn < 6; turn++) {
      // Each has guessed before, here and elsewhere.
      const ip = `10.1.0.${turn}`;
      await guess(server, ip, 'somebody@example.com');
      assert.deepEqual(outcome(await guess(server, ip, email)), wrong, String(turn));
      assert.deepEqual(outcome(await guess(server, ip, email)), inTenSeconds);
      const person = new Visitor(server, `10.7.0.${turn}`);
      assert.deepEqual(outcome(await person.signIn(email, WRONG)), wrong);
      assert.equal((await person.signIn(email, PASSWORD)).status, 200);
      clock.advance(SLOT_MS);
    }
  });

  test('an address passes five times, and then it waits for its turn like the others', async () => {
    const email = await begin();
    assert.deepEqual(outcome(await takeTurn(email)), wrong);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await guess(server, '10.7.0.1', email)), wrong, String(i));
    }
    // Its own wait is over then, and not that of the strangers.
    clock.advance(1_000);
    assert.deepEqual(outcome(await guess(server, '10.7.0.1', email)), [429, 3041, '9']);
    clock.advance(SLOT_MS - 1_000);
    // What has passed did not put off the turn of the others.
    assert.deepEqual(outcome(await takeTurn(email)), wrong);
    assert.deepEqual(outcome(await guess(server, '10.7.0.1', email)), inTenSeconds);
    // The hour in which they count began a turn before.
    clock.advance(COUNTER_MS - 2 * SLOT_MS - 1);
    assert.deepEqual(outcome(await takeTurn(email)), wrong);
    assert.deepEqual(outcome(await guess(server, '10.7.0.1', email)), inTenSeconds);
  });

  /** Somebody whose address is known for guesses at others. */
  async function takeTurn(email: string): Promise<Answer> {
    await guess(server, '10.1.9.9', 'somebody@example.com');
    return guess(server, '10.1.9.9', email);
  }

  test('one that guesses at somebody else does not pass', async () => {
    const email = await begin();
    await takeTurn(email);
    await guess(server, '10.7.0.1', 'other@example.com');
    assert.deepEqual(outcome(await guess(server, '10.7.0.1', email)), inTenSeconds);
    // What its owner mistyped does not count once it was right.
    const colleague = await createPerson(server, { password: PASSWORD });
    const office = new Visitor(server, '10.7.0.2');
    await office.signIn(colleague.email, WRONG);
    assert.equal((await office.signIn(colleague.email, PASSWORD)).status, 200);
    assert.deepEqual(outcome(await guess(server, '10.7.0.2', email)), wrong);
  });

  test('all of an IPv6 /48 count as one', async () => {
    const email = await begin();
    await takeTurn(email);
    for (let i = 1; i <= 5; i++) {
      assert.deepEqual(outcome(await guess(server, `2001:db8:1:${i}::1`, email)), wrong);
    }
    assert.deepEqual(outcome(await guess(server, '2001:db8:1:6::1', email)), inTenSeconds);
    assert.deepEqual(outcome(await guess(server, '2001:db8:2:1::1', email)), wrong);
    await guess(server, '2001:db8:3:1::1', 'other@example.com');
    assert.deepEqual(outcome(await guess(server, '2001:db8:3:2::1', email)), inTenSeconds);
    assert.deepEqual(outcome(await guess(server, '2001:db8:4:2::1', email)), wrong);
  });

  test('a port behind the address makes no other address of it', async () => {
    const email = await begin();
    for (let i = 0; i < 5; i++) await guess(server, `10.7.0.1:${5_000 + i}`, email);
    const sixth = await guess(server, '10.7.0.1:6000', email);
    assert.deepEqual(outcome(sixth), [429, 3041, '1']);
  });
});

/** Reads the failure counters of persons, addresses and networks. */
async function readCounts({ app }: TestServer) {
  const rows = await app.database.read.selectFrom('sign_in_failures').selectAll().execute();
  const failures = new Map(rows.map((row) => [row.name, row.failures]));
  const ofPersons = rows.filter(({ name }) => /^password (?:account|pair|browser)/.test(name));
  return { failures, ofPersons, rows };
}

async function bootWithRealCost(t: TestContext) {
  const clock = new ManualClock();
  const server = await bootServer('sqlite', {
    clock,
    settings: { TRUST_PROXY: '127.0.0.1' },
    hashingCost: HASHING_COST,
  });
  t.after(() => server.stop());
  const { email } = await createPerson(server, { password: PASSWORD });
  return { clock, server, email };
}

// Once: it takes many seconds of computing.
test('80 passwords of strangers wait; others are refused, and count for their address alone', async (t) => {
  const { server, email } = await bootWithRealCost(t);
  const owner = new Visitor(server, '10.7.0.1');
  // Four that count, and then more than are looked at.
  for (let i = 0; i < 4; i++) assert.deepEqual(outcome(await owner.signIn(email, WRONG)), wrong);
  // Nobody has these addresses: to find that out takes a hash all the same.
  const flood = Array.from({ length: FLOOD }, (_, i) =>
    guess(server, `10.2.0.${i}`, `nobody${i}@example.com`),
  );
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length > 0 && refused.length <= FLOOD - 82, `${refused.length} refused`);
  for (const answer of refused) assert.deepEqual(outcome(answer), [503, 1001, '1']);
  const { failures, ofPersons, rows } = await readCounts(server);
  for (const [i, { status }] of answers.entries()) {
    assert.ok(status === 503 || status === 401, `${i}: ${status}`);
    assert.equal(failures.get(`password address 10.2.0.${i}`), 1, `${i}: ${status}`);
  }
  // Two of each that was looked at: the person, and the person and the address; and the owner's.
  assert.equal(ofPersons.length, 2 * (FLOOD - refused.length) + 2);
  assert.deepEqual(
    rows.filter((row) => row.failures === 0),
    [],
  );
  assert.equal(failures.get('password address 10.7.0.1'), 4);
  assert.equal((await owner.signIn(email, PASSWORD)).status, 200);
});

test('a flood from one IPv6 /48 keeps nobody out: known, confirming or new', async (t) => {
  const { clock, server, email } = await bootWithRealCost(t);
  const known = new Visitor(server, '10.7.0.1');
  assert.equal((await known.signIn(email, PASSWORD)).status, 200);
  const over = new AbortController();
  let sent = 0;
  const attack = async (connection: number): Promise<void> => {
    while (!over.signal.aborted) {
      // Each attempt comes from another /64, so that no address is blocked.
      const subnet = (sent++).toString(16);
      await guess(server, `2001:db8:5:${subnet}::1`, `nobody${connection}-${subnet}@example.com`);
    }
  };
  const attackers = Array.from({ length: FLOOD }, (_, i) => attack(i));
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    clock.advance(60_000);
    statuses.push((await known.signIn(email, PASSWORD)).status);
    const body = { password: PASSWORD };
    statuses.push((await known.call('POST', '/user/sessions/current/confirmation', body)).status);
    statuses.push((await new Visitor(server, `10.8.0.${i}`).signIn(email, PASSWORD)).status);
  }
  over.abort();
  await Promise.all(attackers);
  assert.deepEqual(statuses, Array(18).fill(200));
  assert.ok(sent > FLOOD, String(sent));
});

test('what was right and could not be written down is not counted', async (t) => {
  const server = await bootServer('postgres', { clock: new ManualClock() });
  t.after(() => server.stop());
  const { email } = await createPerson(server, { password: PASSWORD });
  const { database: db } = server.app;
  // A constraint that no session can meet: the sign-in fails after the password was looked at.
  await db.transaction(async (tx) => {
    await tx.schema
      .alterTable('known_devices')
      .addCheckConstraint('none', sql`false`)
      .execute();
  });
  assert.equal((await new Visitor(server).signIn(email, PASSWORD)).status, 500);
  const rows = await db.read.selectFrom('sign_in_failures').select('failures').execute();
  assert.deepEqual(rows, []);
});

test('addresses by their subscriber and their network', () => {
  for (const [ip, subscriber, network] of [
    ['1.2.3.4', '1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3::4', '8193:3512:1:2', '8193:3512:1'],
    ['fe80::1%eth0', '65152:0:0:0', '65152:0:0'],
    ['unknown', 'unreadable', 'unreadable'],
    ['_hidden', 'unreadable', 'unreadable'],
    ['1.2.3.4:5678', 'unreadable', 'unreadable'],
    ['', 'unreadable', 'unreadable'],
  ] as const) {
    assert.deepEqual([subscriberOf(ip), networkOf(ip)], [subscriber, network], ip);
  }
});
