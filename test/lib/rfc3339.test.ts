import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTime } from '../../src/lib/clock.ts';
import { parseRfc3339 } from '../../src/lib/rfc3339.ts';

const time = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('what the server writes it reads back', () => {
  fc.assert(
    fc.property(time, (date) => {
      assert.equal(parseRfc3339(formatTime(date.getTime())), date.getTime());
    }),
  );
});

test('an offset names the same moment', () => {
  const offset = fc.record({ sign: fc.constantFrom('+', '-'), h: fc.nat(23), m: fc.nat(59) });
  fc.assert(
    fc.property(time, offset, (date, { sign, h, m }) => {
      const two = (value: number) => String(value).padStart(2, '0');
      const local = date.toISOString().slice(0, -1);
      const shiftMs = (sign === '+' ? -1 : 1) * (h * 60 + m) * 60_000;
      assert.equal(parseRfc3339(`${local}${sign}${two(h)}:${two(m)}`), date.getTime() + shiftMs);
    }),
  );
});

test('seconds may have no fraction, or one of up to nine digits', () => {
  assert.equal(parseRfc3339('1970-01-01T00:00:01Z'), 1_000);
  assert.equal(parseRfc3339('1970-01-01t00:00:01.5z'), 1_500);
  assert.equal(parseRfc3339('1970-01-01T00:00:01.123456789Z'), 1_123);
});

test('only days that exist', () => {
  assert.equal(parseRfc3339('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
  assert.equal(parseRfc3339('2000-02-29T00:00:00Z'), Date.UTC(2000, 1, 29));
  for (const day of ['2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31', '2024-00-10']) {
    assert.equal(parseRfc3339(`${day}T00:00:00Z`), undefined, day);
  }
});

test('everything else is refused', () => {
  for (const text of [
    '',
    '2024-01-01',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00+0100',
    '2024-01-01T00:00:00+24:00',
    '2024-13-01T00:00:00Z',
    '24-01-01T00:00:00Z',
    '2024-01-01T00:00:00Z\n',
    '+002024-01-01T00:00:00Z',
    '0',
  ]) {
    assert.equal(parseRfc3339(text), undefined, JSON.stringify(text));
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(parseRfc3339(text), undefined);
    }),
  );
});
