import { exec } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const CURL = path.join(import.meta.dirname, 'curl.ts');

// A function, so that nothing has to be found: not even Node, which is not the one of the system.
const DEFINE_CURL = 'curl() { "$TEST_NODE" "$TEST_CURL" "$@"; }';

/**
 * Runs a command that people are shown, in a shell that knows no other programs than `curl`.
 * @returns what it wrote
 * @throws Error when the command fails
 */
export async function runInShell(
  command: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(exec)(`${DEFINE_CURL}\n${command}`, {
    env: { ...env, PATH: '', TEST_NODE: process.execPath, TEST_CURL: CURL },
  });
  return stdout;
}
