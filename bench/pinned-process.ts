import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Contenders have the first core for themselves; load and upstream share the second. */
export type Core = 0 | 1;

const canPin = spawnSync('taskset', ['--version']).status === 0;
const POLL_MS = 50;
const NOT_READY = 503;
const READY_TIMEOUT_MS = 60_000;
// PostgreSQL writes all that it has in memory before it ends.
const STOP_TIMEOUT_MS = 120_000;

const running = new Set<ChildProcess>();

/** @throws Error when one of these programs is not installed */
export function requirePrograms(...programs: string[]): void {
  for (const program of programs) {
    if (spawnSync('which', [program]).status !== 0) {
      throw new Error(`install ${program} first: apt-get install ${programs.join(' ')}`);
    }
  }
}

export interface PinnedProcess {
  readonly pid: number;
  /** It ended by itself, or was stopped. */
  readonly hasEnded: boolean;
  stop(): Promise<void>;
}

function spawnPinned(
  core: Core,
  command: string[],
  env: Record<string, string>,
  stdio: StdioOptions,
): ChildProcess {
  const [program = '', ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(program, args, { stdio, env: { ...process.env, ...env } });
  child.on('error', () => {}); // There is no pid then.
  if (child.pid === undefined) throw new Error(`${program} cannot be started`);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a program on one core, without its output. */
export function startPinned(
  core: Core,
  command: string[],
  env: Record<string, string> = {},
): PinnedProcess {
  const child = spawnPinned(core, command, env, ['ignore', 'ignore', 'inherit']);
  return {
    pid: child.pid ?? 0,
    get hasEnded() {
      return hasEnded(child);
    },
    stop: () => stop(child),
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(kill);
}

/** Stops whatever still runs of what was started here. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop));
}

/**
 * Runs a program on one core to its end and answers what it printed.
 * @param onLine is told each line as it comes
 * @throws Error when it fails
 */
export async function runPinned(
  core: Core,
  command: string[],
  env: Record<string, string> = {},
  onLine: (line: string) => Promise<void> | void = () => {},
): Promise<string> {
  const child = spawnPinned(core, command, env, ['ignore', 'pipe', 'inherit']);
  const closed = once(child, 'close');
  const lines: string[] = [];
  if (child.stdout !== null) {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      await onLine(line);
    }
  }
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`);
  return lines.join('\n');
}

/**
 * Waits until an address answers, with anything but that it is not ready yet.
 * @param pollMs how long it waits before it asks again
 * @throws Error when the process that should answer has ended, as it does when the port is taken
 */
export async function untilReady(
  url: string,
  server: PinnedProcess,
  pollMs = POLL_MS,
): Promise<void> {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (server.hasEnded) throw new Error(`what should answer at ${url} has ended`);
    try {
      const { status } = await fetch(url);
      if (status !== NOT_READY) return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
    }
    await delay(pollMs);
  }
}
