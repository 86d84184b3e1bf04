import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithUs } from './own-children.ts';

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
  /** The last of it. */
  lastSent(): Promise<RecordedRequest>;
  /** Lets streams that wait go on. */
  release(): Promise<void>;
  stop(): Promise<void>;
}

/** @param file what it does, next to this file */
export async function startUpstream(file = 'openai-upstream.ts'): Promise<Upstream> {
  const child = spawn(process.execPath, [`test/support/${file}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const origin = `http://127.0.0.1:${port}`;
  const recorded = async (): Promise<RecordedRequest[]> =>
    (await (await fetch(`${origin}/recorded`)).json()) as RecordedRequest[];
  return {
    baseUrl: `${origin}/v1`,
    recorded,
    async lastSent() {
      const sent = (await recorded()).at(-1);
      assert.ok(sent);
      return sent;
    },
    async release() {
      await fetch(`${origin}/release`, { method: 'POST' });
    },
    async stop() {
      // It has crashed, which its requests have told.
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The value of a header that a provider was sent, by its lower-case name. */
export function headerOf(
  sent: Pick<RecordedRequest, 'headers'> | undefined,
  name: string,
): string | undefined {
  return sent && headersOf(sent).get(name);
}

/** All headers that a provider was sent, by their lower-case names. */
export function headersOf({ headers }: Pick<RecordedRequest, 'headers'>): Map<string, string> {
  return new Map(
    headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
    ),
  );
}
