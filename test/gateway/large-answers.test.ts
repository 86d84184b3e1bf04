import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer } from '../support/scripted-upstream.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

// One for the answer itself and one for its list.
const MOST = 50_000 - 2;

describe('a translated answer', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  test('with more objects than any answer has is refused before it is translated', async () => {
    for (const [count, status] of [
      [MOST, 200],
      [MOST + 1, 502],
    ] as const) {
      const content = Array.from({ length: count }, () => ({}));
      await bench.upstream.set(`many-${count}`, answer(200, { content }));
      const { status: found } = await bench.complete(
        `anthropic/many-${count}`,
        {},
        { max_tokens: 5 },
      );
      assert.equal(found, status, String(count));
    }
  });
});
