import { createParser } from 'eventsource-parser';
import type { ErrorDefinition } from '../../http/errors.ts';
import type { AnswerTarget } from '../answers/answer-target.ts';
import { type Answer, isEventStream } from '../answers/answer.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { RouteTranslation } from '../resolve-route.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import type { Usage } from '../usage/usage.ts';
import { measureJson } from '../../http/parse-json.ts';
import { parseObject } from './json-fields.ts';

// A whole answer is held in memory until it can be translated.
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
// The maximum number of objects and arrays. Long answers with log probabilities have fewer.
const MAX_CONTAINERS = 50_000;

/** An answer that comes all at once. */
export class TranslatedAnswer implements Answer {
  readonly #target: AnswerTarget;
  readonly #usage: UsageReader;
  readonly #translation: RouteTranslation;
  /** False: in a coding that is not supported. */
  readonly #isReadable: boolean;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(target: AnswerTarget, usage: UsageReader, translation: RouteTranslation) {
    this.#target = target;
    this.#usage = usage;
    this.#translation = translation;
    delete target.head.headers['content-length'];
    this.#isReadable = target.head.headers['content-encoding'] === undefined;
    delete target.head.headers['content-encoding'];
  }

  feed(chunk: Buffer): boolean {
    this.#usage.feed(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_ANSWER_BYTES) this.#chunks.push(chunk);
    else this.#chunks = [];
    return true;
  }

  async end(): Promise<ErrorDefinition | undefined> {
    const { head } = this.#target;
    const isReadable = this.#isReadable && this.#bytes <= MAX_ANSWER_BYTES;
    const translated = isReadable ? this.#translate(Buffer.concat(this.#chunks)) : undefined;
    if (translated === undefined) {
      // The client has received nothing yet.
      const { upstreamFailed } = gatewayErrors;
      head.status = upstreamFailed.status;
      this.#send(this.#target.errorBody(upstreamFailed));
      return upstreamFailed;
    }
    this.#send(translated);
    this.#target.complete(this.#usage.read());
    return undefined;
  }

  /** @returns undefined if the response of the provider has another form than its API defines */
  #translate(body: Buffer): object | undefined {
    const { translation, asked } = this.#translation;
    const { status } = this.#target.head;
    const text = body.toString();
    if (status >= 400) return translation.error(status, this.#errorText(text));
    // The translation of each object blocks the event loop.
    if (measureJson(text).containers > MAX_CONTAINERS) return undefined;
    const parsed = parseObject(text);
    return parsed && translation.answer(parsed, asked);
  }

  /** The error as JSON, which may have come as the first event of a stream. */
  #errorText(body: string): string {
    if (!isEventStream(this.#target.head.contentType)) return body;
    let text: string | undefined;
    const parser = createParser({ onEvent: ({ data }) => (text ??= data) });
    parser.feed(body);
    parser.reset({ consume: true });
    return text ?? body;
  }

  fail(definition: ErrorDefinition): void {
    const { head } = this.#target;
    head.status = definition.status;
    this.#send(this.#target.errorBody(definition));
  }

  #send(answer: object): void {
    const body = Buffer.from(JSON.stringify(answer));
    const { headers } = this.#target.head;
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
    this.#target.end(body);
  }

  abandon(): void {
    this.#target.abandon();
  }

  usage(): Usage {
    return this.#usage.read();
  }
}
