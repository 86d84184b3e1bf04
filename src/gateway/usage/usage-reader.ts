import { type AnswerFacts, FACT_MEMBERS, mergeFacts } from './answer-facts.ts';
import { AwsEventStream } from './aws-event-stream.ts';
import { JsonMembers, type WantedMembers } from './json-members.ts';
import { type StreamFailure, StreamOutcome } from './stream-outcome.ts';
import { UNKNOWN_USAGE, type Usage } from './usage.ts';
import { NO_COUNTS, USAGE_MEMBERS, countsOf, mergeCounts, usageOf } from './usage-shapes.ts';
import type { JsonObject } from '../json/json-fields.ts';

/** Observes the bytes of a response and reads the usage, without delaying them. */
export interface UsageReader {
  feed(chunk: Buffer): void;
  /** Returns the usage read so far. Call it when the response has ended or broken off. */
  read(): Usage;
  /** Returns the failure of an event stream whose connection did not break. Call it at the end. */
  failure?(): StreamFailure | undefined;
  /** The terminal event of a stream has arrived. */
  isComplete?(): boolean;
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
// Successive JSON texts.
const LINES_TYPES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  // Cohere's own type.
  'application/stream+json',
]);

// Content types that some servers send with event streams.
const UNLABELED_TYPES = new Set(['', 'text/plain', 'application/octet-stream']);

/**
 * Creates the reader for a response of that content type; usage-shapes.ts contains the forms in which
 * providers report usage. It buffers very little. The response must not be compressed.
 * @param isCompletions the path is that of chat completions or completions, whose streams end with `[DONE]`
 */
export function createUsageReader(
  contentType: string | undefined,
  isCompletions = false,
): UsageReader {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return new EventUsageReader(isCompletions);
  if (LINES_TYPES.has(type)) return new LinesUsageReader();
  if (JSON_TYPE.test(type)) return new BodyUsageReader();
  if (type === 'application/vnd.amazon.eventstream') return new AwsUsageReader();
  if (UNLABELED_TYPES.has(type)) return new UnlabeledUsageReader(isCompletions);
  return { feed() {}, read: () => UNKNOWN_USAGE };
}

/** Members that also identify the API of a stream and its outcome. */
const EVENT_MEMBERS: WantedMembers = new Map([
  ...USAGE_MEMBERS,
  ['type', 'whole'],
  ['object', 'whole'],
  ['error', 'whole'],
]);
const MEMBERS_WITH_ERROR: WantedMembers = new Map([...USAGE_MEMBERS, ['error', 'whole']]);
const FIRST_MEMBERS: ReadonlySet<string> = new Set(['id', 'model', 'modelVersion', 'duration']);
/** The members of further events of a stream. The first events contain the others. */
const LATER_MEMBERS: WantedMembers = new Map(
  [...MEMBERS_WITH_ERROR].filter(([name]) => !FIRST_MEMBERS.has(name)),
);
const LINE_MEMBERS: WantedMembers = new Map([
  ...EVENT_MEMBERS,
  ['done', 'whole'],
  ['event_type', 'whole'],
  ['finish_reason', 'whole'],
  ['custom_id', 'whole'],
]);

/** Most events contain none. */
function hasUsage(found: JsonObject): boolean {
  for (const name in found) if (USAGE_MEMBERS.has(name) && !FACT_MEMBERS.has(name)) return true;
  return false;
}

/** Without the tier, which every event of some streams repeats. */
function hasFact({ id, model, modelVersion, duration, response }: JsonObject): boolean {
  const first = id ?? model ?? modelVersion ?? duration ?? response;
  return first !== undefined;
}

/** Reads the usage of successive JSON texts, which arrive in pieces. */
class JsonUsageReader implements UsageReader {
  readonly #members: JsonMembers;
  #counts = NO_COUNTS;
  #facts: AnswerFacts | undefined;

