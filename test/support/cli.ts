import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { settledWithin } from '../../src/lib/deadline.ts';
import { endWithUs } from './own-children.ts';
import { callingTest, findLeaks, reportLeaks } from './secrets-in-logs.ts';

const LAUNCHER = path.join(import.meta.dirname, '../../bin/latchkey.js');
// It spares a tenth of each start, and changes nothing else.
const PLAIN_IMPORTS = `--import=${new URL('plain-imports.ts', import.meta.url).href}`;

// The longest command takes a few seconds, several times that on a busy machine.
const PATIENCE_MS = 120_000;

export interface CliOptions {
  /** Environment on top of PATH alone: nothing of the test's own surroundings reaches the child. */
  env?: Record<string, string>;
  /** Arguments of Node itself, before the launcher. */
  nodeArguments?: string[];
  /** Another Node than the one that runs the tests. */
  node?: string;
  /** That of another copy of the code. */
  launcher?: string;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running `latchkey` process. */
export class CliProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  #listeners: (() => void)[] = [];
  readonly #closed: Promise<unknown>;
  #isClosed = false;

  constructor(commandLine: string[], options: CliOptions = {}) {
    const { env = {}, nodeArguments = [], node, launcher = LAUNCHER } = options;
    const ownArguments = node === undefined ? [PLAIN_IMPORTS, ...nodeArguments] : nodeArguments;
    this.child = spawn(node ?? process.execPath, [...ownArguments, launcher, ...commandLine], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithUs(this.child);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#wake();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    const source = callingTest();
    this.#closed = once(this.child, 'close').then(() => {
      this.#isClosed = true;
      this.#wake();
      reportLeaks(source, 'log lines', findLeaks(this.#logLines()));
    });
  }

  /** Not what a command prints for its user: that may well be a secret. */
  #logLines(): string[] {
    const logged = this.stdout.split('\n').filter((line) => line.startsWith('{'));
    return [...logged, ...this.stderr.split('\n')];
  }

  #wake(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  /** Resolves with the first match in standard output; rejects when the process ends without one. */
  async seen(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      if (this.#isClosed) throw new Error(`the process ended:\n${this.stdout}${this.stderr}`);
      const change = new Promise<void>((resolve) => void this.#listeners.push(resolve));
      await this.#inTime(change);
    }
  }

  /** @throws with all that the process has said when nothing comes for too long */
  async #inTime(change: Promise<unknown>): Promise<void> {
    if (await settledWithin(PATIENCE_MS, change)) return;
    this.child.kill('SIGKILL');
    throw new Error(`nothing in ${PATIENCE_MS} ms:\n${this.stdout}${this.stderr}`);
  }

  /** The origin on which it listens, once it does. */
  async origin(): Promise<string> {
    return (await this.seen(/listening on (http:\S+)/))[1] ?? '';
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for the end of the process. */
  async result(): Promise<CliResult> {
    await this.#inTime(this.#closed);
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Runs one command to its end. */
export function runCli(commandLine: string[], options?: CliOptions): Promise<CliResult> {
  return new CliProcess(commandLine, options).result();
}
