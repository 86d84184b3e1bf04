import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { Prices } from './cost.ts';

const JOB = 'model-prices';
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 30_000;
// Thirty times the current table.
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/** The URL of newer price tables, and the interval of updates. */
export interface PriceSource {
  url: string;
  intervalHours: number;
}

/**
 * Adds the job of every node that fetches the table of public prices. A failure is reported and leaves the table unchanged.
 * @param agent connects to addresses of the operator
 */
export function addPriceRefresh(
  work: PeriodicWork,
  agent: Dispatcher,
  prices: Prices,
  { url, intervalHours }: PriceSource,
): void {
  work.add({
    name: JOB,
    intervalMs: intervalHours * HOUR_MS,
    // Each node has the table in memory.
    onEveryNode: true,
    async run(signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      await prices.replaceTable(await fetchTable(agent, url, limit));
    },
  });
}

async function fetchTable(
  dispatcher: Dispatcher,
  url: string,
  signal: AbortSignal,
): Promise<unknown> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    signal,
    // The next update is hours later.
    reset: true,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'latchkey',
    },
  });
  if (statusCode !== 200) {
    body.on('error', () => {});
    body.destroy();
    throw new Error(`${url} responded with status ${statusCode}`);
  }
  return parse(await readAll(body, url), url);
}

async function readAll(body: Readable, url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The error ends the connection.
    if (length > MAX_TABLE_BYTES) throw new Error(`${url} is larger than ${MAX_TABLE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(content: Buffer, url: string): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch (error) {
    throw new Error(`${url} is not valid JSON`, { cause: error });
  }
}
