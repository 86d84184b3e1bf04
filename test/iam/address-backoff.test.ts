import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../../src/http/errors.ts';
import { AddressBackoff } from '../../src/iam/address-backoff.ts';
import { ManualClock } from '../support/manual-clock.ts';

const FREE = 100;
const MINUTE_MS = 60_000;
const IP = '203.0.113.7';

function setUp() {
  const clock = new ManualClock();
  const wrong = new AddressBackoff(clock);
  return {
    clock,
    wrong,
    /** What happens to one wrong credential: the seconds to wait, undefined for a plain 401. */
    present(ip = IP): number | undefined {
      const seconds = wrong.retryAfterSeconds(ip);
      wrong.note(ip);
      return seconds;
    },
    mayLookUp(ip = IP): boolean {
      try {
        wrong.checkLookUp(ip);
        return true;
      } catch (error) {
        assert.ok(error instanceof ApiError);
        // However long the block lasts.
        assert.deepEqual([error.status, error.headers], [429, { 'retry-after': '1' }]);
        return false;
      }
    },
    presentFreeOnes(ip = IP): void {
      for (let i = 0; i < FREE; i++) assert.equal(this.present(ip), undefined, String(i));
    },
  };
}

describe('wrong credentials', () => {
  test('a hundred in a minute are free, the next is refused', () => {
    const address = setUp();
    for (let i = 1; i < FREE; i++) address.present();
    assert.equal(address.wrong.retryAfterSeconds(IP), undefined);
    assert.equal(address.present(), undefined);
    assert.equal(address.present(), 1);
    assert.equal(address.present(), 1);
  });

  test('a minute after the first one, the counting begins anew', () => {
    const address = setUp();
    address.present();
    address.clock.advance(MINUTE_MS - 1);
    for (let i = 2; i < FREE; i++) address.present();
    address.clock.advance(1);
    address.presentFreeOnes();
    assert.equal(address.present(), 1);
  });

  test('within one minute they count to its last millisecond', () => {
    const address = setUp();
    address.present();
    address.clock.advance(MINUTE_MS - 1);
    for (let i = 2; i <= FREE; i++) assert.equal(address.present(), undefined);
    assert.equal(address.present(), 1);
  });

  test('a block ends when it says, not before', () => {
    const address = setUp();
    address.presentFreeOnes();
    address.clock.advance(999);
    assert.equal(address.wrong.retryAfterSeconds(IP), 1);
    address.clock.advance(1);
    assert.equal(address.wrong.retryAfterSeconds(IP), undefined);
  });

  test('each time it goes on after a block, the next is twice as long, up to five minutes', () => {
    const address = setUp();
    address.presentFreeOnes();
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      assert.equal(address.present(), seconds);
      address.clock.advance(seconds * 1_000);
      // The first after a block hears that it is wrong, and is the reason for the next one.
      assert.equal(address.present(), undefined);
    }
  });

  test('what comes within a block does not prolong it', () => {
    const address = setUp();
    address.presentFreeOnes();
    for (let i = 0; i < 1_000; i++) address.present();
    address.clock.advance(1_000);
    assert.equal(address.present(), undefined);
    assert.equal(address.present(), 2);
  });

  test('ten quiet minutes forgive all, less do not', () => {
    const address = setUp();
    address.presentFreeOnes();
    address.clock.advance(10 * MINUTE_MS - 1);
    assert.equal(address.present(), undefined);
    assert.equal(address.present(), 2);
    address.clock.advance(10 * MINUTE_MS);
    address.presentFreeOnes();
    assert.equal(address.present(), 1);
  });

  test('what comes within a block is not quiet', () => {
    const address = setUp();
    address.presentFreeOnes();
    for (let i = 0; i < 9; i++) {
      address.clock.advance(MINUTE_MS * 5);
      address.present();
    }
    // Nine blocks of 2 to 300 seconds, each ended long before the next attempt.
    assert.equal(address.present(), 300);
    address.clock.advance(5 * MINUTE_MS - 1);
    assert.equal(address.present(), 1);
    address.clock.advance(10 * MINUTE_MS - 1);
    address.present();
    assert.equal(address.present(), 300);
  });

  test('a clock that is set back blocks nobody for longer', () => {
    const address = setUp();
    address.presentFreeOnes();
    address.clock.advance(-60 * MINUTE_MS);
    assert.equal(address.wrong.retryAfterSeconds(IP), undefined);
    assert.equal(address.mayLookUp(), true);
    address.presentFreeOnes();
    assert.equal(address.present(), 1);
  });
});

