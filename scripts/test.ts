import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPostgresTemplate } from '../test/support/databases.ts';
import { observedErrorsFile } from '../test/support/observed-errors.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { declaredErrors } from './declared-errors.ts';

/**
 * Runs the tests: `npm test` for all, `npm test -- test/tags/put-tags.test.ts` for some. It brings
 * the PostgreSQL server that they need. After a complete run it also demands that every declared
 * error was produced by some test.
 */
// Files wait for disks, timers and other processes about as often as they compute.
const CONCURRENT_FILES = 3;

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

async function runTests(): Promise<number> {
  const postgres = await startPostgres(runDir);
  try {
    await createPostgresTemplate(postgres.url);
    const runner = spawn(
      process.execPath,
      [
        '--test',
        `--test-concurrency=${CONCURRENT_FILES}`,
        ...(files.length > 0 ? files : ['test/**/*.test.ts']),
      ],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          LATCHKEY_TEST_RUN_DIR: runDir,
          LATCHKEY_TEST_POSTGRES_URL: postgres.url,
          // Every file is a process of its own, and all run the same code.
          NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/tests'),
        },
      },
    );
    const [code] = (await once(runner, 'exit')) as [number | null];
    if (code !== 0) return code ?? 1;
  } finally {
    await postgres.stop();
  }
  const missing = files.length > 0 ? [] : unobservedErrors();
  if (missing.length === 0) return 0;
  process.stderr.write(`No test produces these declared errors:\n  ${missing.join('\n  ')}\n`);
  return 1;
}

let exitCode = 1;
try {
  exitCode = await runTests();
} finally {
  rmSync(runDir, { recursive: true, force: true });
  process.exit(exitCode);
}
