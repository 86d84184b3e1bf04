import { createHook } from 'node:async_hooks';
import { after, describe } from 'node:test';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

/**
 * Declares the tests of several files in one process, one file after the other: what a process costs
 * before its first test, and what it learns while it runs, is paid for once. Each file is a suite, so
 * that its hooks are its own and a report names it.
 */
export function declareFiles(files: readonly string[]): void {
  const unfinished = new Set(files);
  const hooks = enabledHooks(() => {
    const declared = files.map((file) => declareFile(file, () => unfinished.delete(file)));
    void Promise.all(declared).then(() => hooks.forEach((hook) => hook.disable()));
  });
  const tell = (error: unknown): void => {
    process.stderr.write(`an error escaped in ${[...unfinished][0]}: ${inspect(error)}\n`);
  };
  process.on('unhandledRejection', tell);
  process.on('uncaughtExceptionMonitor', tell);
  let isDone = false;
  process.on('beforeExit', () => {
    isDone = true;
  });
  // Whoever ends the process would take the tests along that are still to come.
  process.on('exit', () => {
    if (isDone) return;
    process.exitCode = 1;
    process.stderr.write(`the process ended too early, in ${[...unfinished][0]}\n`);
  });
}

/** @returns resolves when the file has declared its tests, or has failed to */
function declareFile(file: string, onEnd: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  describe(path.relative('', file), async () => {
    try {
      await import(pathToFileURL(file).href);
      after(onEnd);
    } finally {
      resolve();
    }
  });
  return promise;
}

/**
 * The hooks that something enables. node:test watches every promise there is, to know in which suite a
 * test is declared and which test an error escapes from: a fifth of the time of these tests. Once all
 * are declared it need not: an error that escapes still fails the process, which says in which file.
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
