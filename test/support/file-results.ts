import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type FileResult = 'passed' | 'failed';

const fileOf = (runDir: string): string => path.join(runDir, 'file-results');

/**
 * Records the result of a test file in the directory of the run.
 * @param file relative to the root of the project
 */
export function recordResult(file: string, result: FileResult): void {
  const runDir = process.env.LATCHKEY_TEST_RUN_DIR;
  if (runDir !== undefined) appendFileSync(fileOf(runDir), `${result} ${file}\n`);
}

/**
 * Reads the results of a run. A file that failed once, for example by an error that escaped from it, has failed.
 * @returns the result of each file that ended
 */
export function readResults(runDir: string): Map<string, FileResult> {
  const results = new Map<string, FileResult>();
  const file = fileOf(runDir);
  if (!existsSync(file)) return results;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const result = line.startsWith('passed ') ? 'passed' : 'failed';
    const name = line.slice(result.length + 1);
    if (results.get(name) !== 'failed') results.set(name, result);
  }
  return results;
}