describe('addresses', () => {
  test('one does not answer for another', () => {
    const address = setUp();
    address.presentFreeOnes();
    assert.equal(address.wrong.retryAfterSeconds('203.0.113.8'), undefined);
    address.presentFreeOnes('203.0.113.8');
  });

  test('each thing that credentials are for is counted by itself', () => {
    const { wrong } = setUp();
    for (let i = 0; i < FREE; i++) wrong.note(IP, 'one');
    assert.equal(wrong.retryAfterSeconds(IP, 'one'), 1);
    assert.equal(wrong.retryAfterSeconds(IP, 'other'), undefined);
    assert.equal(wrong.retryAfterSeconds(IP, ''), undefined);
    assert.equal(wrong.retryAfterSeconds(IP), undefined);
    assert.equal(wrong.retryAfterSeconds('203.0.113.8', 'one'), undefined);
  });

  test('an IPv4 address is the same when it is written as IPv6', () => {
    const address = setUp();
    for (let i = 0; i < FREE / 2; i++) {
      address.present(IP);
      address.present(`::ffff:${IP}`);
    }
    assert.equal(address.present(IP), 1);
    assert.equal(address.present('::ffff:cb00:7107'), 1);
  });

  test('an IPv6 address stands for its /64', () => {
    const address = setUp();
    for (let i = 0; i < FREE; i++) address.present(`2001:db8:0:1::${i.toString(16)}`);
    assert.equal(address.wrong.retryAfterSeconds('2001:db8:0:1:ffff:ffff:ffff:ffff'), 1);
    assert.equal(address.wrong.retryAfterSeconds('2001:0DB8::1:0:0:0:9'), 1);
    assert.equal(address.wrong.retryAfterSeconds('2001:db8:0:2::1'), undefined);
    assert.equal(address.wrong.retryAfterSeconds('2001:db8::1'), undefined);
  });

  test('all that is no address counts together', () => {
    const address = setUp();
    address.presentFreeOnes('unknown');
    assert.equal(address.present('unknown'), 1);
    assert.equal(address.present(''), 1);
    assert.equal(address.present(IP), undefined);
  });

  test('only so many are remembered, those seen last', () => {
    const address = setUp();
    const nth = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    address.presentFreeOnes();
    for (let i = 0; i < 49_999; i++) address.present(nth(i));
    assert.equal(address.present(), 1);
    for (let i = 49_999; i < 99_999; i++) address.present(nth(i));
    assert.equal(address.wrong.retryAfterSeconds(IP), undefined);
  });
});

describe('look-ups', () => {
  test('an address that is not blocked may cost any number', () => {
    const address = setUp();
    for (let i = 0; i < 1_000; i++) assert.equal(address.mayLookUp(), true);
    address.present();
    for (let i = 0; i < 1_000; i++) assert.equal(address.mayLookUp(), true);
  });

  test('a blocked one may cost 200 a second', () => {
    const address = setUp();
    address.presentFreeOnes();
    address.clock.advance(1_000);
    for (let i = 0; i < 8; i++) {
      address.present();
      address.clock.advance((address.wrong.retryAfterSeconds(IP) ?? 0) * 1_000);
    }
    address.present();
    const lookUps = () => {
      let count = 0;
      while (count < 1_000 && address.mayLookUp()) count++;
      return count;
    };
    assert.equal(lookUps(), 200);
    address.clock.advance(4);
    assert.equal(lookUps(), 0);
    address.clock.advance(1);
    assert.equal(lookUps(), 1);
    address.clock.advance(500);
    assert.equal(lookUps(), 100);
    address.clock.advance(60_000);
    assert.equal(lookUps(), 200);
    assert.equal(address.mayLookUp('203.0.113.8'), true);
  });

  test('when the block is over, it may cost any number again', () => {
    const address = setUp();
    address.presentFreeOnes();
    for (let i = 0; i < 200; i++) address.mayLookUp();
    assert.equal(address.mayLookUp(), false);
    address.clock.advance(1_000);
    for (let i = 0; i < 100; i++) assert.equal(address.mayLookUp(), true);
  });
});
