import { firstOf, type ResponseHeaders } from '../http-headers.ts';
import { CapturedBody } from './captured-body.ts';
import type { HeaderAllowList, LogPayload } from '../../request-log/record.ts';
import type { PayloadBudget } from './payload-budget.ts';
import type { ProviderStep } from '../gateway-request.ts';

/** Limit of both bodies of a row. The request takes precedence. */
const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;

/** Types with readable text. Of images, audio and forms with files, the log stores the size only. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:x-)?(?:ndjson|jsonl|jsonlines)|application\/vnd\.amazon\.eventstream)/i;

/** The dependencies of {@link PayloadCapture}. */
export interface PayloadCaptureParts {
  /** For responses that are captured while they pass. */
  payloadBudget: PayloadBudget;
  headerAllowList: HeaderAllowList;
}

/** Captures headers and bodies of one step for its log row. */
export class PayloadCapture {
  readonly #parts: PayloadCaptureParts;
  readonly #step: ProviderStep;
  readonly #request: readonly Buffer[];
  readonly #requestSize: number;
  #response: CapturedBody | undefined;
  #responseHeaders: ResponseHeaders = {};

  constructor(parts: PayloadCaptureParts, step: ProviderStep) {
    this.#parts = parts;
    this.#step = step;
    const { received } = step.route;
    this.#requestSize = sizeOf(received);
    const { rawHeaders } = step;
    const isKept = isText(
      headerIn(rawHeaders, 'content-type'),
      headerIn(rawHeaders, 'content-encoding'),
    );
    this.#request = isKept ? received : [];
  }

  /**
   * Begins to capture a response, and drops an earlier response of the same step.
   * @param headers the caller may still change them
   */
  begin(headers: ResponseHeaders): CapturedBody {
    this.#response?.release();
    this.#responseHeaders = headers;
    const isKept = isText(firstOf(headers['content-type']), firstOf(headers['content-encoding']));
    const left = MAX_PAYLOAD_BYTES - (this.#request.length === 0 ? 0 : this.#requestSize);
    this.#response = new CapturedBody(this.#parts.payloadBudget, isKept ? Math.max(0, left) : 0);
    return this.#response;
  }

  /** Returns the payload and releases it. Call it once. */
  finish(): LogPayload {
    const { headerAllowList } = this.#parts;
    const requestHeaders = headerAllowList.apply(this.#step.rawHeaders);
    const responsePairs: string[] = [];
    for (const name in this.#responseHeaders) {
      responsePairs.push(name, String(this.#responseHeaders[name]));
    }
    return {
      request: joined(this.#request),
      response: this.#response?.take() ?? [],
      requestSize: this.#requestSize,
      responseSize: this.#response?.size ?? 0,
      requestHeaders: requestHeaders.json,
      responseHeaders: headerAllowList.apply(responsePairs).json,
      secrets: requestHeaders.credentials,
    };
  }

  /** Drops the payload. */
  abandon(): void {
    this.#response?.release();
  }
}

/** A body without a type counts as text: requests that are written by hand often have none. */
function isText(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  return contentType === undefined || TEXT_TYPE.test(contentType);
}

function headerIn(rawHeaders: readonly string[], wanted: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === wanted) return rawHeaders[i + 1];
  }
  return undefined;
}

/** Joins the captured pieces. A single piece needs no copy. */
function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  const isOne = pieces.length === 1 && first !== undefined && first.length <= MAX_PAYLOAD_BYTES;
  return isOne ? first : Buffer.concat(pieces, Math.min(sizeOf(pieces), MAX_PAYLOAD_BYTES));
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
