import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecret } from '../src/lib/secrets.ts';
import { type PinnedProcess, startPinned, untilReady } from './pinned-process.ts';
import { ports, upstreamUrl } from './ports.ts';

export const ACCOUNT_ID = '0123456789abcdef0123456789abcdef';
export const TOKEN = createSecret('lkat_');
const FIRST_START_TIMEOUT_MS = 20_000;
const DROPPED_ROWS = 'latchkey_gateway_log_rows_dropped_total';

const origin = `http://127.0.0.1:${ports.latchkey}`;

/** Where {@link startLatchkey} keeps what it stores. */
export const dataDirOf = (directory: string): string => path.join(directory, 'latchkey');

export const latchkey = {
  accountUrl: `${origin}/client/v4/accounts/${ACCOUNT_ID}`,
  headers: { authorization: `Bearer ${TOKEN}` },
};

export const latchkeyReadyUrl = `${origin}/readyz`;

/**
 * Starts Latchkey with the upstream as a provider and SQLite in a directory of its own, and does not wait.
 * @param command what runs before it, such as a shell that raises a limit
 * @param settings on top of these, as environment variables
 */
export function launchLatchkey(
  directory: string,
  command: readonly string[] = [],
  settings: Record<string, string> = {},
): PinnedProcess {
  return startPinned(0, [...command, process.execPath, 'bin/latchkey.js'], {
    LATCHKEY_PORT: String(ports.latchkey),
    LATCHKEY_DATA_DIR: dataDirOf(directory),
    LATCHKEY_BOOTSTRAP_ACCOUNT_ID: ACCOUNT_ID,
    LATCHKEY_BOOTSTRAP_TOKEN: TOKEN,
    LATCHKEY_PROVIDER_OPENAI_BASE_URL: upstreamUrl,
    LATCHKEY_LOG_LEVEL: 'warn',
    ...settings,
  });
}

/** The same, and waits until it answers its token. */
export async function startLatchkey(
  ...parameters: Parameters<typeof launchLatchkey>
): Promise<PinnedProcess> {
  const server = launchLatchkey(...parameters);
  await untilReady(latchkeyReadyUrl, server);
  await untilKnown();
  return server;
}

/** On the first start the server listens before it has made the account and the token. */
async function untilKnown(): Promise<void> {
  const deadlineMs = Date.now() + FIRST_START_TIMEOUT_MS;
  for (;;) {
    const { ok, status } = await fetch(latchkey.accountUrl, { headers: latchkey.headers });
    if (ok) return;
    if (Date.now() > deadlineMs) throw new Error(`Latchkey answers its token with ${status}`);
    await delay(50);
  }
}

/** What Latchkey says of itself at `/metrics`: the values of series without labels, by name. */
export async function readMetrics(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const samples = text.matchAll(/^(\w+) (\S+)$/gm);
  return new Map(Array.from(samples, ([, name = '', value]) => [name, Number(value)]));
}

/** A sentence on whether the log kept up, which belongs to every figure of the gateway. */
export async function describeLog(): Promise<string> {
  const dropped = (await readMetrics()).get(DROPPED_ROWS);
  return `Log rows that Latchkey could not keep: ${dropped ?? 'unknown'}.`;
}
