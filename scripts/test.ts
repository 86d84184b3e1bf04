import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTemplates } from '../test/support/databases.ts';
import { readResults } from '../test/support/file-results.ts';
import { observedErrorsFile } from '../test/support/observed-errors.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { declaredErrors } from './declared-errors.ts';

/**
 * Runs the tests: `npm test` runs all, `npm test -- test/tags/put-tags.test.ts` runs some. Options are passed to Node.js.
 * Tests run on SQLite. Those of test/support/postgres-subset.ts also run on a PostgreSQL server that this command starts;
 * with `--databases all`, all of them do. A complete run repeats up to five files that fail, one at a time, and reports
 * them. It fails unless some test produces each declared error.
 */
// Tests wait about half of their time, so this number keeps two cores busy.
const CONCURRENT_PROCESSES = 4;
// Each server that logs requests starts threads, and a run starts hundreds of servers.
const RUNNER_OPTIONS = [
  `--test-concurrency=${CONCURRENT_PROCESSES}`,
  // More threads for compilation and garbage collection cannot help: there are more processes than cores.
  '--v8-pool-size=1',
  '--single-threaded-gc',
  // In MiB. A smaller heap is collected often while it grows.
  '--min-semi-space-size=16',
  // Most code runs too rarely to be optimized, so it is compiled at once instead of interpreted first.
  '--always-sparkplug',
  `--import=${new URL('../test/support/plain-imports.ts', import.meta.url).href}`,
];
const REPORTERS = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${new URL('slowest-files.ts', import.meta.url).href}`,
  '--test-reporter-destination=stdout',
];
const MOST_REPEATED = 5;
const MEMORY_DIR = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;

const { databases, options, patterns } = readArguments(process.argv.slice(2));
const isComplete = patterns.length === 0 && options.length === 0;
const runDir = mkdtempSync(path.join(fastDirectory(), 'latchkey-run-'));
let endProcesses = (): void => {};
// The command also exits here after a signal, while the processes of the tests would continue.
process.on('exit', () => {
  endProcesses();
  // Processes that were just killed may still write a file.
  rmSync(runDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});
// PostgreSQL does not run as root, so another user needs access to its directory.
chmodSync(runDir, 0o755);

interface TestArguments {
  databases: 'all' | 'subset';
  /** Options of Node. */
  options: string[];
  /** Files, folders and globs. */
  patterns: string[];
}

function readArguments(given: readonly string[]): TestArguments {
  const found: TestArguments = { databases: 'subset', options: [], patterns: [] };
  const rest = [...given];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [, value] = /^--databases(?:=(.*))?$/.exec(argument) ?? [];
    if (argument === '--databases' || value !== undefined) {
      const databases = value ?? rest.shift();
      if (databases !== 'all' && databases !== 'subset') {
        process.stderr.write('--databases must be all or subset\n');
        process.exit(1);
      }
      found.databases = databases;
    } else (argument.startsWith('-') ? found.options : found.patterns).push(argument);
  }
  return found;
}

/**
 * Returns a directory in memory if it has enough space. A run creates hundreds of databases of 300 files each, and ext4 creates
 * files ten times slower after many were deleted.
 */
function fastDirectory(): string {
  if (!existsSync(MEMORY_DIR)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  return bavail * bsize >= NEEDED_BYTES ? MEMORY_DIR : tmpdir();
}

/**
 * @param pattern a folder, a file or a glob
 * @throws Error if no test file matches the pattern
 */
function findFiles(pattern: string): string[] {
  const isFolder = existsSync(pattern) && statSync(pattern).isDirectory();
  const files = globSync(isFolder ? path.join(pattern, '**/*.test.ts') : pattern, {
    exclude: ['**/node_modules/**'],
  });
  if (files.length === 0) throw new Error(`there is no test file ${pattern}`);
  return files;
}

/**
 * Writes the script of each process: it runs a file that no other process has begun, then the next one.
 * @param name name of the run, unique within this command
 */
function writeProcesses(name: string, files: readonly string[], count: number): string[] {
  const claimsDir = path.join(runDir, `claims-${name}`);
  mkdirSync(claimsDir);
  const support = path.resolve(import.meta.dirname, '../test/support/file-group.ts');
  const members = files.map((file) => path.resolve(file));
  const lines = [
    `import { runFiles } from ${JSON.stringify(support)};`,
    `runFiles(${JSON.stringify(members, undefined, 2)}, ${JSON.stringify(claimsDir)});`,
  ];
  return Array.from({ length: Math.min(files.length, count) }, (_, index) => {
    const file = path.join(runDir, `${name}-${index + 1}.mjs`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
}

function unobservedErrors(): string[] {
  const file = observedErrorsFile(runDir);
  const observed = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  return declaredErrors()
    .filter(({ status, code }) => !observed.has(`${status} ${code}`))
    .map(({ status, code, message }) => `${status} ${code} ${message}`);
}

/** @returns the exit code of Node.js */
async function runProcesses(processes: readonly string[], postgresUrl: string): Promise<number> {
  const commandLine = ['--test', ...RUNNER_OPTIONS, ...REPORTERS, ...options, ...processes];
  const runner = spawn(process.execPath, commandLine, {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group, to end all processes of the tests at once.
    detached: true,
    env: {
      ...process.env,
      TMPDIR: path.join(runDir, 'tmp'),
      LATCHKEY_TEST_RUN_DIR: runDir,
      LATCHKEY_TEST_DATABASES: databases,
      LATCHKEY_TEST_POSTGRES_URL: postgresUrl,
      // All processes run the same code, so they share the compiled form.
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/tests'),
    },
  });
  const { pid } = runner;
  endProcesses = () => pid !== undefined && endGroup(pid);
  const [code] = (await once(runner, 'exit')) as [number | null];
  endProcesses();
  return code ?? 1;
}

/** Kills the processes of a group that still run. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // None is left. macOS reports EPERM if there are only zombies.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * Returns the files that a complete run repeats: those that failed, if they are few and every file ended. On a busy
 * machine, a test can exceed a time limit although the product works.
 */
function filesToRepeat(files: readonly string[]): string[] {
  const results = readResults(runDir);
  const failed = files.filter((file) => results.get(file) === 'failed');
  const everyFileEnded = files.every((file) => results.has(file));
  return isComplete && everyFileEnded && failed.length <= MOST_REPEATED ? failed : [];
}

async function runFiles(files: readonly string[], postgresUrl: string): Promise<number> {
  const code = await runProcesses(
    writeProcesses('process', files, CONCURRENT_PROCESSES),
    postgresUrl,
  );
  const repeated = code === 0 ? [] : filesToRepeat(files);
  if (repeated.length === 0) return code;
  const list = `  ${repeated.join('\n  ')}\n`;
  process.stdout.write(`\nThese files failed beside others and run again, alone:\n${list}`);
  const repeatedCode = await runProcesses(writeProcesses('repeated', repeated, 1), postgresUrl);
  const outcome =
    repeatedCode === 0
      ? 'passed when they ran alone'
      : 'failed, or one of them, when they ran alone too';
  process.stdout.write(`\nThese files failed beside others and ${outcome}:\n${list}`);
  return repeatedCode;
}

async function runTests(): Promise<number> {
  const files = [
    ...new Set((patterns.length > 0 ? patterns : ['test/**/*.test.ts']).flatMap(findFiles)),
  ].toSorted();
  mkdirSync(path.join(runDir, 'tmp'));
  const postgres = await startPostgres(runDir);
  try {
    await createTemplates(postgres.url, runDir);
    const code = await runFiles(files, postgres.url);
    if (code !== 0) return code;
  } finally {
    await postgres.stop();
  }
  const missing = isComplete ? unobservedErrors() : [];
  if (missing.length === 0) return 0;
  process.stderr.write(`No test produces these declared errors:\n  ${missing.join('\n  ')}\n`);
  return 1;
}

process.exit(
  await runTests().catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }),
);
