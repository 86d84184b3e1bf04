import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { Usage } from '../usage/usage.ts';

// Larger answers are passed on, and not kept.
const MAX_ANSWER_BYTES = 25 * 1024 * 1024;
// The key, the entry's places in the maps, and what headers take besides their texts.
const BYTES_PER_ANSWER = 4 * 1024;
// A buffer's objects, in and outside of the heap.
const BYTES_PER_CHUNK = 256;
// A stream comes in thousands of small chunks: given out one by one, they would hold up everybody else.
const JOINED_BYTES = 64 * 1024;

/** What the client was given apart from the body. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string | string[]>;
}

/** An answer as it was given before. */
export interface CachedAnswer extends AnswerHead {
  /** As they came, small ones joined. */
  chunks: readonly Buffer[];
  /** What the provider counted the first time. */
  usage: Usage;
}

/** An answer on its way into the cache. It ends with `commit` or `discard`; after that it does nothing. */
export interface Recording {
  /** Takes the next chunk; an answer that does not fit any more is discarded. */
  feed(chunk: Buffer): void;
  /** The answer is complete: from now on it is found. */
  commit(usage: Usage): void;
  /** The answer broke off, or is not worth keeping. */
  discard(): void;
}

/** For metrics. */
export interface AnswerCacheStats {
  entries: number;
  bytes: number;
  recordingBytes: number;
  hits: number;
  misses: number;
}

/** What an AnswerCache works with. */
export interface AnswerCacheParts {
  clock: Clock;
  /** All entries together. Those not used for longest give way. */
  maxBytes: number;
  /** All recordings together. Those that do not fit are given up, none waits. */
  maxRecordingBytes: number;
  /** One answer's body; left out: 25 MiB. */
  maxAnswerBytes?: number;
}

interface Entry {
  answer: CachedAnswer;
  bytes: number;
  /** By the cache's own clock. */
  expiresAtMs: number;
}

/**
 * Answers of providers, kept in this node's memory. Who may find which answer is decided by the key
 * (see cache-key.ts), and what is worth keeping by the caller: only complete answers with a 2xx status.
 */
export class AnswerCache {
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry>;
  readonly #maxAnswerBytes: number;
  readonly #maxRecordingBytes: number;
  #recordingBytes = 0;
  #hits = 0;
  #misses = 0;
  #lastMs = -Infinity;
  #setBackMs = 0;

  constructor({ clock, maxBytes, maxRecordingBytes, maxAnswerBytes }: AnswerCacheParts) {
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

  /** The answer kept under that key, if it is not too old. */
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
   * Begins to record an answer, which lives for that long from when it is complete. What belongs to
   * the one request is left out of its headers.
   * @returns undefined when so much is being recorded that there is no room for another one
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
      feed: (chunk) => {
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
      commit: (usage) => {
        if (isOver) return;
        end();
        const chunks = body.join();
        const answer = { status: head.status, headers, chunks, usage };
        const bytes = headBytes + bodyBytes + chunks.length * BYTES_PER_CHUNK;
        this.#entries.set(key, { answer, bytes, expiresAtMs: this.#now() + ttlMs });
      },
      discard: () => {
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

  /** A time that never goes back: a clock that is set back must not make answers live longer. */
  #now(): number {
    const nowMs = this.#clock.now();
    this.#setBackMs += Math.max(0, this.#lastMs - nowMs);
    this.#lastMs = nowMs;
    return nowMs + this.#setBackMs;
  }
}

/** The chunks of a body that is being recorded. */
class Chunks {
  #joined: Buffer[] = [];
  #small: Buffer[] = [];
  #smallBytes = 0;

  add(chunk: Buffer): void {
    this.#small.push(withOwnMemory(chunk));
    this.#smallBytes += chunk.length;
    if (this.#smallBytes >= JOINED_BYTES) this.join();
  }

  /** @returns all of them so far */
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

/** A chunk that holds no more memory than it is long: it may be a slice of what was read at once. */
function withOwnMemory(chunk: Buffer): Buffer {
  if (chunk.buffer.byteLength === chunk.length) return chunk;
  const copy = Buffer.allocUnsafeSlow(chunk.length);
  chunk.copy(copy);
  return copy;
}

// They tell about the one request, or about the key that it was made with.
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
