import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import { logErrors } from '../../../src/request-log/api/log-errors.ts';
import type { Json } from '../../support/server.ts';
import { HeldUp } from './load.ts';

/** What requests are told apart by in the chart. */
export const GROUPS = ['gateway', 'management', 'OAuth', 'logs'] as const;
export type Group = (typeof GROUPS)[number];

/** One request. */
export interface Sent {
  group: Group;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the origin on. */
  path: string;
  /** Bearer token; null sends none. Default: the one that may do everything. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is a text. */
  body?: unknown;
  /** Default: 200. */
  status?: number;
  /** The client hangs up when so many bytes of the answer are there. */
  hangsUpAfterBytes?: number;
  /** The connection is used for nothing else. */
  isAlone?: boolean;
}

/** Its answer. */
export interface Received {
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Undefined where it is none. */
  json: Json;
}

/** Since the figures were last taken. */
export interface Served {
  /** Answers that were what they should be. */
  answered: number;
  /** In milliseconds. Undefined where nothing was asked. */
  latencies: Readonly<Record<Group, { p50Ms: number; p99Ms: number } | undefined>>;
}

const CONNECTIONS = 48;
// A list of logs that could not be sorted within some seconds, as on a machine that others keep busy.
const LOGS_TOO_BROAD = `"code":${logErrors.logsTooBroad.code},`;
const NS_PER_MS = 1e6;
const PATIENCE_MS = 30_000;

function createPool(origin: string): Pool {
  const timeouts = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
  return new Pool(origin, { connections: CONNECTIONS, pipelining: 1, ...timeouts });
}

/** One of 65,536. From one alone, so many wrong credentials would be too many. */
function someAddress(): string {
  const part = (): number => Math.floor(Math.random() * 256);
  return `10.0.${part()}.${part()}`;
}

/** Sends requests over some connections, and measures how long their answers take. */
export class SoakClient {
  readonly origin: string;
  readonly token: string;
  #pool: Pool;
  readonly #latenciesNs = new Map(GROUPS.map((group) => [group, createHistogram()]));
  #answered = 0;

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
    this.#pool = createPool(origin);
  }

  /** @throws when the answer has another status, or there is none */
  async send(sent: Sent): Promise<Received> {
    const { method = 'GET', path, token = this.token, body, status = 200 } = sent;
    const beganAtMs = performance.now();
    const {
      statusCode,
      headers,
      body: content,
    } = await this.#pool.request({
      method,
      path,
      headers: {
        'x-forwarded-for': someAddress(),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : ((body as string) ?? null),
      reset: sent.isAlone === true,
    });
    const latencyMs = performance.now() - beganAtMs;
    let text = '';
    for await (const chunk of content.setEncoding('utf8')) {
      text += String(chunk);
      // Leaving the loop ends the connection.
      if (text.length >= (sent.hangsUpAfterBytes ?? Infinity)) break;
    }
    if (statusCode !== status) {
      if (text.includes(LOGS_TOO_BROAD)) throw new HeldUp();
      throw new Error(`${method} ${path.slice(0, 100)}: ${statusCode} ${text.slice(0, 300)}`);
    }
    this.count(sent.group, latencyMs);
    const isJson = String(headers['content-type']).startsWith('application/json');
    const isWhole = sent.hangsUpAfterBytes === undefined;
    return { headers, text, json: isJson && isWhole ? JSON.parse(text) : undefined };
  }

  /**
   * Notes an answer.
   * @param latencyMs until it began
   */
  count(group: Group, latencyMs: number): void {
    this.#answered++;
    this.#latenciesNs.get(group)?.record(Math.max(1, Math.round(latencyMs * NS_PER_MS)));
  }

  /** The figures since the last time. */
  take(): Served {
    const latencies = {} as Record<Group, { p50Ms: number; p99Ms: number } | undefined>;
    for (const [group, histogram] of this.#latenciesNs) {
      const percentileMs = (percent: number): number => histogram.percentile(percent) / NS_PER_MS;
      latencies[group] =
        histogram.count === 0 ? undefined : { p50Ms: percentileMs(50), p99Ms: percentileMs(99) };
      histogram.reset();
    }
    const answered = this.#answered;
    this.#answered = 0;
    return { answered, latencies };
  }

  /** Leaves no connection open, until there is another request. */
  async rest(): Promise<void> {
    await this.#pool.close();
    this.#pool = createPool(this.origin);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