  /**
   * @param wanted members to find
   * @param onFound receives the members of each text
   */
  constructor(wanted: WantedMembers, onFound?: (found: JsonObject) => void) {
    this.#members = new JsonMembers(wanted, (found) => {
      onFound?.(found);
      this.take(found);
    });
  }

  /** The JSON is a list of objects, which are reported one by one. */
  get isList(): boolean {
    return this.#members.isList;
  }

  /** All objects, lists and strings that began have ended. */
  get isWhole(): boolean {
    return this.#members.isWhole;
  }

  /** Finds other members from the next name on. */
  want(wanted: WantedMembers): void {
    this.#members.want(wanted);
  }

  feed(piece: Buffer, start?: number, end?: number): void {
    this.#members.feed(piece, start, end);
  }

  /** Ends the JSON. The next piece begins another one. */
  end(): void {
    this.#members.end();
  }

  /** Reads the members of a JSON text. */
  take(found: JsonObject): void {
    const known = this.#facts;
    if (hasUsage(found)) {
      this.#counts = mergeCounts(this.#counts, countsOf(found));
      this.#facts = mergeFacts(known, found);
    } else if (found.service_tier !== known?.serviceTier || hasFact(found)) {
      this.#facts = mergeFacts(known, found);
    }
  }

  read(): Usage {
    // The counts of a response that broke off stay valid.
    const { found, textBytes } = this.#members;
    if (found !== undefined) this.take(found);
    const facts = this.#facts;
    return { ...usageOf(this.#counts), textBytes, ...(facts && { facts }) };
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const NEW_LINE = Buffer.from('\n');
const DATA_FIELD = Buffer.from('data:');
const OTHER_FIELD = -1;
// `event: message_stop` and `data: [DONE]` with some white space.
const MAX_SHORT_LINE = 40;
/** The value for a line that is too long to be one of them. */
const LONG_LINE = ' '.repeat(MAX_SHORT_LINE + 1);

/** Finds the ends of lines. Each search may read the rest of the chunk, so its result serves as many lines as possible. */
class LineEnds {
  readonly #chunk: Buffer;
  #carriageReturn: number;
  #lineFeed: number;

  constructor(chunk: Buffer) {
    this.#chunk = chunk;
    this.#carriageReturn = chunk.indexOf(CARRIAGE_RETURN);
    this.#lineFeed = chunk.indexOf(LINE_FEED);
  }

  /**
   * @param position at or after the one of the last call
   * @returns the position of the next CR or LF, or -1
   */
  after(position: number): number {
    if (this.#carriageReturn >= 0 && this.#carriageReturn < position) {
      this.#carriageReturn = this.#chunk.indexOf(CARRIAGE_RETURN, position);
    }
    if (this.#lineFeed >= 0 && this.#lineFeed < position) {
      this.#lineFeed = this.#chunk.indexOf(LINE_FEED, position);
    }
    if (this.#carriageReturn < 0) return this.#lineFeed;
    return this.#lineFeed < 0
      ? this.#carriageReturn
      : Math.min(this.#carriageReturn, this.#lineFeed);
  }
}

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html, as bytes. */
class EventUsageReader implements UsageReader {
  readonly #outcome: StreamOutcome;
  readonly #text = new JsonUsageReader(EVENT_MEMBERS, (found) => {
    this.#outcome.note(found);
    if (this.#outcome.isKnown) this.#text.want(LATER_MEMBERS);
  });
  /** The line, if it is short: the name of an event, or the value `[DONE]`. */
  #line = '';
  /** The last short line. */
  #noted = '';
  /** Number of bytes of the line that match the name of the data field. */
  #fits = 0;
  #isLineEmpty = true;
  #isEventEmpty = true;
  #isValueEmpty = true;
  #mayLineFeedFollow = false;
  /** Number of bytes that match the byte order mark at the beginning of a stream; undefined: it has ended. */
  #mark: number | undefined = 0;
  /** An event with data is complete. */
  #hasEvent = false;

  constructor(isCompletions: boolean) {
    this.#outcome = new StreamOutcome(isCompletions);
  }

  feed(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#outcome.feed(chunk);
    const lines = new LineEnds(chunk);
    let position = this.#start(chunk);
    while (position < chunk.length) {
      const end = lines.after(position);
      if (end < 0) return this.#take(chunk, position, chunk.length);
      this.#take(chunk, position, end);
      this.#endLine();
      position = end + 1;
      if (chunk[end] === LINE_FEED) continue;
      if (position === chunk.length) this.#mayLineFeedFollow = true;
      else if (chunk[position] === LINE_FEED) position++;
    }
  }

  /** Returns the start of the first line in a chunk, after a byte order mark or the end of the line before. */
  #start(chunk: Buffer): number {
    const afterMark = this.#mark === undefined ? 0 : this.#skipMark(chunk, this.#mark);
    const isLineFeed = this.#mayLineFeedFollow && chunk[0] === LINE_FEED;
    this.#mayLineFeedFollow = false;
    return isLineFeed ? 1 : afterMark;
  }

  read(): Usage {
    return this.#text.read();
  }

  isComplete(): boolean {
    return this.#outcome.isComplete;
  }

  failure(): StreamFailure | undefined {
    // The last line may have no end.
    this.#noteLine();
    const failure = this.#outcome.failure;
    return failure ?? (this.#hasEvent ? undefined : 'incomplete');
  }

  /** @returns the position after the mark */
  #skipMark(chunk: Buffer, fits: number): number {
    let position = 0;
    let next = fits;
    while (position < chunk.length && next < BYTE_ORDER_MARK.length) {
      if (chunk[position] !== BYTE_ORDER_MARK[next]) break;
      position++;
      next++;
    }
    const mayGoOn = position === chunk.length && next < BYTE_ORDER_MARK.length;
    this.#mark = mayGoOn ? next : undefined;
    return position;
  }

  #noteLine(): void {
    const line = this.#line;
    if (line === '') return;
    this.#line = '';
    // Most events of a stream have the same name, which needs no second check.
    if (line === LONG_LINE || line === this.#noted) return;
    this.#noted = line;
    if (line.startsWith('event:')) this.#outcome.noteName(line.slice(6).trim());
    else if (line.startsWith('data:') && line.slice(5).trim() === '[DONE]')
      this.#outcome.noteDone();
  }

  /** Reads a part of a line. */
  #take(chunk: Buffer, start: number, end: number): void {
    if (this.#line.length + end - start <= MAX_SHORT_LINE) {
      this.#line += chunk.toString('latin1', start, end);
    } else {
      this.#line = LONG_LINE;
    }
    let position = start;
    if (end > start) this.#isLineEmpty = false;
    while (this.#fits >= 0 && this.#fits < DATA_FIELD.length && position < end) {
      this.#fits = chunk[position] === DATA_FIELD[this.#fits] ? this.#fits + 1 : OTHER_FIELD;
      position++;
    }
    if (this.#fits < DATA_FIELD.length || position === end) return;
    if (this.#isValueEmpty && chunk[position] === SPACE) position++;
    this.#isValueEmpty = false;
    this.#isEventEmpty = false;
    this.#text.feed(chunk, position, end);
  }

  #endLine(): void {
    this.#noteLine();
    if (this.#isLineEmpty) {
      if (!this.#isEventEmpty) this.#hasEvent = true;
      this.#isEventEmpty = true;
      this.#text.end();
    } else if (this.#fits === DATA_FIELD.length) this.#text.feed(NEW_LINE);
    this.#fits = 0;
    this.#isLineEmpty = true;
    this.#isValueEmpty = true;
  }
}

const FIRST_FIELD = /^(?:data|event):/;
const FIRST_FIELD_BYTES = 6;

/** Reads a response that is an event stream if it begins like one, regardless of its content type. */
class UnlabeledUsageReader implements UsageReader {
  readonly #isCompletions: boolean;
  #start: Buffer | undefined = Buffer.alloc(0);
  #events: EventUsageReader | undefined;

  constructor(isCompletions: boolean) {
    this.#isCompletions = isCompletions;
  }

  feed(chunk: Buffer): void {
    if (this.#start === undefined) {
      this.#events?.feed(chunk);
      return;
    }
    const start = Buffer.concat([this.#start, chunk]);
    if (start.length < FIRST_FIELD_BYTES) {
      this.#start = start;
      return;
    }
    this.#start = undefined;
    if (!FIRST_FIELD.test(start.toString('latin1', 0, FIRST_FIELD_BYTES))) return;
    this.#events = new EventUsageReader(this.#isCompletions);
    this.#events.feed(start);
  }

  read(): Usage {
    return this.#events?.read() ?? UNKNOWN_USAGE;
  }

  isComplete(): boolean {
    return this.#events?.isComplete() === true;
  }

  failure(): StreamFailure | undefined {
    return this.#events?.failure();
  }
}

/** JSON texts as a stream, one per line. */
class LinesUsageReader implements UsageReader {
  readonly #outcome = new StreamOutcome();
  readonly #text = new JsonUsageReader(LINE_MEMBERS, (found) => this.#outcome.noteLine(found));

  feed(chunk: Buffer): void {
    this.#outcome.feed(chunk);
    this.#text.feed(chunk);
  }

  read(): Usage {
    return this.#text.read();
  }

  failure(): StreamFailure | undefined {
    return this.#outcome.failure;
  }
}

/** One JSON text. Gemini streams a list of events this way. */
class BodyUsageReader implements UsageReader {
  readonly #outcome = new StreamOutcome();
  readonly #text = new JsonUsageReader(MEMBERS_WITH_ERROR, (found) => {
    if (this.#text.isList) this.#outcome.noteItem(found);
  });

  feed(chunk: Buffer): void {
    this.#text.feed(chunk);
    if (this.#text.isList) this.#outcome.feed(chunk);
  }

  read(): Usage {
    return this.#text.read();
  }

  failure(): StreamFailure | undefined {
    const { failure } = this.#outcome;
    if (failure !== undefined || this.#text.isWhole) return failure;
    return this.#text.isList ? 'incomplete' : 'malformed';
  }
}

/** The events of a model's own API are base64 in the member `bytes` of a payload. */
const AWS_MEMBERS: WantedMembers = new Map([...USAGE_MEMBERS, ['bytes', 'whole']]);

class AwsUsageReader implements UsageReader {
  readonly #outcome = new StreamOutcome();
  readonly #usage = new JsonUsageReader(EVENT_MEMBERS, (found) => this.#outcome.note(found));
  readonly #members = new JsonMembers(AWS_MEMBERS, (found) => this.#take(found));
  readonly #messages = new AwsEventStream({
    onHeader: (name, value) => this.#outcome.noteAwsHeader(name, value),
    onPayload: (piece) => this.#members.feed(piece),
    onEnd: () => this.#members.end(),
  });

  feed(chunk: Buffer): void {
    this.#messages.feed(chunk);
  }

  read(): Usage {
    return this.#usage.read();
  }

  failure(): StreamFailure | undefined {
    return this.#outcome.failure ?? (this.#messages.isWhole ? undefined : 'incomplete');
  }

  #take(found: JsonObject): void {
    if (typeof found.bytes !== 'string') return this.#usage.take(found);
    this.#usage.feed(Buffer.from(found.bytes, 'base64'));
    this.#usage.end();
  }
}
