import { createParser } from 'eventsource-parser';
import { measureJson } from '../../http/parse-json.ts';
import { type Head, type ResponseStage, isEventStream } from './response-sink.ts';
import { parseObject } from '../json/json-fields.ts';
import type { RouteTranslation } from '../gateway-request.ts';

// The response is in memory until it can be translated.
const MAX_BODY_BYTES = 32 * 1024 * 1024;
// The maximum number of objects and arrays. Long responses with log probabilities have fewer.
const MAX_CONTAINERS = 50_000;
const NO_BYTES = Buffer.alloc(0);

/** Translates a response that is no stream. */
export class BodyTranslator implements ResponseStage {
  readonly isWhole = true;
  readonly #translation: RouteTranslation;
  readonly #head: Head;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(translation: RouteTranslation, head: Head) {
    this.#translation = translation;
    this.#head = head;
  }

  write(chunk: Buffer): Buffer {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_BODY_BYTES) this.#chunks.push(chunk);
    else this.#chunks = [];
    return NO_BYTES;
  }

  end(): Buffer | undefined {
    const { headers } = this.#head;
    const isReadable = headers['content-encoding'] === undefined;
    delete headers['content-encoding'];
    if (!isReadable || this.#bytes > MAX_BODY_BYTES) return undefined;
    const translated = this.#translate(Buffer.concat(this.#chunks).toString());
    return translated && Buffer.from(JSON.stringify(translated));
  }

  /** @returns undefined if the response of the provider has another form than its API defines */
  #translate(text: string): object | undefined {
    const { translator, input } = this.#translation;
    const { status } = this.#head;
    if (status >= 400) return translator.error(status, this.#errorText(text));
    // The translation of each object blocks the event loop.
    if (measureJson(text).containers > MAX_CONTAINERS) return undefined;
    const parsed = parseObject(text);
    return parsed && translator.response(parsed, input);
  }

  /** Returns the error as JSON, which may be the first event of a stream. */
  #errorText(body: string): string {
    if (!isEventStream(this.#head.contentType)) return body;
    let text: string | undefined;
    const parser = createParser({ onEvent: ({ data }) => (text ??= data) });
    parser.feed(body);
    parser.reset({ consume: true });
    return text ?? body;
  }

  abort(): Buffer {
    return NO_BYTES;
  }
}
