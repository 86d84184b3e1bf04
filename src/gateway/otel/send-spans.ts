import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { ForbiddenAddressError } from '../../http/guarded-agent.ts';
import type { HeaderPairs } from '../providers/provider.ts';
import type { OtelTarget } from '../../gateway-admin/snapshot.ts';
import { parseRetryAfter } from '../http-headers.ts';

/** What became of spans that were sent. */
export type Delivery =
  /** They arrived; of them, some may not have been kept. */
  | { kind: 'taken'; rejectedSpans: number; reason: string }
  /** The same may fare better later. */
  | { kind: 'busy'; retryAfterMs: number | undefined; error: Error }
  | { kind: 'refused'; error: Error };

export interface ExportAttempt {
  /** That refuses addresses which others must not make the server connect to. */
  dispatcher: Dispatcher;
  /** For the whole call. */
  timeoutMs: number;
  /** The time now, by which a date in `retry-after` is understood. */
  nowMs: number;
}

// OTLP specification, "Retryable Response Codes".
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const OWN_HEADERS: HeaderPairs = Object.entries({
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'latchkey',
}).flat();

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;

// A header or an address that no request can have stays as it is.
const INVALID_ARGUMENT = 'UND_ERR_INVALID_ARG';

/**
 * Sends spans once, by OTLP over HTTP in JSON. Redirects are not followed. Never rejects.
 * @param body an ExportTraceServiceRequest
 */
export async function sendSpans(
  { url, headers }: Pick<OtelTarget, 'url' | 'headers'>,
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
    // What is said besides is not worth sending everything again.
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

/** The text of an answer; empty for one that is too long: it is not asked for more than it must say. */
async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > MAX_ANSWER_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** OTLP specification, "Partial Success". A receiver that says anything else has taken all. */
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
  // 64 bits are a text in this encoding; some receivers send a number.
  const count = Number(rejectedSpans ?? 0);
  return {
    rejectedSpans: Number.isSafeInteger(count) && count > 0 ? count : 0,
    reason: typeof errorMessage === 'string' ? errorMessage.slice(0, MAX_REASON_LENGTH) : '',
  };
}
