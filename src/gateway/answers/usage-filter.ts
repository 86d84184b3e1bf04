import { holdsEmptyChoices, isUsageChunk } from './usage-chunk.ts';

// The chunk that is looked for is much smaller.
const MAX_HELD_BYTES = 32 * 1024;

const NONE = Buffer.alloc(0);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** What ends an event: an empty line. */
const EVENT_END = Buffer.from('\n\n');
/** The same, where lines end otherwise. */
const OTHER_EVENT_ENDS = ['\n\r\n', '\r\r'].map((end) => Buffer.from(end));

/**
 * Takes the chunk with the usage out of a stream of chat completions whose client did not ask for it.
 * Everything else passes as it comes, byte for byte: only an event that has not arrived as a whole is
 * held back, until it is known not to be that chunk.
 */
export class UsageFilter {
  #held = NONE;
  /** The event that is arriving is known, and has begun to pass. */
  #isPassing = false;

  /** @returns what the client gets now; may be empty */
  feed(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NONE;
    const begin = this.#isPassing ? endOfFirstEvent(bytes, 0) : 0;
    if (begin < 0) return this.#pass(bytes, 0);
    this.#isPassing = false;
    const end = Math.max(begin, endOfLastEvent(bytes));
    const passed = this.#pass(bytes, end);
    if (holdsEmptyChoices(bytes.subarray(begin, end)) !== true) return passed;
    const events = eventsIn(bytes, begin, end).filter((event) => !isUsageEvent(event));
    return Buffer.concat([bytes.subarray(0, begin), ...events, passed.subarray(end)]);
  }

  /** The stream is over: what was held back, unless it is what the client must not see. */
  end(): Buffer {
    const held = this.#held;
    this.#held = NONE;
    return isUsageEvent(held) ? NONE : held;
  }

  /** The stream broke off. */
  abort(): Buffer {
    const held = this.#held;
    this.#held = NONE;
    return holdsEmptyChoices(held) === true ? NONE : held;
  }

  /**
   * @param end of the last event that is there as a whole
   * @returns the bytes as far as they may pass
   */
  #pass(bytes: Buffer, end: number): Buffer {
    if (end === bytes.length) return bytes;
    const rest = bytes.subarray(end);
    this.#isPassing ||= holdsEmptyChoices(rest) === false || rest.length > MAX_HELD_BYTES;
    const passes = this.#isPassing ? end + lengthWithoutLineEnds(rest) : end;
    // Copied, so that the memory it is cut from is not held.
    this.#held = Buffer.from(bytes.subarray(passes));
    return bytes.subarray(0, passes);
  }
}

/** The line ends may be the first half of what ends the event. */
function lengthWithoutLineEnds(bytes: Buffer): number {
  let { length } = bytes;
  while (length > 0 && isLineEnd(bytes[length - 1])) length--;
  return length;
}

const isLineEnd = (byte: number | undefined): boolean =>
  byte === LINE_FEED || byte === CARRIAGE_RETURN;

/** Behind the first event that ends in these bytes; -1 when none does. */
function endOfFirstEvent(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(EVENT_END, start);
  let end = found < 0 ? -1 : found + EVENT_END.length;
  if (!bytes.includes(CARRIAGE_RETURN, start)) return end;
  for (const other of OTHER_EVENT_ENDS) {
    const at = bytes.indexOf(other, start);
    if (at >= 0 && (end < 0 || at + other.length < end)) end = at + other.length;
  }
  return end;
}

/** Behind the last event that ends in these bytes; 0 when none does. */
function endOfLastEvent(bytes: Buffer): number {
  const found = bytes.lastIndexOf(EVENT_END);
  const end = found < 0 ? 0 : found + EVENT_END.length;
  // Nearly always, a chunk is made of whole events.
  if (end === bytes.length || !bytes.includes(CARRIAGE_RETURN)) return end;
  return OTHER_EVENT_ENDS.reduce((last, other) => {
    const at = bytes.lastIndexOf(other);
    return at < 0 ? last : Math.max(last, at + other.length);
  }, end);
}

function eventsIn(bytes: Buffer, begin: number, end: number): Buffer[] {
  const block = bytes.subarray(0, end);
  const events: Buffer[] = [];
  for (let start = begin; start < end;) {
    const next = endOfFirstEvent(block, start);
    events.push(block.subarray(start, next < 0 ? end : next));
    if (next < 0) break;
    start = next;
  }
  return events;
}

/** Whether an event is the chunk that is taken out. */
function isUsageEvent(event: Buffer): boolean {
  if (holdsEmptyChoices(event) !== true) return false;
  const data = event
    .toString()
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length));
  return isUsageChunk(data.join('\n'));
}
