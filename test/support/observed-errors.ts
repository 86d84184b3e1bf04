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

/**
 * Notes every error of an answer, in whatever shape it tells them.
 * @returns the code of the first one, undefined when there is none
 */
export function observeErrors(status: number, body: unknown): number | undefined {
  const { errors, error } = (body ?? {}) as { errors?: unknown; error?: unknown };
  const entries = [errors, error].find(Array.isArray) ?? [];
  const codes = entries
    .map((entry: { code?: unknown } | null) => entry?.code)
    .filter((code): code is number => typeof code === 'number');
  for (const code of codes) observeError(status, code);
  return codes[0];
}

function observeError(status: number, code: number): void {
  const key = `${status} ${code}`;
  const runDir = process.env.LATCHKEY_TEST_RUN_DIR;
  if (seen.has(key) || runDir === undefined) return;
  seen.add(key);
  appendFileSync(observedErrorsFile(runDir), `${key}\n`);
}
