import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import type { Recording } from '../response-sink.ts';
import type { Usage } from '../../usage/usage.ts';

// Larger responses are not cached.
const MAX_ANSWER_BYTES = 25 * 1024 * 1024;
// The key, the entry in both maps, and the overhead of the headers.
const BYTES_PER_ANSWER = 4 * 1024;
// The objects of a buffer, inside and outside of the heap.
const BYTES_PER_CHUNK = 256;
// A stream has thousands of small chunks. Writing each of them would block the event loop.
const JOINED_BYTES = 64 * 1024;

/** Status and headers of a cached response. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string | string[]>;
}

/** A cached response. */
export interface CachedAnswer extends AnswerHead {
  /** The body; small chunks are joined. */
  chunks: readonly Buffer[];
  /** The usage of the original call. */
  usage: Usage;
}

/** For metrics. */
export interface AnswerCacheStats {
  entries: number;
  bytes: number;
  recordingBytes: number;
  hits: number;
  misses: number;
}

/** Clock and limits of a {@link ResponseCache}. */
export interface ResponseCacheParts {
  clock: Clock;
  /** Limit of all entries together. The cache evicts the least recently used ones. */
  maxBytes: number;
  /** Limit of all recordings together. A recording that exceeds it is dropped. */
  maxRecordingBytes: number;
  /** Limit of one body. Default: 25 MiB. */
  maxAnswerBytes?: number;
}

interface Entry {
  answer: CachedAnswer;
  bytes: number;
  /** On the monotonic clock of the cache. */
  expiresAtMs: number;
}

/**
 * Caches responses of providers in the memory of this node. The key decides which clients share a response (see
 * cache-key.ts). The cache contains only complete responses with a 2xx status.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry>;
  readonly #maxAnswerBytes: number;
  readonly #maxRecordingBytes: number;
  #recordingBytes = 0;
  #hits = 0;
  #misses = 0;
  #lastMs = -Infinity;
  #setBackMs = 0;

  constructor({ clock, maxBytes, maxRecordingBytes, maxAnswerBytes }: ResponseCacheParts) {
    this.#clock = clock;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
    this.#maxAnswerBytes = maxAnswerBytes ?? MAX_ANSWER_BYTES;
    this.#maxRecordingBytes = maxRecordingBytes;
  }

  get stats(): AnswerCacheStats {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      recordingBytes: this.#recordingBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** Returns the response with that key, unless it has expired. */
  find(key: string): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#now() < entry.expiresAtMs) {
      this.#hits++;
      return entry.answer;
    }
    this.#misses++;
    if (entry !== undefined) this.#entries.delete(key);
    return undefined;
  }

  /**
   * Begins to record a response, without the headers that belong to one request.
   * @param ttlMs lifetime, from the end of the recording
   * @returns undefined if the recordings have reached their limit
   */
  record(key: string, ttlMs: number, head: AnswerHead): Recording | undefined {
    const headers = lastingHeaders(head.headers);
    let reserved = BYTES_PER_ANSWER + lengthOf(headers);
    if (ttlMs <= 0 || !this.#reserve(reserved)) return undefined;
    const headBytes = reserved;
    const body = new Chunks();
    let bodyBytes = 0;
    let isOver = false;
    const end = () => {
      isOver = true;
      this.#recordingBytes -= reserved;
    };
    return {
      onChunk: (chunk) => {
        if (isOver || chunk.length === 0) return;
        const bytes = chunk.length + BYTES_PER_CHUNK;
        bodyBytes += chunk.length;
        if (bodyBytes > this.#maxAnswerBytes || !this.#reserve(bytes)) {
          body.forget();
          return end();
        }
        reserved += bytes;
        body.add(chunk);
      },
      onEnd: (usage) => {
        if (isOver) return;
        end();
        const chunks = body.join();
        const answer = { status: head.status, headers, chunks, usage };
        const bytes = headBytes + bodyBytes + chunks.length * BYTES_PER_CHUNK;
        this.#entries.set(key, { answer, bytes, expiresAtMs: this.#now() + ttlMs });
      },
      onAbort: () => {
        if (isOver) return;
        end();
        body.forget();
      },
    };
  }

  #reserve(bytes: number): boolean {
    if (this.#recordingBytes + bytes > this.#maxRecordingBytes) return false;
    this.#recordingBytes += bytes;
    return true;
  }

  /** A monotonic time: setting the clock back does not extend the lifetime of entries. */
  #now(): number {
    const nowMs = this.#clock.now();
    this.#setBackMs += Math.max(0, this.#lastMs - nowMs);
    this.#lastMs = nowMs;
    return nowMs + this.#setBackMs;
  }
}

/** The chunks of a recording. */
class Chunks {
  #joined: Buffer[] = [];
  #small: Buffer[] = [];
  #smallBytes = 0;

  add(chunk: Buffer): void {
    this.#small.push(withOwnMemory(chunk));
    this.#smallBytes += chunk.length;
    if (this.#smallBytes >= JOINED_BYTES) this.join();
  }

  /** Returns all chunks so far. */
  join(): readonly Buffer[] {
    const [first] = this.#small;
    if (first === undefined) return this.#joined;
    this.#joined.push(this.#small.length === 1 ? first : this.#joinSmall());
    this.#small = [];
    this.#smallBytes = 0;
    return this.#joined;
  }

  #joinSmall(): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#smallBytes);
    let end = 0;
    for (const chunk of this.#small) end += chunk.copy(whole, end);
    return whole;
  }

  forget(): void {
    this.#joined = [];
    this.#small = [];
  }
}

/** Copies a chunk that is a slice of a larger buffer, so that the cache does not retain that buffer. */
function withOwnMemory(chunk: Buffer): Buffer {
  if (chunk.buffer.byteLength === chunk.length) return chunk;
  const copy = Buffer.allocUnsafeSlow(chunk.length);
  chunk.copy(copy);
  return copy;
}

// They belong to one request, or to the provider key of that request.
const PASSING_HEADERS = new Set([
  'age',
  'apim-request-id',
  'cf-ray',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'openai-processing-ms',
  'openai-organization',
  'openai-project',
  'anthropic-organization-id',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'server-timing',
  'set-cookie',
  'traceparent',
  'transfer-encoding',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-request-id',
  'x-upstream-request-id',
]);
const PASSING_PREFIXES = ['cf-aig-', 'x-ratelimit-', 'ratelimit', 'anthropic-ratelimit-'];

function lastingHeaders(headers: AnswerHead['headers']): AnswerHead['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([header]) => {
      const name = header.toLowerCase();
      return !PASSING_HEADERS.has(name) && !PASSING_PREFIXES.some((one) => name.startsWith(one));
    }),
  );
}

function lengthOf(headers: AnswerHead['headers']): number {
  let length = 0;
  for (const [name, value] of Object.entries(headers)) length += name.length + String(value).length;
  return length;
}
