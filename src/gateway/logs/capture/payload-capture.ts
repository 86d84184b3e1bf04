import { firstOf } from '../../headers.ts';
import type { ResponseHeaders } from '../../outlet.ts';
import type { Step } from '../../step.ts';
import { KeptBody } from './kept-body.ts';
import { keptRequestHeaders, keptResponseHeaders } from './kept-headers.ts';
import type { LogPayload } from '../log-row.ts';
import type { PayloadRoom } from './payload-room.ts';

/** Both bodies of a row; the request comes first. */
const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;

/** What can be read: of pictures, sound and forms with files in them, the log knows the size only. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:x-)?(?:ndjson|jsonl|jsonlines)|application\/vnd\.amazon\.eventstream)/i;

/** Gathers what goes to and fro in one step, for its log row. */
export class PayloadCapture {
  readonly #room: PayloadRoom;
  readonly #step: Step;
  readonly #request: readonly Buffer[];
  readonly #requestSize: number;
  #response: KeptBody | undefined;
  #responseHeaders: ResponseHeaders = {};

  constructor(room: PayloadRoom, step: Step) {
    this.#room = room;
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
   * An answer begins; what an earlier one of the same step has left is forgotten.
   * @param headers as far as they are known; what is changed in them later on counts
   * @param isDecoded what is fed is plain, whatever the headers say
   */
  begin(headers: ResponseHeaders, isDecoded = false): KeptBody {
    this.#response?.release();
    this.#responseHeaders = headers;
    const encoding = isDecoded ? undefined : firstOf(headers['content-encoding']);
    const isKept = isText(firstOf(headers['content-type']), encoding);
    const left = MAX_PAYLOAD_BYTES - (this.#request.length === 0 ? 0 : this.#requestSize);
    this.#response = new KeptBody(this.#room, isKept ? Math.max(0, left) : 0);
    return this.#response;
  }

  /** All of it. It may be called once, and nothing is kept after it. */
  finish(): LogPayload {
    return {
      request: joined(this.#request),
      response: this.#response?.take() ?? [],
      requestSize: this.#requestSize,
      responseSize: this.#response?.size ?? 0,
      requestHeaders: keptRequestHeaders(this.#step.rawHeaders),
      responseHeaders: keptResponseHeaders(this.#responseHeaders),
    };
  }

  /** Nothing of it is logged. */
  abandon(): void {
    this.#response?.release();
  }
}

/** What names no type is kept: somebody who writes JSON by hand forgets it. */
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

/** As much as is kept, as one; what is small needs no copy. */
function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  const isOne = pieces.length === 1 && first !== undefined && first.length <= MAX_PAYLOAD_BYTES;
  return isOne ? first : Buffer.concat(pieces, Math.min(sizeOf(pieces), MAX_PAYLOAD_BYTES));
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
