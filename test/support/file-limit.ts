import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerProcess } from './server-process.ts';

/**
 * Lets a process write no file beyond a length, as if the disk were full: the kernel refuses the rest. That
 * needs no privilege and takes effect at once, as does its end.
 */
export async function limitFiles(
  { process }: Pick<ServerProcess, 'process'>,
  bytes: number | 'unlimited',
): Promise<void> {
  const { pid } = process.child;
  await promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
}
