import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { Prices } from './cost.ts';

const JOB = 'model-prices';
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 30_000;
// Thirty times what the table has now.
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/** Where newer tables of prices come from, and how often they are asked for. */
export interface PriceSource {
  url: string;
  intervalHours: number;
}

/**
 * Adds to the periodic work of every node what fetches the table of public prices. What does not
 * arrive, or is none, leaves the table as it was and is reported.
 * @param agent reaches addresses of the operator
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
    // Each keeps the table in its memory.
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
    // It is hours until the next time.
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
    // Leaving the loop ends the connection.
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
