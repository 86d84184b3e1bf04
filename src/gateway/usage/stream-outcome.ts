import type { JsonObject } from '../translation/translation.ts';

/** A stream contained an error event, or ended without the terminal event of its API. */
export type StreamFailure = 'error' | 'incomplete';

const GEMINI_ENDS = ['"finishReason"', '"blockReason"'].map((text) => Buffer.from(text));
const LONGEST_END = 14;
const EMPTY = Buffer.alloc(0);

/** Types of events that end a stream of the Responses API, of Anthropic and of Cohere. */
const TERMINAL_TYPES: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'message_stop',
  'message-end',
]);
const FAILED_TYPES: ReadonlySet<unknown> = new Set([
  'error',
  'response.error',
  'response.failed',
  'response.cancelled',
]);

/**
 * Decides whether an event stream is complete and free of errors. The events themselves show which API
 * they belong to; a stream of an unknown API needs no terminal event.
 */
export class StreamOutcome {
  #hasError = false;
  #needsEnd = false;
  #hasEnd = false;
  #isGemini = false;
  #hasGeminiEnd = false;
  #carry: Buffer = EMPTY;

  /** Takes the members `type`, `object`, `error` and `usageMetadata` of one event, if it has them. */
  note(event: JsonObject): void {
    const { type, object, error, usageMetadata } = event;
    if (FAILED_TYPES.has(type) || (error !== undefined && error !== null)) this.#hasError = true;
    if (TERMINAL_TYPES.has(type)) this.#hasEnd = true;
    if (usageMetadata !== undefined) this.#isGemini = this.#needsEnd = true;
    if (object === 'chat.completion.chunk' || object === 'text_completion') this.#needsEnd = true;
    if (typeof type !== 'string') return;
    if (type.startsWith('response.') || type === 'message_start' || type === 'message-start') {
      this.#needsEnd = true;
    }
  }

  /** Takes the name of an event. */
  noteName(name: string): void {
    if (name === 'error') this.#hasError = true;
    if (name === 'message_stop' || name === 'done') this.#hasEnd = true;
  }

  /** The event `[DONE]` ends a stream of chat completions. */
  noteDone(): void {
    this.#hasEnd = true;
  }

  /** Takes the next bytes of the stream: Gemini marks its last event deep inside it. */
  feed(chunk: Buffer): void {
    if (this.#hasEnd || (this.#needsEnd && !this.#isGemini)) return;
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    // The first event of a Gemini stream may also be the last.
    if (GEMINI_ENDS.some((end) => bytes.includes(end))) this.#hasGeminiEnd = true;
    this.#carry = Buffer.from(bytes.subarray(-LONGEST_END));
  }

  get failure(): StreamFailure | undefined {
    if (this.#hasError) return 'error';
    const hasEnd = this.#hasEnd || (this.#isGemini && this.#hasGeminiEnd);
    return this.#needsEnd && !hasEnd ? 'incomplete' : undefined;
  }
}
