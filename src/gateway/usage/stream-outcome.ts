import { objectIn, type JsonObject } from '../json/json-fields.ts';

/**
 * A stream contained an error event, or ended without the terminal event of its API; or a JSON body ended
 * before its last bracket, which reaches the client as it is.
 */
export type StreamFailure = 'error' | 'incomplete' | 'malformed';

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
 * Decides if an event stream is complete and contains no error. The events themselves identify their API. A stream of an
 * unknown API needs no terminal event.
 */
export class StreamOutcome {
  #hasError = false;
  #needsEnd: boolean;
  #hasEnd = false;
  #isKnown = false;
  #isGemini = false;
  #hasGeminiEnd = false;
  #carry: Buffer = EMPTY;

  /** @param needsEnd the API is known to have a terminal event */
  constructor(needsEnd = false) {
    this.#needsEnd = needsEnd;
  }

  /** The members `type` and `object` of further events are not relevant. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Reads the members `type`, `object`, `error` and `usageMetadata` of one event, if it has them. */
  note({ type, object, error, usageMetadata }: JsonObject): void {
    if (error !== undefined && error !== null) this.#hasError = true;
    if (usageMetadata !== undefined) this.#isGemini = this.#needsEnd = this.#isKnown = true;
    if (object === 'chat.completion.chunk' || object === 'text_completion') {
      this.#needsEnd = this.#isKnown = true;
    }
    if (typeof type === 'string') this.#noteType(type);
  }

  /** Reads one line of a stream of JSON texts, such as Ollama's or that of Cohere's first API. */
  noteLine(line: JsonObject): void {
    // The results of a batch contain the outcome of each request.
    if (line.custom_id !== undefined) return;
    this.note(line);
    if (line.done === false || line.event_type === 'stream-start') this.#needsEnd = true;
    if (line.done === true || line.event_type === 'stream-end') this.#hasEnd = true;
    if (line.event_type === 'stream-end' && String(line.finish_reason).startsWith('ERROR')) {
      this.#hasError = true;
    }
  }

  /** Reads one object of a list: Gemini's streams are lists of events, with an error as the last. */
  noteItem({ usageMetadata, error }: JsonObject): void {
    const { code, status } = objectIn(error);
    const isError = typeof code === 'number' && typeof status === 'string';
    this.note({ usageMetadata, error: isError ? error : undefined });
  }

  /**
   * Reads a header of a message of Amazon's event streams,
   * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html.
   */
  noteAwsHeader(name: string, value: string): void {
    if (name === ':message-type' && value !== 'event') this.#hasError = true;
    if (name !== ':event-type') return;
    if (value === 'messageStart') this.#needsEnd = true;
    if (value === 'messageStop') this.#hasEnd = true;
  }

  /** Reads the name of an event, which is the `type` of the event in some APIs. */
  noteName(name: string): void {
    // Replicate, https://replicate.com/docs/topics/predictions/streaming.
    if (name === 'output') this.#needsEnd = true;
    if (name === 'done') this.#hasEnd = true;
    this.#noteType(name);
    // In an API with named events, all events have a name.
    if (this.#needsEnd) this.#isKnown = true;
  }

  #noteType(type: string): void {
    if (FAILED_TYPES.has(type)) this.#hasError = true;
    if (TERMINAL_TYPES.has(type)) this.#hasEnd = true;
    if (type.startsWith('response.') || type === 'message_start' || type === 'message-start') {
      this.#needsEnd = true;
    }
  }

  /** The event `[DONE]` ends a stream of chat completions. */
  noteDone(): void {
    this.#hasEnd = true;
  }

  /** Reads the next bytes of the stream, because the mark of Gemini's last event is nested in it. */
  feed(chunk: Buffer): void {
    if (this.#hasEnd || (this.#needsEnd && !this.#isGemini)) return;
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    // The first event of a Gemini stream may also be the last.
    if (GEMINI_ENDS.some((end) => bytes.includes(end))) this.#hasGeminiEnd = true;
    this.#carry = Buffer.from(bytes.subarray(-LONGEST_END));
  }

  /** The terminal event has arrived without an error. Clients then disconnect, often before the connection ends. */
  get isComplete(): boolean {
    return this.#hasEnd && !this.#hasError;
  }

  get failure(): StreamFailure | undefined {
    if (this.#hasError) return 'error';
    const hasEnd = this.#hasEnd || (this.#isGemini && this.#hasGeminiEnd);
    return this.#needsEnd && !hasEnd ? 'incomplete' : undefined;
  }
}
