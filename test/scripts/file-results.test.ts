import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readResults } from '../support/file-results.ts';

const SUPPORT = path.resolve(import.meta.dirname, '../support/file-group.ts');
const REPORTER = path.resolve(import.meta.dirname, '../../scripts/slowest-files.ts');

const FILES: Record<string, string> = {
  'passes.test.ts': "test('x', () => {});",
  'fails.test.ts': "test('x', () => { throw new Error('wrong'); });",
  'escapes.test.ts':
    "test('x', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((resolve) => setTimeout(resolve, 50)); });",
};

describe('results of test files', () => {
  let runDir = '';
  before(async () => {
    runDir = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  });
  after(() => rm(runDir, { recursive: true }));

  test('a file that fails, and one from which an error escapes, have failed', async () => {
    const files = Object.keys(FILES).map((name) => path.join(runDir, name));
    for (const file of files) {
      await writeFile(file, `import { test } from 'node:test';\n${FILES[path.basename(file)]}\n`);
    }
    const claimsDir = path.join(runDir, 'claims');
    await mkdir(claimsDir);
    const group = path.join(runDir, 'group.mjs');
    const lists = `${JSON.stringify(files)}, ${JSON.stringify(claimsDir)}`;
    await writeFile(
      group,
      `import { runFiles } from ${JSON.stringify(SUPPORT)};\nrunFiles(${lists});\n`,
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    execFile(
      process.execPath,
      ['--test', `--test-reporter=${REPORTER}`, group],
      { cwd: runDir, env: { PATH: process.env.PATH, LATCHKEY_TEST_RUN_DIR: runDir } },
      () => resolve(),
    );
    await promise;
    assert.deepEqual(Object.fromEntries(readResults(runDir)), {
      'passes.test.ts': 'passed',
      'fails.test.ts': 'failed',
      'escapes.test.ts': 'failed',
    });
  });

  test('a run without results has none', () => {
    assert.equal(readResults(path.join(runDir, 'missing')).size, 0);
  });
});
