import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COUNTER_MS, purgeCounters } from '../../src/iam/sessions/attempt-counters.ts';
import { onEachDatabase } from '../support/databases.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { createPerson, signInAs } from '../support/people.ts';
import type { Answer, TestServer } from '../support/server.ts';
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

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

onEachDatabase((database) => {
  let bench: GuessingBench;
  let clock: ManualClock;
  let server: TestServer;
  before(async () => {
    bench = await startGuessing(database);
    ({ clock, server } = bench);
  });
  after(() => server.stop());

  /** Guesses at one person from addresses that are never used again. */
  async function guessFromEverywhere(email: string, times: number, from = 0) {
    const answers: Answer[] = [];
    for (let i = from; i < from + times; i++) {
      answers.push(await guess(server, `10.1.${Math.floor(i / 250)}.${1 + (i % 250)}`, email));
    }
    return answers;
  }

  /** Somebody at an address from which a guess at somebody else came lately. */
  async function stranger(ip: string): Promise<Visitor> {
    const visitor = new Visitor(server, ip);
    await visitor.signIn(`of-${ip}@example.com`, WRONG);
    return visitor;
  }

  test('one person from one address: five are free, then the wait doubles to 15 minutes', async () => {
    const { email } = await bench.begin();
    const visitor = new Visitor(server, '10.0.0.1');
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), wrong);
    }
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      const refused = outcome(await visitor.signIn(email, PASSWORD));
      assert.deepEqual(refused, [429, 3041, String(seconds)]);
      clock.advance(seconds * SECOND_MS - 1);
      assert.equal((await visitor.signIn(email, PASSWORD)).headers.get('retry-after'), '1');
      clock.advance(1);
      assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), wrong);
    }
    // An hour after the last one, all is forgotten.
    clock.advance(COUNTER_MS);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), wrong);
    }
    assert.equal((await visitor.signIn(email, WRONG)).status, 429);
  });

  test('the refusal says how long to wait', async () => {
    const { email } = await bench.begin();
    const visitor = new Visitor(server, '10.0.0.1');
    for (let i = 0; i < 5; i++) await visitor.signIn(email, WRONG);
    const { json } = await visitor.signIn(email, WRONG);
    assert.equal(json.errors[0].message, 'Too many attempts: try again in 1 second');
  });

  test('an address that nobody has is limited just the same', async () => {
    await bench.begin();
    const visitor = new Visitor(server, '10.0.0.1');
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await visitor.signIn('nobody@example.com', WRONG)), wrong);
    }
    assert.deepEqual(outcome(await visitor.signIn('Nobody@Example.com', WRONG)), [429, 3041, '1']);
  });

  test('a right password forgives what was mistyped before', async () => {
    const { email } = await bench.begin();
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 4; i++) {
        // Without the cookies of the round before.
        const visitor = new Visitor(server, '10.0.0.1');
        assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), wrong);
      }
      assert.equal((await new Visitor(server, '10.0.0.1').signIn(email, PASSWORD)).status, 200);
    }
  });

  test('one address, whoever it asks for: twenty are free', async () => {
    const { email } = await bench.begin();
    const visitor = new Visitor(server, '2001:db8:1:2::1');
    for (let i = 0; i < 20; i++) {
      assert.deepEqual(outcome(await visitor.signIn(`p${i}@example.com`, WRONG)), wrong);
    }
    // The same subscriber, with another of his 2^64 addresses.
    const neighbour = new Visitor(server, '2001:db8:1:2:ffff::9');
    assert.deepEqual(outcome(await neighbour.signIn(email, PASSWORD)), [429, 3041, '1']);
    assert.equal(
      (await new Visitor(server, '2001:db8:1:3::1').signIn(email, PASSWORD)).status,
      200,
    );
    clock.advance(SECOND_MS);
    // What was right is not counted: the next one is let through at once.
    assert.equal((await neighbour.signIn(email, PASSWORD)).status, 200);
    assert.deepEqual(outcome(await visitor.signIn('p@example.com', WRONG)), wrong);
    assert.deepEqual(outcome(await visitor.signIn('q@example.com', WRONG)), [429, 3041, '2']);
  });

  test('behind one address, nobody waits for others for more than ten seconds', async () => {
    const { email } = await bench.begin();
    const office = new Visitor(server, '10.0.0.1');
    const waits: (string | null)[] = [];
    for (let i = 0; i < 20; i++) await office.signIn(`p${i}@example.com`, WRONG);
    for (let i = 20; i < 27; i++) {
      const refused = await office.signIn(email, PASSWORD);
      waits.push(refused.headers.get('retry-after'));
      clock.advance(10 * SECOND_MS);
      assert.deepEqual(outcome(await office.signIn(`p${i}@example.com`, WRONG)), wrong);
    }
    assert.deepEqual(waits, ['1', '2', '4', '8', '10', '10', '10']);
    clock.advance(10 * SECOND_MS);
    assert.equal((await new Visitor(server, '10.0.0.1').signIn(email, PASSWORD)).status, 200);
  });

  test('one person from everywhere: fifty an hour are free, then one in ten seconds', async () => {
    const { email } = await bench.begin();
    for (const answer of await guessFromEverywhere(email, 50)) {
      assert.deepEqual(outcome(answer), wrong);
    }
    const [one, two, three] = [
      await stranger('10.9.0.1'),
      await stranger('10.9.0.2'),
      await stranger('10.9.0.3'),
    ];
    assert.deepEqual(outcome(await one.signIn(email, PASSWORD)), [429, 3041, '10']);
    clock.advance(10 * SECOND_MS - 1);
    assert.equal((await two.signIn(email, WRONG)).status, 429);
    clock.advance(1);
    assert.deepEqual(outcome(await three.signIn(email, WRONG)), wrong);
    assert.deepEqual(outcome(await one.signIn(email, WRONG)), [429, 3041, '10']);
    // Other people are not concerned.
    const other = await createPerson(server, { password: PASSWORD });
    assert.equal((await two.signIn(other.email, PASSWORD)).status, 200);
    clock.advance(COUNTER_MS - 10 * SECOND_MS);
    for (const answer of await guessFromEverywhere(email, 50, 1_000)) {
      assert.deepEqual(outcome(answer), wrong);
    }
    const late = await stranger('10.9.0.4');
    assert.equal((await late.signIn(email, WRONG)).status, 429);
  });

  test('nobody is locked out: a browser that was there before signs in through any attack', async () => {
    const { email } = await bench.begin();
    const owner = new Visitor(server, '10.0.0.1');
    assert.equal((await owner.signIn(email, PASSWORD)).status, 200);
    await owner.call('DELETE', '/user/sessions/current');
    assert.deepEqual([...owner.cookies.keys()], ['latchkey_device']);
    // From the owner's own address too.
    const attacker = new Visitor(server, '10.0.0.1');
    for (let i = 0; i < 5; i++) await attacker.signIn(email, WRONG);
    for (let i = 0; i < 16; i++) await attacker.signIn(`p${i}@example.com`, WRONG);
    await bench.spendFreeGuesses(email);
    assert.equal((await attacker.signIn(email, PASSWORD)).status, 429);
    for (let i = 0; i < 4; i++) {
      assert.deepEqual(outcome(await owner.signIn(email, WRONG)), wrong);
    }
    assert.equal((await owner.signIn(email, PASSWORD)).status, 200);
    // Its own counter is there all the same.
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await owner.signIn(email, WRONG)), wrong);
    }
    assert.deepEqual(outcome(await owner.signIn(email, PASSWORD)), [429, 3041, '1']);
    clock.advance(SECOND_MS);
    assert.equal((await owner.signIn(email, PASSWORD)).status, 200);
  });

  test('a known browser is known for its own people alone, and for a year', async () => {
    const { email } = await bench.begin();
    const other = await createPerson(server, { password: PASSWORD });
    const owner = new Visitor(server, '10.0.0.1');
    await owner.signIn(email, PASSWORD);
    const device = owner.cookie('latchkey_device') ?? '';
    const withDevice = async (ip: string, value: string) => {
      const visitor = await stranger(ip);
      visitor.cookies.set('latchkey_device', value);
      return visitor;
    };
    await bench.spendFreeGuesses(other.email);
    assert.equal(
      (await (await withDevice('10.0.0.2', device)).signIn(other.email, PASSWORD)).status,
      429,
    );
    await bench.spendFreeGuesses(email);
    const forged = `lkdv_${'x'.repeat(46)}`;
    assert.equal(
      (await (await withDevice('10.0.0.3', forged)).signIn(email, PASSWORD)).status,
      429,
    );
    assert.equal(
      (await (await withDevice('10.0.0.4', device)).signIn(email, PASSWORD)).status,
      200,
    );

    clock.advance(365 * 86_400_000 - 1);
    await bench.spendFreeGuesses(email);
    assert.equal((await (await withDevice('10.0.0.5', device)).signIn(email, WRONG)).status, 401);
    clock.advance(1);
    assert.equal(
      (await (await withDevice('10.0.0.6', device)).signIn(email, PASSWORD)).status,
      429,
    );
  });

  test('a browser that several people use is known for each of them', async () => {
    const { email } = await bench.begin();
    const other = await createPerson(server, { password: PASSWORD });
    const shared = new Visitor(server, '10.0.0.1');
    await shared.signIn(email, PASSWORD);
    const device = shared.cookie('latchkey_device');
    await shared.signIn(other.email, PASSWORD);
    assert.equal(shared.cookie('latchkey_device'), device);
    await bench.spendFreeGuesses(email);
    await bench.spendFreeGuesses(other.email);
    assert.equal((await shared.signIn(email, PASSWORD)).status, 200);
    assert.equal((await shared.signIn(other.email, PASSWORD)).status, 200);
  });

  test('of many guesses at once, no more get through', async () => {
    const { email } = await bench.begin();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => new Visitor(server, '10.0.0.1').signIn(email, WRONG)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 5, String(statuses));
    assert.equal(statuses.filter((status) => status === 429).length, 25, String(statuses));
  });

  test('to confirm a session is limited too, by a counter of the session', async () => {
    const { email, userId } = await bench.begin();
    await bench.spendFreeGuesses(email);
    const headers = await signInAs(server, userId, clock);
    const confirm = (password: string) =>
      server.call('POST', '/user/sessions/current/confirmation', {
        token: null,
        headers,
        body: { password },
      });
    for (let i = 0; i < 5; i++) assert.deepEqual(outcome(await confirm(WRONG)), [403, 3042, null]);
    assert.deepEqual(outcome(await confirm(PASSWORD)), [429, 3041, '1']);
    clock.advance(SECOND_MS);
    assert.equal((await confirm(PASSWORD)).status, 200);
    assert.deepEqual(outcome(await confirm(WRONG)), [403, 3042, null]);
  });

  test('counters that would begin anew are deleted', async () => {
    const { email } = await bench.begin();
    await new Visitor(server, '10.0.0.1').signIn(email, WRONG);
    clock.advance(MINUTE_MS);
    await new Visitor(server, '10.0.0.2').signIn('nobody@example.com', WRONG);
    const { database: db } = server.app;
    const names = () => db.read.selectFrom('sign_in_failures').select('name').execute();
    assert.equal((await names()).length, 6);
    clock.advance(COUNTER_MS - MINUTE_MS);
    assert.equal(await db.transaction((tx) => purgeCounters(tx, clock.now())), false);
    assert.equal((await names()).length, 3);
    // What is kept names nobody.
    assert.ok(!JSON.stringify(await names()).includes('nobody'));
  });

  test('a clock that was set back does not block for longer', async () => {
    const { email } = await bench.begin();
    const visitor = new Visitor(server, '10.0.0.1');
    for (let i = 0; i < 5; i++) await visitor.signIn(email, WRONG);
    clock.advance(-86_400_000);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), wrong);
    }
    assert.deepEqual(outcome(await visitor.signIn(email, WRONG)), [429, 3041, '1']);
  });
});
