import { after, describe } from 'node:test';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Declares the tests of several files in one process, one file after the other: what a process costs
 * before its first test, and what it learns while it runs, is paid for once. Each file is a suite, so
 * that its hooks are its own and a report names it.
 */
export function declareFiles(files: readonly string[]): void {
  const unfinished = new Set(files);
  for (const file of files) {
    describe(path.relative('', file), async () => {
      await import(pathToFileURL(file).href);
      after(() => unfinished.delete(file));
    });
  }
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
