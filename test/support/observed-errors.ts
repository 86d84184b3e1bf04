import { appendFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Every error that a test provokes is noted in the directory of the run, so that scripts/test.ts can
 * demand that each declared error is produced by some test.
 */
const seen = new Set<string>();

/** The file of one run that holds the observed errors, a line each. */
export function observedErrorsFile(runDir: string): string {
  return path.join(runDir, 'observed-errors');
}

export function observeError(status: number, code: number): void {
  const key = `${status} ${code}`;
  const runDir = process.env.LATCHKEY_TEST_RUN_DIR;
  if (seen.has(key) || runDir === undefined) return;
  seen.add(key);
  appendFileSync(observedErrorsFile(runDir), `${key}\n`);
}
