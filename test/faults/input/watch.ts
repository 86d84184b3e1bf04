import { readFileSync, readdirSync } from 'node:fs';
import { request } from '../../support/server.ts';
import type { CliProcess } from '../../support/cli.ts';

/** How a server process stands, after all garbage is gone. */
export interface Standing {
  requests: number;
  /** Live JavaScript objects. */
  heapBytes: number;
  /** Resident memory of the process. */
  residentBytes: number;
  descriptors: number;
  /** Longest delay of the event loop since the last look, as the server's own metrics tell it. */
  loopDelayMs: number;
}

const SETTLE_MS = 1_000;

/** Looks into a server process through its debugger's port, which is the only way to have it collect garbage. */
export class ServerWatch {
  readonly #process: CliProcess;
  readonly #origin: string;
  readonly #debugger: WebSocket;
  readonly #waiting = new Map<number, (result: Record<string, number>) => void>();
  #commands = 0;
  #loopDelayMs = 0;

  private constructor(process: CliProcess, origin: string, socket: WebSocket) {
    this.#process = process;
    this.#origin = origin;
    this.#debugger = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as {
        id: number;
        result: Record<string, number>;
      };
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param process started with {@link WATCHED} */
  static async create(process: CliProcess, origin: string): Promise<ServerWatch> {
    const address = /ws:\/\/\S+/.exec(process.stderr)?.[0];
    if (address === undefined) throw new Error(`there is no debugger:\n${process.stderr}`);
    const socket = new WebSocket(address);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the debugger refuses')));
    await promise;
    return new ServerWatch(process, origin, socket);
  }

  /** Collects garbage and measures. */
  async look(requests: number): Promise<Standing> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    await this.noteLoopDelay();
    await this.#command('HeapProfiler.collectGarbage');
    const { usedSize = 0 } = await this.#command('Runtime.getHeapUsage');
    const { pid } = this.#process.child;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const loopDelayMs = this.#loopDelayMs;
    this.#loopDelayMs = 0;
    // What the collection itself has held up is nobody's doing.
    await request('GET', `${this.#origin}/metrics`);
    return {
      requests,
      heapBytes: usedSize,
      residentBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      loopDelayMs,
    };
  }

  /** Asks the metrics, which forget with each answer what the longest delay was. */
  async noteLoopDelay(): Promise<void> {
    const { text } = await request('GET', `${this.#origin}/metrics`);
    const seconds = Number(
      /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN,
    );
    this.#loopDelayMs = Math.max(this.#loopDelayMs, seconds * 1_000);
  }

  close(): void {
    this.#debugger.close();
  }

  #command(method: string): Promise<Record<string, number>> {
    const id = ++this.#commands;
    const { promise, resolve } = Promise.withResolvers<Record<string, number>>();
    this.#waiting.set(id, resolve);
    this.#debugger.send(JSON.stringify({ id, method }));
    return promise;
  }
}

/** Arguments of Node for a server that is watched. */
export const WATCHED = ['--inspect=127.0.0.1:0'];
