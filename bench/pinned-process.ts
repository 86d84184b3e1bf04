import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Contenders have the first core for themselves; load and upstream share the second. */
export type Core = 0 | 1;

const canPin = spawnSync('taskset', ['--version']).status === 0;
const READY_TIMEOUT_MS = 20_000;

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

export interface PinnedProcess {
  stop(): Promise<void>;
}

/** Starts a program on one core, without its output. */
export function startPinned(
  core: Core,
  command: string[],
  env: Record<string, string> = {},
): PinnedProcess {
  const [program = '', ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  return { stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Runs a program on one core to its end and answers what it printed. */
export async function runPinned(
  core: Core,
  command: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const [program = '', ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`);
  return output;
}

/** Waits until an address answers at all. */
export async function untilReady(url: string): Promise<void> {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await delay(50);
    }
  }
}
