import { createHook } from 'node:async_hooks';
import { closeSync, openSync } from 'node:fs';
import { describe } from 'node:test';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { recordResult } from './file-results.ts';

const closings: (() => Promise<void>)[] = [];

/** Has something closed that the files of this process share, and that would keep it from ending. */
export function afterLastFile(close: () => Promise<void>): void {
  closings.push(close);
}

/**
 * Runs test files in this process, one after the other, and shares them with other processes that do the
 * same: what a process costs before its first test, and what it learns while it runs, is paid for once,
 * and all processes end at about the same time. Each file is a suite, so that its hooks are its own and a
 * report names it.
 * @param claimsDir an empty directory, the same for all processes
 */
export function runFiles(files: readonly string[], claimsDir: string): void {
  const claims = claimFiles(files, claimsDir);
  let running: string | undefined;
  let hooks: AsyncHook[] | undefined;

  const runNext = (): void => {
    running = claims.next().value ?? undefined;
    if (running === undefined) {
      for (const close of closings) void close();
      return;
    }
    const file = running;
    let declared: Promise<void> | undefined;
    const declare = (): void => {
      declared = runFile(file, () => setImmediate(runNext));
    };
    if (hooks === undefined) hooks = enabledHooks(declare);
    else {
      hooks.forEach((hook) => hook.enable());
      declare();
    }
    void declared?.then(() => hooks?.forEach((hook) => hook.disable()));
  };
  runNext();

  const reportEscaped = (error: unknown): void => {
    if (running !== undefined) recordResult(path.relative('', running), 'failed');
    process.stderr.write(`an error escaped in ${running}: ${inspect(error)}\n`);
  };
  process.on('unhandledRejection', reportEscaped);
  process.on('uncaughtExceptionMonitor', reportEscaped);
  let isDone = false;
  process.on('beforeExit', () => {
    isDone = running === undefined;
  });
  // A test that ends the process also ends the tests that follow it.
  process.on('exit', () => {
    if (isDone) return;
    process.exitCode = 1;
    process.stderr.write(`the process ended too early, in ${running}\n`);
  });
}

/** The files that no other process has begun, each at the time when it is asked for. */
function* claimFiles(files: readonly string[], claimsDir: string): Generator<string, void> {
  for (const [index, file] of files.entries()) {
    try {
      closeSync(openSync(path.join(claimsDir, String(index)), 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    yield file;
  }
}

/** @returns resolves when the file has declared its tests, or has failed to */
function runFile(file: string, onEnd: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = describe(path.relative('', file), async () => {
    try {
      await import(pathToFileURL(file).href);
    } finally {
      resolve();
    }
  });
  void ended.then(onEnd);
  return promise;
}

/**
 * The hooks that something enables. node:test watches every promise there is, to know in which suite a
 * test is declared and which test an error escapes from: a fifth of the time of these tests. Once those of
 * a file are declared it need not: an error that escapes still fails the process, which says in which file.
 */
function enabledHooks(run: () => void): AsyncHook[] {
  const hooks: AsyncHook[] = [];
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
  // eslint-disable-next-line typescript/unbound-method -- it is called with what it belongs to
  const { enable } = prototype;
  prototype.enable = function enableAndTell() {
    hooks.push(this);
    return enable.call(this);
  };
  run();
  prototype.enable = enable;
  return hooks;
}

type AsyncHook = ReturnType<typeof createHook>;
