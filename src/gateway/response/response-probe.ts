import type { IncomingHttpHeaders } from 'node:http';
import { createParser } from 'eventsource-parser';
import { firstOf } from '../http-headers.ts';
import { isEventStream } from './response-sink.ts';
import {
  type EmbeddedError,
  INCOMPLETE,
  UNKNOWN_ERROR,
  findEmbeddedError,
} from './embedded-error.ts';

// Errors are short. The gateway forwards a longer response before it is complete.
const MAX_HELD_BYTES = 16 * 1024;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i;
const LINES_TYPE = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|stream\+json)[ \t]*(?:;|$)/i;
const LINE_FEED = 0x0a;

/** The held part of the response contains no error. */
export const NO_ERROR = 'no-error';

export type Verdict = EmbeddedError | typeof NO_ERROR;

/**
 * Judges a response with a success status by its first bytes, while nothing of it has reached the client: by the
 * whole of a short JSON body, the first line of a JSON stream, or the first event of an event stream.
 */
export interface ResponseProbe {
  /** @returns undefined as long as more bytes are needed */
  feed(chunk: Buffer): Verdict | undefined;
  /** The response is complete. */
  end(): Verdict;
  /** The content type according to the first bytes, if it differs from the header. */
  readonly contentType?: string | undefined;
}

/**
 * Creates the probe for a response; undefined if its first bytes cannot show an error: for other content types,
 * compressed responses and long JSON bodies.
 * @param needsObject a JSON response must be an object, as for every operation of the gateway
 * @param isStreamed the client asks for a stream; servers often give it a wrong content type
 */
export function createResponseProbe(
  headers: IncomingHttpHeaders,
  needsObject: boolean,
  isStreamed: boolean,
): ResponseProbe | undefined {
  const type = firstOf(headers['content-type']);
  const encoding = firstOf(headers['content-encoding'])?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return undefined;
  if (isStreamed && UNTRUSTED_TYPE.test(type ?? '')) return new SniffProbe(type, needsObject);
  if (type === undefined) return undefined;
  if (isEventStream(type)) return new EventProbe();
  if (LINES_TYPE.test(type)) return new JsonProbe({ isLines: true, needsObject: false });
  const isShort = !(Number(headers['content-length'] ?? 0) > MAX_HELD_BYTES);
  return JSON_TYPE.test(type) && isShort
    ? new JsonProbe({ isLines: false, needsObject })
    : undefined;
}

/** Types that servers give to event streams, and to JSON, by mistake. */
const UNTRUSTED_TYPE = /^(?:$|text\/plain|application\/(?:json|octet-stream))/i;
const FIRST_FIELD = /^(?:data|event|id|retry)?:/;
/** The longest prefix of a stream that can be the beginning of a first field. */
const MAX_PREFIX_CHARACTERS = 6;

/** Finds out from its first bytes if a response is an event stream, JSON, or neither. */
class SniffProbe implements ResponseProbe {
  readonly #type: string | undefined;
  readonly #needsObject: boolean;
  #held: Buffer = Buffer.alloc(0);
  #probe: ResponseProbe | undefined;
  contentType: string | undefined;

  constructor(type: string | undefined, needsObject: boolean) {
    this.#type = type;
    this.#needsObject = needsObject;
  }

