import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';

describe('an interrupted test run', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  });
  after(() => rm(directory, { recursive: true }));

  test('leaves no processes and no files, even of a test that ignores signals', async () => {
    const begun = path.join(directory, 'begun.json');
    const file = path.join(directory, 'endless.test.ts');
    await writeFile(
      file,
      `import { renameSync, writeFileSync } from 'node:fs';
       import { test } from 'node:test';
       test('endless', async () => {
         for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
         const begun = { pid: process.pid, runDir: process.env.LATCHKEY_TEST_RUN_DIR };
         writeFileSync('begun.part', JSON.stringify(begun));
         renameSync('begun.part', 'begun.json');
         await new Promise((resolve) => setTimeout(resolve, 600_000));
       });`,
    );
    const runner = spawn(process.execPath, [path.resolve('scripts/test.ts'), file], {
      cwd: directory,
      stdio: 'ignore',
      // Otherwise Node.js takes the runner for a test file of this run.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    const ended = once(runner, 'exit');
    await eventually('the test runs', async () => existsSync(begun), 60_000);
    const { pid, runDir } = JSON.parse(readFileSync(begun, 'utf8')) as {
      pid: number;
      runDir: string;
    };
    assert.ok(existsSync(runDir));
    runner.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    assert.notEqual(code, 0);
    assert.equal(existsSync(runDir), false);
    await eventually('the process of the test has ended', async () => !isRunning(pid));
  });
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  // A zombie has ended.
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
