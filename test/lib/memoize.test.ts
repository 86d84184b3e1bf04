import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoize } from '../../src/lib/memoize.ts';

test('the results of the latest texts are remembered, and they are always those of the function', () => {
  const texts = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd', '__proto__'), { maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 4 }), (asked, maxTexts) => {
      const computed: string[] = [];
      const nameOf = memoize(maxTexts, (text) => {
        computed.push(text);
        return text === '' ? undefined : `of ${text}`;
      });
      const latest: string[] = [];
      for (const text of asked) {
        const before = computed.length;
        assert.equal(nameOf(text), text === '' ? undefined : `of ${text}`);
        assert.equal(computed.length === before, latest.includes(text));
        const others = latest.filter((other) => other !== text);
        latest.splice(0, latest.length, ...[text, ...others].slice(0, maxTexts));
      }
    }),
  );
});
