import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { ForbiddenAddressError } from '../../http/guarded-agent.ts';
import { parseRetryAfter } from '../../lib/retry-after.ts';
import type { SpanTarget } from '../record.ts';

/** The result of a request with spans. */
export type Delivery =
  /** The spans arrived. The receiver may have rejected some of them. */
  | { kind: 'taken'; rejectedSpans: number; reason: string }
  /** A later request may succeed. */
  | { kind: 'busy'; retryAfterMs: number | undefined; error: Error }
  | { kind: 'refused'; error: Error };

export interface ExportAttempt {
  /** Refuses private addresses. */
  dispatcher: Dispatcher;
  /** Time limit of the whole request. */
  timeoutMs: number;
  /** The current time, for a date in `retry-after`. */
  nowMs: number;
}

// OTLP specification, "Retryable Response Codes".
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const OWN_HEADERS: readonly string[] = Object.entries({
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'latchkey',
}).flat();

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;

// An invalid header or URL stays invalid.
const INVALID_ARGUMENT = 'UND_ERR_INVALID_ARG';

/**
 * Sends spans once, by OTLP over HTTP in JSON. Redirects are not followed. Never rejects.
 * @param body an ExportTraceServiceRequest
 */
export async function sendSpans(
  { url, headers }: Pick<SpanTarget, 'url' | 'headers'>,
  body: string,
  { dispatcher, timeoutMs, nowMs }: ExportAttempt,
): Promise<Delivery> {
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: [...OWN_HEADERS, ...headers],
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { statusCode } = answer;
    // An unreadable body of a success is no reason to send the spans again.
    const text = await readText(answer.body).catch(() => '');
    if (statusCode >= 200 && statusCode < 300)
      return { kind: 'taken', ...readPartialSuccess(text) };
    const error = new Error(`the receiver of spans responded with status ${statusCode}`);
    if (!RETRYABLE.has(statusCode)) return { kind: 'refused', error };
    return { kind: 'busy', retryAfterMs: parseRetryAfter(answer.headers, nowMs), error };
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    const isFinal = error instanceof ForbiddenAddressError || error.code === INVALID_ARGUMENT;
    return isFinal ? { kind: 'refused', error } : { kind: 'busy', retryAfterMs: undefined, error };
  }
}

/** Returns the body of a response; empty if it is too long. */
async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The end of the loop closes the connection.
    if (length > MAX_ANSWER_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the number of rejected spans (OTLP specification, "Partial Success"); 0 for any other response. */
function readPartialSuccess(text: string): { rejectedSpans: number; reason: string } {
  const none = { rejectedSpans: 0, reason: '' };
  if (!text.includes('partialSuccess')) return none;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return none;
  }
  const { partialSuccess } = answer as { partialSuccess?: Record<string, unknown> | null };
  const { rejectedSpans, errorMessage } = partialSuccess ?? {};
  // The encoding of 64 bits is a text, but some receivers send a number.
  const count = Number(rejectedSpans ?? 0);
  return {
    rejectedSpans: Number.isSafeInteger(count) && count > 0 ? count : 0,
    reason: typeof errorMessage === 'string' ? errorMessage.slice(0, MAX_REASON_LENGTH) : '',
  };
}