  feed(chunk: Buffer): Verdict | undefined {
    if (this.#probe !== undefined) return this.#probe.feed(chunk);
    this.#held = Buffer.concat([this.#held, chunk]);
    const start = textStart(this.#held);
    const isShort = start.length < MAX_PREFIX_CHARACTERS && this.#held.length < MAX_HELD_BYTES;
    if (start === '' ? isShort : isShort && /^[a-z]+$/.test(start)) return undefined;
    return this.#choose(start);
  }

  #choose(start: string): Verdict | undefined {
    if (FIRST_FIELD.test(start)) {
      this.#probe = new EventProbe();
      this.contentType = 'text/event-stream; charset=utf-8';
    } else if (/^[{[]/.test(start)) {
      this.#probe = new JsonProbe({ isLines: false, needsObject: this.#needsObject });
      if (!JSON_TYPE.test(this.#type ?? '')) this.contentType = 'application/json';
    }
    return this.#probe === undefined ? NO_ERROR : this.#probe.feed(this.#held);
  }

  end(): Verdict {
    if (this.#probe === undefined) {
      const verdict = this.#choose(textStart(this.#held));
      if (this.#probe === undefined) return this.#needsObject ? INCOMPLETE : NO_ERROR;
      if (verdict !== undefined) return verdict;
    }
    return this.#probe.end();
  }
}

/** The first characters that are neither white space nor a byte order mark. */
function textStart(bytes: Buffer): string {
  const text = bytes.subarray(0, MAX_HELD_BYTES).toString('latin1');
  return text.replace(/^(?:\u00ef\u00bb\u00bf)?[ \t\r\n]*/, '').slice(0, MAX_PREFIX_CHARACTERS);
}

/** Looks for the first event with data. Comments and pings are none. */
class EventProbe implements ResponseProbe {
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  #verdict: Verdict | undefined;
  #isCut = false;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      if (!this.#isCut || isComplete(data)) this.#verdict ??= judgeEvent(event, data);
    },
  });

  feed(chunk: Buffer): Verdict | undefined {
    this.#bytes += chunk.length;
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    return this.#verdict ?? (this.#bytes > MAX_HELD_BYTES ? NO_ERROR : undefined);
  }

  end(): Verdict {
    // Some servers omit the empty line after the last event.
    this.#isCut = this.#verdict === undefined;
    this.#parser.reset({ consume: true });
    return this.#verdict ?? INCOMPLETE;
  }
}

function judgeEvent(name: string | undefined, data: string): Verdict | undefined {
  if (name === 'ping') return undefined;
  const isSuspicious = name === 'error' || /"(?:error|response\.failed)"/.test(data);
  if (!isSuspicious) return /^\s*\{\s*"type"\s*:\s*"ping"/.test(data) ? undefined : NO_ERROR;
  return judge(data, name);
}

/** Returns true unless the data of the last event is an incomplete JSON text. */
function isComplete(data: string): boolean {
  if (!/^\s*[[{]/.test(data)) return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

class JsonProbe implements ResponseProbe {
  readonly #isLines: boolean;
  readonly #needsObject: boolean;
  #held: Buffer[] = [];
  #bytes = 0;

  /** @param isLines the first line is a JSON text of its own */
  constructor({ isLines, needsObject }: { isLines: boolean; needsObject: boolean }) {
    this.#isLines = isLines;
    this.#needsObject = needsObject;
  }

  feed(chunk: Buffer): Verdict | undefined {
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#isLines && chunk.includes(LINE_FEED)) return this.end();
    return this.#bytes > MAX_HELD_BYTES ? NO_ERROR : undefined;
  }

  end(): Verdict {
    const [first] = this.#held;
    const body = this.#held.length === 1 && first ? first : Buffer.concat(this.#held);
    if (this.#needsObject && !looksLikeObject(body)) return INCOMPLETE;
    if (!mayHaveError(body)) return NO_ERROR;
    const text = body.toString();
    return judge(this.#isLines ? (text.trimStart().split('\n', 1)[0] ?? '') : text);
  }
}

/** Returns true if the body begins and ends like an object. The client judges the rest. */
function looksLikeObject(body: Buffer): boolean {
  let start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  let end = body.length - 1;
  while (start < end && (body[start] ?? 0) <= LAST_WHITE_SPACE) start++;
  while (end > start && (body[end] ?? 0) <= LAST_WHITE_SPACE) end--;
  return body[start] === OPENING_BRACE && body[end] === CLOSING_BRACE;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const ERROR_MEMBER = Buffer.from('"error"');
const QUOTE = 0x22;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Finds a member `error` with an object or a text; parsing each response would take much longer. */
function mayHaveError(body: Buffer): boolean {
  for (
    let position = body.indexOf(ERROR_MEMBER);
    position >= 0;
    position = body.indexOf(ERROR_MEMBER, position)
  ) {
    position += ERROR_MEMBER.length;
    while (isSeparator(body[position])) position++;
    if (body[position] === OPENING_BRACE || body[position] === QUOTE) return true;
  }
  return false;
}

const COLON = 0x3a;
const LAST_WHITE_SPACE = 0x20;

function isSeparator(byte: number | undefined): boolean {
  return byte !== undefined && (byte === COLON || byte <= LAST_WHITE_SPACE);
}

function judge(text: string, eventName?: string): Verdict {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // An event with the name `error` is an error, with any data.
    return eventName === 'error' ? UNKNOWN_ERROR : NO_ERROR;
  }
  return findEmbeddedError(value, eventName) ?? NO_ERROR;
}
