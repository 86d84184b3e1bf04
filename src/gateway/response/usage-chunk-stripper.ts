import type { ResponseStage } from './response-sink.ts';
import { containsUsageChunk, isUsageChunk } from './usage-chunk.ts';

// Usage chunks are much smaller.
const MAX_HELD_BYTES = 32 * 1024;

const NONE = Buffer.alloc(0);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The empty line at the end of an event. */
const EVENT_END = Buffer.from('\n\n');
/** The same with other line ends. */
const OTHER_EVENT_ENDS = ['\n\r\n', '\r\r'].map((end) => Buffer.from(end));

/**
 * Removes the chunk with the usage from a stream of chat completions whose client did not request it. All other bytes pass
 * unchanged. An incomplete event is held until it cannot be that chunk.
 */
export class UsageChunkStripper implements ResponseStage {
  readonly isWhole = false;
  #held = NONE;
  /** The current event is not the chunk, and passes as it arrives. */
  #isPassing = false;

  write(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NONE;
    const begin = this.#isPassing ? endOfFirstEvent(bytes, 0) : 0;
    if (begin < 0) return this.#pass(bytes, 0);
    this.#isPassing = false;
    const end = Math.max(begin, endOfLastEvent(bytes));
    const passed = this.#pass(bytes, end);
    if (containsUsageChunk(bytes.subarray(begin, end)) !== true) return passed;
    const events = eventsIn(bytes, begin, end).filter((event) => !isUsageEvent(event));
    return Buffer.concat([bytes.subarray(0, begin), ...events, passed.subarray(end)]);
  }

  end(isIncomplete: boolean): Buffer | undefined {
    if (isIncomplete) return undefined;
    const held = this.#held;
    this.#held = NONE;
    return isUsageEvent(held) ? NONE : held;
  }

  abort(): Buffer {
    const held = this.#held;
    this.#held = NONE;
    return containsUsageChunk(held) === true ? NONE : held;
  }

  /**
   * @param end of the last complete event
   * @returns the bytes that may pass
   */
  #pass(bytes: Buffer, end: number): Buffer {
    if (end === bytes.length) return bytes;
    const rest = bytes.subarray(end);
    this.#isPassing ||= containsUsageChunk(rest) === false || rest.length > MAX_HELD_BYTES;
    const passes = this.#isPassing ? end + lengthWithoutLineEnds(rest) : end;
    // Copied, so that the larger buffer can be released.
    this.#held = Buffer.from(bytes.subarray(passes));
    return bytes.subarray(0, passes);
  }
}

/** Returns the length without line ends, which may be the first half of the end of the event. */
function lengthWithoutLineEnds(bytes: Buffer): number {
  let { length } = bytes;
  while (length > 0 && isLineEnd(bytes[length - 1])) length--;
  return length;
}

const isLineEnd = (byte: number | undefined): boolean =>
  byte === LINE_FEED || byte === CARRIAGE_RETURN;

/** Returns the position after the first event that ends in these bytes; -1 if none does. */
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

/** Returns the position after the last event that ends in these bytes; 0 if none does. */
function endOfLastEvent(bytes: Buffer): number {
  const found = bytes.lastIndexOf(EVENT_END);
  const end = found < 0 ? 0 : found + EVENT_END.length;
  // Nearly always, a chunk consists of complete events.
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

/** Returns true if an event is the chunk with the usage. */
function isUsageEvent(event: Buffer): boolean {
  if (containsUsageChunk(event) !== true) return false;
  const data = event
    .toString()
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length));
  return isUsageChunk(data.join('\n'));
}
