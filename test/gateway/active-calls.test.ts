import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type ActiveCall,
  ActiveCalls,
  type CallOwner,
  clientClosed,
  firstByteTimeout,
  shuttingDown,
} from '../../src/gateway/execution/active-calls.ts';

const owner = (isClosed = false): CallOwner => ({ isClosed, activeCall: undefined });

test('when the server stops, the signals of open calls are aborted, and no others', () => {
  const calls = new ActiveCalls();
  const aborted: string[] = [];
  const open = (name: string) => {
    const call = calls.open(owner());
    call.signal.addEventListener('abort', () => {
      aborted.push(name);
      call.close();
    });
    return call;
  };
  const first = open('first');
  open('second');
  const third = open('third');
  const fourth = open('fourth');
  first.close();
  third.close();
  // Other calls have taken their places.
  first.close();
  third.close();
  open('fifth');
  fourth.close();
  assert.equal(calls.abortAll(), true);
  assert.deepEqual(aborted.toSorted(), ['fifth', 'second']);
  assert.equal(calls.abortAll(), false);
});

test('the reason of an abort is that of its cause', async () => {
  const calls = new ActiveCalls();
  const client = owner();
  calls.open(client).close();
  assert.equal(client.activeCall, undefined);
  const call = calls.open(client);
  assert.equal(client.activeCall, call);
  assert.equal(calls.open(owner(true)).signal.reason, clientClosed);
  const late = calls.open(owner(), 5);
  const [inTime, ended] = [calls.open(owner(), 5), calls.open(owner(), 5)];
  inTime.stopTimer();
  ended.close();
  await once(late.signal, 'abort');
  assert.equal(late.signal.reason, firstByteTimeout);
  assert.deepEqual([inTime.signal.aborted, ended.signal.aborted], [false, false]);
  calls.abortAll();
  assert.equal(inTime.signal.reason, shuttingDown);
  // The first reason counts.
  assert.equal(late.signal.reason, firstByteTimeout);
  assert.equal(ended.signal.aborted, false);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
const AT_ONCE = 32;
const HELD_MB = 2;

test('closed calls are collected with the young generation', () => {
  const calls = new ActiveCalls();
  const active: ActiveCall[] = [];
  const openAndClose = (count: number): void => {
    for (let made = 0; made < count; made++) {
      const call = calls.open(owner());
      // A call refers to some kilobytes.
      const payload = Array.from({ length: 500 }, () => made);
      call.signal.addEventListener('abort', () => payload.pop());
      active.push(call);
      const [oldest] = active;
      if (active.length > AT_ONCE && oldest !== undefined) oldest.close();
      if (active.length > AT_ONCE) active.shift();
      if (made % 500 === 0) collect({ type: 'minor' });
    }
  };
  openAndClose(2_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  openAndClose(10_000);
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const heldMb = (process.memoryUsage().heapUsed - before) / 1e6;
  assert.ok(heldMb < HELD_MB, `${heldMb} MB are held, of 40`);
});
