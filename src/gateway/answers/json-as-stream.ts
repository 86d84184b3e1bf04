import type { ErrorDefinition } from '../../http/errors.ts';
import { measureJson } from '../../http/parse-json.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { parseObject } from '../translation/json-fields.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import type { Answer } from './answer.ts';
import { streamOf } from './streamed-json.ts';
import { writeEvent } from './write-event.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** The maximum number of objects and arrays: the conversion blocks the event loop. */
const MAX_CONTAINERS = 50_000;

/** A JSON response to a client that asks for a stream: passed on as a stream, if its API is recognized. */
export class JsonAsStream implements Answer {
  readonly #createStream: () => Answer;
  readonly #createJson: () => Answer;
  #answer: Answer | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * @param createStream creates the way back for an event stream of the provider
   * @param createJson the same for its JSON
   */
  constructor(createStream: () => Answer, createJson: () => Answer) {
    this.#createStream = createStream;
    this.#createJson = createJson;
  }

  feed(chunk: Buffer): boolean {
    if (this.#answer !== undefined) return this.#answer.feed(chunk);
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    return this.#bytes <= MAX_BYTES || this.#pass(this.#createJson(), Buffer.concat(this.#chunks));
  }

  end(): MaybePromise<ErrorDefinition | undefined> {
    if (this.#answer !== undefined) return this.#answer.end();
    const body = Buffer.concat(this.#chunks);
    const events = this.#eventsOf(body.toString());
    if (events === undefined) this.#pass(this.#createJson(), body);
    else this.#pass(this.#createStream(), Buffer.from(events));
    return this.#current().end();
  }

  #eventsOf(text: string): string | undefined {
    if (measureJson(text).containers > MAX_CONTAINERS) return undefined;
    const parsed = parseObject(text);
    return parsed && streamOf(parsed)?.map(writeEvent).join('');
  }

  #pass(answer: Answer, body: Buffer): boolean {
    this.#answer = answer;
    this.#chunks = [];
    return answer.feed(body);
  }

  #current(): Answer {
    return (this.#answer ??= this.#createJson());
  }

  fail(definition: ErrorDefinition): void {
    this.#current().fail(definition);
  }

  abandon(): void {
    this.#answer?.abandon();
  }

  usage(): Usage {
    return this.#answer?.usage() ?? UNKNOWN_USAGE;
  }
}
