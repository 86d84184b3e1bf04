import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { MaybePromise } from '../lib/maybe-promise.ts';

/** A stretch of a body, and what is to stand there instead. */
export interface BodyEdit {
  start: number;
  end: number;
  text: string;
}

/** The model as a body names it: a JSON text from quote to quote. */
export interface ModelMember {
  model: string;
  start: number;
  end: number;
}

/** Why a body has no model that could be trusted. */
export type ModelFault = 'not-json' | 'missing' | 'ambiguous' | 'too-deep';

/** What the gateway reads of a JSON body. */
export interface BodyMembers {
  model: ModelMember | 'missing' | 'ambiguous';
  /**
   * What makes the request for a stream of chat completions ask for its usage, too. Undefined where it
   * asks already, asks for no stream, or says anything that a provider might understand otherwise.
   */
  usageEdit: BodyEdit | undefined;
}

// A stretch of this size takes well under 10 ms, whatever is in it.
const BYTES_PER_STRETCH = 128 * 1024;
const MAX_KEY_BYTES = 256;
const MAX_MODEL_BYTES = 1_024;
// Nobody writes more white space at one place.
const MAX_SPACE_BYTES = 64 * 1024;

/**
 * Reads members of a JSON body without parsing it. The body is walked once, strings are skipped over,
 * and only the keys of the outermost object are read, and those of its `stream_options`. Whether
 * everything else is good JSON is for the provider to say.
 * @returns without a promise for a body of ordinary size
 */
export function readBodyMembers(
  body: Buffer,
  maxDepth: number,
): MaybePromise<BodyMembers | 'not-json' | 'too-deep'> {
  const walk = new BodyWalk(body, maxDepth).run();
  const first = walk.next();
  return first.done === true ? first.value : continueWalk(walk);
}

type Walk = Generator<void, BodyMembers | 'not-json' | 'too-deep'>;

async function continueWalk(walk: Walk): Promise<BodyMembers | 'not-json' | 'too-deep'> {
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

class BodyWalk {
  readonly #body: Buffer;
  readonly #maxDepth: number;
  #model: ModelMember | 'missing' | 'ambiguous' | undefined;
  readonly #usage: UsageAsking;

  constructor(body: Buffer, maxDepth: number) {
    this.#body = body;
    this.#maxDepth = maxDepth;
    this.#usage = new UsageAsking(body);
  }

  /** Yields after each stretch. */
  *run(): Walk {
    const body = this.#body;
    const begin = skipSpace(body, 0);
    if (body[begin] !== OPENING_BRACE) return 'not-json';
    const stretch = new Stretch();
    let depth = 0;
    for (let position = begin; position < body.length; position++) {
      if (stretch.isOver(position)) yield;
      const byte = body[position];
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (++depth > this.#maxDepth) return 'too-deep';
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        if (--depth === 1) this.#usage.leaveOptions();
      } else if (byte === QUOTE) {
        const end = yield* endOfString(body, position, stretch);
        if (end < 0) return 'not-json';
        if (depth === 1 || (depth === 2 && this.#usage.isInOptions)) {
          this.#takeText(position, end, depth);
        }
        position = end - 1;
      }
    }
    if (depth !== 0) return 'not-json';
    return { model: this.#model ?? 'missing', usageEdit: this.#usage.edit(begin) };
  }

  /** Takes what may be a key, however it is written. A text that no colon follows is a value. */
  #takeText(start: number, end: number, depth: number): void {
    const colon = skipSpace(this.#body, end);
    if (this.#body[colon] !== COLON) return;
    const key = readString(this.#body, start, end, MAX_KEY_BYTES);
    const value = skipSpace(this.#body, colon + 1);
    if (depth === 2) this.#usage.takeOption(key, value);
    else if (key !== 'model') this.#usage.takeMember(key, value);
    else this.#model = this.#model === undefined ? readModel(this.#body, value) : 'ambiguous';
  }
}

/** Reads what a body says of its stream. */
class UsageAsking {
  readonly #body: Buffer;
  #isStream: boolean | undefined;
  /** It is told in a way that is not ours to complete. */
  #isOdd = false;
  #options: { start: number; usage: number | undefined } | undefined;
  isInOptions = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  takeMember(key: string | undefined, value: number): void {
    if (key === 'stream') {
      if (this.#isStream !== undefined) this.#isOdd = true;
      this.#isStream = this.#isLiteral(value, 'true');
    } else if (key === 'stream_options') {
      if (this.#options !== undefined) this.#isOdd = true;
      this.#options = { start: value, usage: undefined };
      this.isInOptions = this.#body[value] === OPENING_BRACE;
    } else if (key === 'data_sources') {
      // Azure OpenAI refuses stream_options beside it.
      this.#isOdd = true;
    }
  }

  takeOption(key: string | undefined, value: number): void {
    if (key !== 'include_usage' || this.#options === undefined) return;
    if (this.#options.usage !== undefined) this.#isOdd = true;
    this.#options.usage = value;
  }

  leaveOptions(): void {
    this.isInOptions = false;
  }

  /** @param begin where the body's object begins */
  edit(begin: number): BodyEdit | undefined {
    if (this.#isStream !== true || this.#isOdd) return undefined;
    if (this.#options === undefined) {
      const text = '"stream_options":{"include_usage":true},';
      return { start: begin + 1, end: begin + 1, text };
    }
    const { start, usage } = this.#options;
    if (usage !== undefined) return this.#replaceLiteral(usage, ['false', 'null'], 'true');
    if (this.#body[start] !== OPENING_BRACE) {
      return this.#replaceLiteral(start, ['null'], '{"include_usage":true}');
    }
    const isEmpty = this.#body[skipSpace(this.#body, start + 1)] === CLOSING_BRACE;
    const text = isEmpty ? '"include_usage":true' : '"include_usage":true,';
    return { start: start + 1, end: start + 1, text };
  }

  #replaceLiteral(start: number, literals: readonly string[], text: string): BodyEdit | undefined {
    const literal = literals.find((one) => this.#isLiteral(start, one));
    return literal === undefined ? undefined : { start, end: start + literal.length, text };
  }

  #isLiteral(start: number, literal: string): boolean {
    return this.#body.toString('latin1', start, start + literal.length) === literal;
  }
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

function readModel(body: Buffer, start: number): ModelMember | 'missing' {
  if (body[start] !== QUOTE) return 'missing';
  // A model is short: a string that does not end soon is none.
  const near = body.subarray(0, start + MAX_MODEL_BYTES);
  const { value: end } = endOfString(near, start, new Stretch()).next();
  if (end === undefined || end < 0) return 'missing';
  const model = readString(body, start, end, MAX_MODEL_BYTES);
  return model === undefined ? 'missing' : { model, start, end };
}
