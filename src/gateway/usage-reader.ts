import { AwsEventStreamPayloads } from './aws-event-stream.ts';
import { JsonCollector } from './json-collector.ts';
import { type Member, membersFromEnd, membersFromStart } from './json-members.ts';
import type { JsonObject } from './translation/translation.ts';
import { UNKNOWN_USAGE, type Usage } from './usage.ts';
import {
  type Counts,
  NO_COUNTS,
  USAGE_MARKERS,
  countsOf,
  mergeCounts,
  tellsUsage,
  usageOf,
} from './usage-shapes.ts';

/** Watches an answer go by and picks the usage out of it, without holding it back. */
export interface UsageReader {
  feed(chunk: Buffer): void;
  /** What was seen so far; call it when the answer has ended, or broke off. */
  read(): Usage;
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const LINES_TYPES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  // Cohere's own.
  'application/stream+json',
]);

/**
 * The reader for an answer of that content type, whoever it comes from: usage-shapes.ts knows how
 * each provider tells it. It holds at most 1 MiB. The answer must not be compressed.
 */
export function createUsageReader(contentType: string | undefined): UsageReader {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return new EventUsageReader();
  if (LINES_TYPES.has(type)) return new LineUsageReader();
  if (JSON_TYPE.test(type)) return new JsonUsageReader();
  if (type === 'application/vnd.amazon.eventstream') return new AwsUsageReader();
  return { feed() {}, read: () => UNKNOWN_USAGE };
}

class JsonUsageReader implements UsageReader {
  readonly #text = new UsageText();

  feed(chunk: Buffer): void {
    this.#text.feed(chunk);
  }

  read(): Usage {
    return this.#text.read();
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const NEW_LINE = Buffer.from('\n');

class LineUsageReader implements UsageReader {
  readonly #text = new UsageText();

  feed(chunk: Buffer): void {
    let position = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, position);
      if (end < 0) break;
      this.#text.feed(chunk.subarray(position, end));
      this.#text.end();
      position = end + 1;
    }
    this.#text.feed(chunk.subarray(position));
  }

  read(): Usage {
    return this.#text.read();
  }
}

const DATA_FIELD = Buffer.from('data:');
const OTHER_FIELD = -1;

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html, as bytes. */
class EventUsageReader implements UsageReader {
  readonly #text = new UsageText();
  /** So many bytes of the line fit the name of the data field. */
  #fits = 0;
  #isLineEmpty = true;
  #isValueEmpty = true;
  #mayLineFeedFollow = false;

  feed(chunk: Buffer): void {
    let position = 0;
    if (this.#mayLineFeedFollow && chunk[0] === LINE_FEED) position = 1;
    if (chunk.length > 0) this.#mayLineFeedFollow = false;
    // Almost no stream has any: they are not looked for again at each line.
    let carriageReturn = chunk.indexOf(CARRIAGE_RETURN, position);
    while (position < chunk.length) {
      const lineFeed = chunk.indexOf(LINE_FEED, position);
      if (carriageReturn >= 0 && carriageReturn < position) {
        carriageReturn = chunk.indexOf(CARRIAGE_RETURN, position);
      }
      const isReturn = carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed);
      const end = isReturn ? carriageReturn : lineFeed;
      if (end < 0) return this.#take(chunk.subarray(position));
      this.#take(chunk.subarray(position, end));
      this.#endLine();
      position = end + 1;
      if (isReturn && position === chunk.length) this.#mayLineFeedFollow = true;
      else if (isReturn && chunk[position] === LINE_FEED) position++;
    }
  }

  read(): Usage {
    return this.#text.read();
  }

  /** Takes a part of a line. */
  #take(part: Buffer): void {
    let position = 0;
    if (part.length > 0) this.#isLineEmpty = false;
    while (this.#fits >= 0 && this.#fits < DATA_FIELD.length && position < part.length) {
      this.#fits = part[position] === DATA_FIELD[this.#fits] ? this.#fits + 1 : OTHER_FIELD;
      position++;
    }
    if (this.#fits < DATA_FIELD.length || position === part.length) return;
    if (this.#isValueEmpty && part[position] === SPACE) position++;
    this.#isValueEmpty = false;
    this.#text.feed(part.subarray(position));
  }

  #endLine(): void {
    if (this.#isLineEmpty) this.#text.end();
    else if (this.#fits === DATA_FIELD.length) this.#text.feed(NEW_LINE);
    this.#fits = 0;
    this.#isLineEmpty = true;
    this.#isValueEmpty = true;
  }
}

class AwsUsageReader implements UsageReader {
  readonly #text = new UsageText(unwrap);
  readonly #payloads = new AwsEventStreamPayloads(
    (piece) => this.#text.feed(piece),
    () => this.#text.end(),
  );

  feed(chunk: Buffer): void {
    this.#payloads.feed(chunk);
  }

  read(): Usage {
    return this.#text.read();
  }
}

/** Where a model's own API is streamed, its events come as base64 in the `bytes` of a payload. */
function unwrap(payload: Buffer): Buffer {
  if (!payload.includes('"bytes"')) return payload;
  const wrapped = parse(payload) as { bytes?: unknown } | null | undefined;
  return typeof wrapped?.bytes === 'string' ? Buffer.from(wrapped.bytes, 'base64') : payload;
}

/** The usage that JSON texts tell, which come one after the other and in pieces. */
class UsageText {
  readonly #text = new JsonCollector();
  readonly #unwrap: (text: Buffer) => Buffer;
  #counts = NO_COUNTS;

  constructor(unwrap = (text: Buffer) => text) {
    this.#unwrap = unwrap;
  }

  feed(piece: Buffer): void {
    this.#text.feed(piece);
  }

  /** The text is complete; the next piece begins another one. */
  end(): void {
    this.#counts = this.#countsSoFar();
    this.#text.reset();
  }

  /** Tells what is known, the text that has begun included. */
  read(): Usage {
    return usageOf(this.#countsSoFar());
  }

  #countsSoFar(): Counts {
    const { start, end } = this.#text.read();
    const told = end === undefined ? countsOfText(this.#unwrap(start)) : countsOfEnds(start, end);
    return told === undefined ? this.#counts : mergeCounts(this.#counts, told);
  }
}

function mayTellUsage(text: Buffer): boolean {
  return USAGE_MARKERS.some((marker) => text.includes(marker));
}

function countsOfText(text: Buffer): Counts | undefined {
  // Most events carry a few words and no usage: only those that may are parsed.
  if (!mayTellUsage(text)) return undefined;
  const answer = parse(text);
  if (answer !== undefined) return countsOf(answer);
  // It broke off, which does not undo what it has told.
  return countsOfMembers(membersFromStart(text.toString(), tellsUsage));
}

function countsOfEnds(start: Buffer, end: Buffer): Counts | undefined {
  const first = mayTellUsage(start) ? membersFromStart(start.toString(), tellsUsage) : [];
  const last = mayTellUsage(end) ? membersFromEnd(end.toString(), tellsUsage) : [];
  return countsOfMembers([...first, ...last]);
}

function countsOfMembers(members: readonly Member[]): Counts {
  const top = members.filter(({ depth }) => depth === 1);
  const answer: JsonObject = Object.fromEntries(top.map(({ name, value }) => [name, value]));
  const counts = countsOf(answer);
  if (counts !== NO_COUNTS) return counts;
  return countsOf(members.map(({ name, value }) => ({ [name]: value })));
}

function parse(text: Buffer): unknown {
  try {
    // A decoder, as it drops a byte order mark.
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
