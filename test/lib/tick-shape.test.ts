import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepTickShape } from '../../src/lib/tick-shape.ts';

test('what is kept is what Node makes of a tick', async () => {
  const tick = await keepTickShape();
  // Its own fields; a test cannot see its shape.
  assert.deepEqual(Object.keys(tick), ['callback', 'args']);
});
