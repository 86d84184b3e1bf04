import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnTime, serverNow } from '../../dashboard/src/lib/server-time.ts';

const HOUR_MS = 3_600_000;

test('a clock that is off is told by the answers of the server', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2030-01-01T12:00:00.500Z') });
  const nowMs = Date.now();
  assert.equal(serverNow(), nowMs);
  learnTime('Tue, 01 Jan 2030 14:00:00 GMT');
  assert.equal(serverNow(), nowMs + 2 * HOUR_MS - 500);
  for (const nothing of [null, '', 'yesterday']) {
    learnTime(nothing);
    assert.equal(serverNow(), nowMs + 2 * HOUR_MS - 500);
  }
  // What the way takes is no difference.
  learnTime('Tue, 01 Jan 2030 11:59:45 GMT');
  assert.equal(serverNow(), nowMs);
});
