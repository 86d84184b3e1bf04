import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** The `model` of a request body, and how to put another in its place. */
export interface ModelField {
  model: string;
  /** The body with that model instead; may reuse the memory of the old one. */
  replace(model: string): Buffer;
}

/** Why a body has no model that could be trusted. */
export type ModelFault = 'not-json' | 'missing' | 'ambiguous' | 'too-deep';

// A stretch of this size takes well under 10 ms, whatever is in it.
const BYTES_PER_STRETCH = 128 * 1024;
const MAX_KEY_BYTES = 256;
const MAX_MODEL_BYTES = 1_024;
// Nobody writes more white space at one place.
const MAX_SPACE_BYTES = 64 * 1024;

/**
 * Finds the model that a JSON body asks for, without parsing or rewriting the body: it is passed on
 * byte for byte. The body is walked once, strings are skipped over, and only the keys of the outermost
 * object are read. Two models in one body are refused, since the provider might read the other one.
 * Whether everything else is good JSON is for the provider to say.
 * @returns without a promise for a body of ordinary size
 */
export function readModelField(
  body: Buffer,
  maxDepth: number,
): ModelField | ModelFault | Promise<ModelField | ModelFault> {
  const walk = findModel(body, maxDepth);
  const first = walk.next();
  return first.done === true ? first.value : continueWalk(walk);
}

async function continueWalk(
  walk: Generator<void, ModelField | ModelFault>,
): Promise<ModelField | ModelFault> {
  for (;;) {
    await yieldToEventLoop();
    const step = walk.next();
    if (step.done === true) return step.value;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** Counts the bytes that were walked since the event loop last had its turn. */
class Stretch {
  #end = BYTES_PER_STRETCH;

  /** Whether a stretch ends at or before this position; the next one begins there. */
  isOver(position: number): boolean {
    if (position < this.#end) return false;
    this.#end = position + BYTES_PER_STRETCH;
    return true;
  }
}

/** Walks the body; yields after each stretch. */
function* findModel(body: Buffer, maxDepth: number): Generator<void, ModelField | ModelFault> {
  let position = skipSpace(body, 0);
  if (body[position] !== OPENING_BRACE) return 'not-json';
  const stretch = new Stretch();
  let depth = 0;
  let found: ModelField | ModelFault | undefined;
  for (; position < body.length; position++) {
    if (stretch.isOver(position)) yield;
    const byte = body[position];
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      if (++depth > maxDepth) return 'too-deep';
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth--;
    } else if (byte === QUOTE) {
      const end = yield* endOfString(body, position, stretch);
      if (end < 0) return 'not-json';
      if (depth === 1 && isModelKey(body, position, end)) {
        if (found !== undefined) return 'ambiguous';
        found = readModel(body, skipSpace(body, skipSpace(body, end) + 1));
      }
      position = end - 1;
    }
  }
  return depth === 0 ? (found ?? 'missing') : 'not-json';
}

/** Whether a string is the key `model`, however it is written. A text that no colon follows is a value. */
function isModelKey(body: Buffer, start: number, end: number): boolean {
  return (
    readString(body, start, end, MAX_KEY_BYTES) === 'model' && body[skipSpace(body, end)] === COLON
  );
}

function skipSpace(body: Buffer, start: number): number {
  for (let position = start; position < start + MAX_SPACE_BYTES; position++) {
    const byte = body[position];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return position;
  }
  return start;
}

/** Just behind the closing quote of the string that begins here; -1 when there is none. */
function* endOfString(body: Buffer, start: number, stretch: Stretch): Generator<void, number> {
  for (let quote = body.indexOf(QUOTE, start + 1); quote >= 0;) {
    let backslashes = 0;
    while (body[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    if (stretch.isOver(quote)) yield;
    quote = body.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** A string of the body, its escapes resolved; undefined for a long or a malformed one. */
function readString(
  body: Buffer,
  start: number,
  end: number,
  maxBytes: number,
): string | undefined {
  if (end - start > maxBytes) return undefined;
  try {
    return JSON.parse(body.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

function readModel(body: Buffer, start: number): ModelField | ModelFault {
  if (body[start] !== QUOTE) return 'missing';
  // A model is short: a string that does not end soon is none.
  const near = body.subarray(0, start + MAX_MODEL_BYTES);
  const { value: end } = endOfString(near, start, new Stretch()).next();
  if (end === undefined || end < 0) return 'missing';
  const model = readString(body, start, end, MAX_MODEL_BYTES);
  if (model === undefined) return 'missing';
  return { model, replace: (replacement: string) => replaceBytes(body, start, end, replacement) };
}

function replaceBytes(body: Buffer, start: number, end: number, replacement: string): Buffer {
  const literal = Buffer.from(JSON.stringify(replacement));
  if (literal.length > end - start) {
    return Buffer.concat([body.subarray(0, start), literal, body.subarray(end)]);
  }
  // White space behind a value means nothing in JSON: nothing has to move.
  literal.copy(body, start);
  body.fill(0x20, start + literal.length, end);
  return body;
}
