import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface RecordedRequest {
  method: string;
  url: string;
  /** Alternating names and values, as sent. */
  headers: string[];
  body: string;
  aborted: boolean;
}

/** A provider in a process of its own. */
export interface Upstream {
  /** For LATCHKEY_PROVIDER_…_BASE_URL. */
  baseUrl: string;
  /** Everything it was sent so far. */
  recorded(): Promise<RecordedRequest[]>;
  /** Lets streams that wait go on. */
  release(): Promise<void>;
  stop(): Promise<void>;
}

/** @param file what it does, next to this file */
export async function startUpstream(file = 'openai-upstream.ts'): Promise<Upstream> {
  const child = spawn(process.execPath, [`test/support/${file}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const origin = `http://127.0.0.1:${port}`;
  return {
    baseUrl: `${origin}/v1`,
    async recorded() {
      return (await (await fetch(`${origin}/recorded`)).json()) as RecordedRequest[];
    },
    async release() {
      await fetch(`${origin}/release`, { method: 'POST' });
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The value of a header that a provider was sent, by its lower-case name. */
export function headerOf({ headers }: RecordedRequest, name: string): string | undefined {
  const index = headers.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name);
  return index < 0 ? undefined : headers[index + 1];
}
