/** Members of replies that some providers refuse in the next request. */
const KEYS: ReadonlySet<string> = new Set([
  'annotations',
  'audio',
  'extra_content',
  'parsed',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'refusal',
  'thinking_blocks',
  'tool_call_id',
  'tool_calls',
]);
const MIN_BYTES = '"audio"'.length;
const MAX_BYTES = '"reasoning_content"'.length;

// Depths of the brackets in `{"messages": [{"tool_calls": [{…}]}]}`.
const MESSAGE = 3;
const CALL = 5;

const NONE: ReadonlySet<string> = new Set();

/** Collects the members of replies in a conversation that some providers refuse, and also equal values. */
export class ReplyKeys {
  readonly #body: Buffer;
  #found: Set<string> | undefined;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get found(): ReadonlySet<string> {
    return this.#found ?? NONE;
  }

  /**
   * @param start of the string, at its quote
   * @param end after the other quote
   */
  takeString(start: number, end: number, depth: number): void {
    const length = end - start;
    if (length < MIN_BYTES || length > MAX_BYTES || (depth !== MESSAGE && depth !== CALL)) return;
    const key = this.#body.toString('latin1', start + 1, end - 1);
    if (KEYS.has(key)) (this.#found ??= new Set()).add(key);
  }
}
