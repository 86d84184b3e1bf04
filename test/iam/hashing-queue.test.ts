import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { HashingQueue, QueueFullError } from '../../src/iam/users/hashing-queue.ts';

/** A queue whose computations end when the test says. */
class Bench {
  readonly #queue = new HashingQueue();
  /** Names of those that run, in the order in which they began. */
  readonly started: string[] = [];
  readonly ended: string[] = [];
  readonly refused: string[] = [];
  readonly #running: (() => void)[] = [];

  ask(name: string, ip: string, isKnown = false): void {
    const work = async (): Promise<void> => {
      this.started.push(name);
      await new Promise<void>((resolve) => void this.#running.push(resolve));
      this.ended.push(name);
    };
    this.#queue.run({ ip, isKnown }, work).catch((error: unknown) => {
      assert.ok(error instanceof QueueFullError);
      assert.deepEqual([error.status, error.headers['retry-after']], [503, '1']);
      this.refused.push(name);
    });
  }

  askMany(name: string, count: number, ip: (i: number) => string, isKnown = false): void {
    for (let i = 0; i < count; i++) this.ask(name, ip(i), isKnown);
  }

  async endOne(): Promise<void> {
    await setImmediate();
    this.#running.shift()?.();
    await setImmediate();
  }

  async endAll(): Promise<void> {
    await setImmediate();
    while (this.#running.length > 0) await this.endOne();
  }

  /** How many passed, and how many were refused, under a name. */
  async outcome(name: string): Promise<[number, number]> {
    await this.endAll();
    const count = (list: string[]): number => list.filter((one) => one === name).length;
    return [count(this.ended), count(this.refused)];
  }
}

const ONE_NETWORK = (i: number): string => `2001:db8:1:${i.toString(16)}::1`;

describe('the queue of passwords', () => {
  test('two run at once; of one IPv6 /48 or one IPv4 address, twenty more wait', async () => {
    for (const ip of [ONE_NETWORK, (i: number) => `10.0.0.1:${i + 1}`]) {
      const bench = new Bench();
      bench.askMany('a', 23, ip);
      await setImmediate();
      assert.deepEqual([bench.started.length, bench.refused.length], [2, 1]);
      assert.deepEqual(await bench.outcome('a'), [22, 1]);
    }
  });

  test('strangers: 80 wait; a network that has fewer displaces one that has more', async () => {
    const bench = new Bench();
    for (let network = 0; network < 4; network++) {
      bench.askMany('flood', network === 0 ? 22 : 20, () => `10.0.0.${network}`);
    }
    await setImmediate();
    assert.equal(bench.refused.length, 0);
    bench.ask('newcomer', '10.1.0.1');
    assert.deepEqual(await bench.outcome('newcomer'), [1, 0]);
    assert.deepEqual(await bench.outcome('flood'), [81, 1]);
  });

  test('where all networks have one waiting, the next is refused', async () => {
    const bench = new Bench();
    bench.askMany('each', 82, (i) => `10.0.0.${i}`);
    bench.ask('last', '10.1.0.1');
    assert.deepEqual(await bench.outcome('last'), [0, 1]);
    assert.deepEqual(await bench.outcome('each'), [82, 0]);
  });

  test('networks take turns', async () => {
    const bench = new Bench();
    bench.askMany('flood', 22, () => '10.0.0.1');
    bench.ask('other', '10.0.0.2');
    for (let i = 0; i < 3; i++) await bench.endOne();
    assert.ok(bench.started.includes('other'), bench.started.join());
    await bench.endAll();
  });

  test('known clients have places of their own, and every second turn', async () => {
    const bench = new Bench();
    bench.askMany('flood', 82, (i) => `10.0.0.${i}`);
    bench.askMany('known', 11, () => '10.1.0.1', true);
    bench.askMany('other', 11, (i) => `10.2.0.${i}`, true);
    await setImmediate();
    // Ten of one network, twenty altogether: a network that has fewer displaces the first.
    assert.deepEqual(bench.refused.toSorted(), ['known', 'known']);
    for (let i = 0; i < 8; i++) await bench.endOne();
    const known = bench.started.filter((name) => name !== 'flood').length;
    assert.ok(known >= 3 && known <= 5, String(known));
    assert.deepEqual(await bench.outcome('flood'), [82, 0]);
    assert.deepEqual(await bench.outcome('other'), [11, 0]);
  });

  test('a failure gives its place back', async () => {
    const queue = new HashingQueue();
    const requester = { ip: '10.0.0.1', isKnown: false };
    const fail = () => queue.run(requester, () => Promise.reject(new Error('broken')));
    for (let i = 0; i < 5; i++) await assert.rejects(fail(), /broken/);
    assert.equal(await queue.run(requester, () => Promise.resolve(1)), 1);
  });

  test('one who asks once is served, whatever fewer than 80 networks do', async () => {
    const attack = fc.array(fc.tuple(fc.nat(70), fc.integer({ min: 1, max: 40 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(attack, attack, fc.boolean(), async (before, after, isKnown) => {
        const bench = new Bench();
        const flood = (waves: [number, number][]): void => {
          for (const [network, count] of waves)
            bench.askMany('a', count, () => `10.0.0.${network}`);
        };
        flood(before);
        bench.ask('victim', '10.9.9.9', isKnown);
        flood(after);
        assert.deepEqual(await bench.outcome('victim'), [1, 0]);
        assert.equal(
          bench.ended.length + bench.refused.length,
          [...before, ...after].reduce((sum, [, count]) => sum + count, 1),
        );
      }),
      { numRuns: 60 },
    );
  });
});
