import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { declaredErrors } from './declared-errors.ts';
import { observedErrorsFile } from '../test/support/observed-errors.ts';

/**
 * Runs the tests: `npm test` for all, `npm test -- test/tags/put-tags.test.ts` for some. After a
 * complete run it also demands that every declared error was produced by some test.
 */
const files = process.argv.slice(2);
const runDir = mkdtempSync(path.join(tmpdir(), 'latchkey-run-'));
// PostgreSQL refuses to run as root: below here it runs as a user of its own.
chmodSync(runDir, 0o755);

function unobservedErrors(): string[] {
  const file = observedErrorsFile(runDir);
  const observed = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  return declaredErrors()
    .filter(({ status, code }) => !observed.has(`${status} ${code}`))
    .map(({ status, code, message }) => `${status} ${code} ${message}`);
}

const runner = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    ...(files.length > 0 ? files : ['test/**/*.test.ts']),
  ],
  { stdio: 'inherit', env: { ...process.env, LATCHKEY_TEST_RUN_DIR: runDir } },
);
const [code] = (await once(runner, 'exit')) as [number | null];
process.exitCode = code ?? 1;
if (code === 0 && files.length === 0) {
  const missing = unobservedErrors();
  if (missing.length > 0) {
    process.stderr.write(`No test produces these declared errors:\n  ${missing.join('\n  ')}\n`);
    process.exitCode = 1;
  }
}
rmSync(runDir, { recursive: true, force: true });
