import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CallsUnderWay, type Stoppable } from '../../src/gateway/calls-under-way.ts';

test('when the server stops, the calls that are under way end, and no others', () => {
  const calls = new CallsUnderWay();
  const stopped: string[] = [];
  const enter = (name: string) => {
    const call: Stoppable = {
      stop() {
        stopped.push(name);
        calls.leave(call);
      },
    };
    calls.enter(call);
    return call;
  };
  const first = enter('first');
  enter('second');
  const third = enter('third');
  const fourth = enter('fourth');
  calls.leave(first);
  calls.leave(third);
  // Others stand where they stood.
  calls.leave(first);
  calls.leave(third);
  enter('fifth');
  calls.leave(fourth);
  assert.equal(calls.stop(), true);
  assert.deepEqual(stopped.sort(), ['fifth', 'second']);
  assert.equal(calls.stop(), false);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
const AT_ONCE = 32;
const HELD_MB = 2;

/** A call of some kilobytes. */
function callOf(payload: number): Stoppable & { payload: number[] } {
  return { stop() {}, payload: Array.from({ length: 500 }, () => payload) };
}

test('calls that are over are collected with what is young', () => {
  const calls = new CallsUnderWay();
  const underWay: Stoppable[] = [];
  const turn = (count: number): void => {
    for (let made = 0; made < count; made++) {
      const call = callOf(made);
      calls.enter(call);
      underWay.push(call);
      const [oldest] = underWay;
      if (underWay.length > AT_ONCE && oldest !== undefined) calls.leave(oldest);
      if (underWay.length > AT_ONCE) underWay.shift();
      if (made % 500 === 0) collect({ type: 'minor' });
    }
  };
  turn(2_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  turn(10_000);
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const heldMb = (process.memoryUsage().heapUsed - before) / 1e6;
  assert.ok(heldMb < HELD_MB, `${heldMb} MB are held, of 40`);
});
