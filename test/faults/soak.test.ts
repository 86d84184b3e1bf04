import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from './soak/soak.ts';
import { judge } from './soak/verdict.ts';

// Far too short to see memory: that is for the long form.
const IS_OF_MEMORY = /flat|thread/;

test('nothing fails, is lost or stays open under mixed load', async (t) => {
  const options = { database: 'sqlite', seconds: 1, sampleSeconds: 0.25, restSeconds: 0 } as const;
  const { samples, counted, failures } = await soak(t, options);
  assert.deepEqual(failures, []);
  const findings = judge(samples, counted).filter(({ what }) => !IS_OF_MEMORY.test(what));
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
  assert.equal(findings.length, 4);
});
