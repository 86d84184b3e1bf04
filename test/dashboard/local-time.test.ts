import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fromLocalField, toLocalField } from '../../dashboard/src/lib/local-time.ts';

const zone = process.env.TZ;
before(() => {
  process.env.TZ = 'Europe/Berlin';
});
after(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('a moment stands in a field as the clock of the person shows it, in winter and in summer', () => {
  for (const [time, field] of [
    ['2026-01-31T12:00:00.000Z', '2026-01-31T13:00'],
    ['2026-07-01T22:30:00.000Z', '2026-07-02T00:30'],
  ] as const) {
    assert.equal(toLocalField(time), field);
    assert.equal(fromLocalField(field), time);
  }
});

test('a field that is not filled in names no moment', () => {
  assert.equal(fromLocalField(''), undefined);
});
