import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { CostMembers } from './cost-members.ts';

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
export type ModelFault = BodyFault | 'missing';

/**
 * Why a body cannot be read: it is not a JSON object, is nested too deep, or has one of the members that
 * the gateway reads twice, of which the provider might read the other one.
 */
export type BodyFault = 'not-json' | 'too-deep' | 'ambiguous';

/** The members that the gateway reads of a JSON body, exactly as any JSON parser reads them. */
export interface BodyMembers {
  model: ModelMember | 'missing';
  /** `odd` is anything but a boolean and null: providers differ on what it means. */
  stream: 'true' | 'false' | 'odd';
  /**
   * The edit that makes the request for a stream of completions ask for its usage, too. Undefined where
   * it asks already, or asks for no stream.
   */
  usageEdit: BodyEdit | undefined;
  /** It has `data_sources`, next to which Azure OpenAI refuses `stream_options`. */
  hasDataSources: boolean;
  /** Numbers, texts and booleans that bound the cost of the call, see cost-members.ts. */
  cost: CostMembers;
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
): MaybePromise<BodyMembers | BodyFault> {
  const walk = new BodyWalk(body, maxDepth).run();
  const first = walk.next();
  return first.done === true ? first.value : continueWalk(walk);
}

type Walk = Generator<void, BodyMembers | BodyFault>;

async function continueWalk(walk: Walk): Promise<BodyMembers | BodyFault> {
  for (;;) {
    await yieldToEventLoop();
    const step = walk.next();
    if (step.done === true) return step.value;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
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
  readonly #usage: UsageAsking;
  readonly #cost: CostMembers;
  #model: ModelMember | 'missing' | undefined;
  #fault: BodyFault | undefined;

  constructor(body: Buffer, maxDepth: number) {
    this.#body = body;
    this.#maxDepth = maxDepth;
    this.#usage = new UsageAsking(body);
    this.#cost = new CostMembers(body);
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
        this.#endValue(position, depth);
        depth--;
      } else if (byte === COMMA) {
        this.#endValue(position, depth);
      } else if (byte === QUOTE) {
        const end = yield* endOfString(body, position, stretch);
        if (end < 0) return 'not-json';
        if (depth === 1 || (depth === 2 && (this.#usage.isInOptions || this.#cost.isInHolder))) {
          this.#takeText(position, end, depth);
        }
        this.#cost.takeString(position, end);
        position = end - 1;
      }
    }
    if (depth !== 0) return 'not-json';
    const fault = this.#fault ?? (this.#usage.isAmbiguous ? 'ambiguous' : undefined);
    if (fault !== undefined) return fault;
    return { model: this.#model ?? 'missing', ...this.#usage.read(begin), cost: this.#cost };
  }

  #endValue(position: number, depth: number): void {
    this.#usage.endValue(position, depth);
    if (depth === 1) this.#cost.endMember();
  }

  /** Takes what may be a key, however it is written. A text that no colon follows is a value. */
  #takeText(start: number, end: number, depth: number): void {
    const colon = skipSpace(this.#body, end);
    if (colon === TOO_MUCH_SPACE) this.#fault ??= 'not-json';
    if (this.#body[colon] !== COLON) return;
    const key = readString(this.#body, start, end, MAX_KEY_BYTES);
    const value = skipSpace(this.#body, colon + 1);
    if (value === TOO_MUCH_SPACE) this.#fault ??= 'not-json';
    if (key !== undefined) this.#cost.takeMember(key, value, depth);
    if (depth === 2) {
      if (this.#usage.isInOptions) this.#usage.takeOption(key, value);
    } else if (key !== 'model') this.#usage.takeMember(key, value);
    else if (this.#model !== undefined) this.#fault ??= 'ambiguous';
    else this.#model = readModel(this.#body, value);
  }
}

/** The extent of a value; without an end while the walk is inside it. */
interface Stretched {
  start: number;
  end: number | undefined;
}

/** Reads the members of a body that are about its stream. */
class UsageAsking {
  readonly #body: Buffer;
  #stream: BodyMembers['stream'] | undefined;
  #options: Stretched | undefined;
  #usage: Stretched | undefined;
  #hasDataSources = false;
  isInOptions = false;
  isAmbiguous = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  takeMember(key: string | undefined, value: number): void {
    if (key === 'stream') {
      if (this.#stream !== undefined) this.isAmbiguous = true;
      this.#stream = this.#readStream(value);
    } else if (key === 'stream_options') {
      if (this.#options !== undefined) this.isAmbiguous = true;
      this.#options = { start: value, end: undefined };
      this.isInOptions = this.#body[value] === OPENING_BRACE;
      if (this.isInOptions && skipSpace(this.#body, value + 1) === TOO_MUCH_SPACE) {
        this.isAmbiguous = true;
      }
    } else if (key === 'data_sources') {
      this.#hasDataSources ||= !this.#isLiteral(value, 'null');
    }
  }

  takeOption(key: string | undefined, value: number): void {
    if (key !== 'include_usage') return;
    if (this.#usage !== undefined) this.isAmbiguous = true;
    this.#usage = { start: value, end: undefined };
  }

  /** A comma or a closing bracket ends the value that is being passed at this depth. */
  endValue(position: number, depth: number): void {
    if (depth === 2 && this.isInOptions && this.#usage !== undefined) this.#usage.end ??= position;
    if (depth !== 1 || this.#options === undefined) return;
    this.#options.end ??= position;
    this.isInOptions = false;
  }

  /** @param begin where the body's object begins */
  read(begin: number): Omit<BodyMembers, 'model' | 'cost'> {
    const stream = this.#stream ?? 'false';
    const usageEdit = stream === 'true' ? this.#edit(begin) : undefined;
    return { stream, usageEdit, hasDataSources: this.#hasDataSources };
  }

  #edit(begin: number): BodyEdit | undefined {
    if (this.#options === undefined) {
      const text = '"stream_options":{"include_usage":true},';
      return { start: begin + 1, end: begin + 1, text };
    }
    const { start } = this.#options;
    if (this.#body[start] !== OPENING_BRACE) {
      return { ...this.#literal(this.#options), text: '{"include_usage":true}' };
    }
    if (this.#usage !== undefined) {
      const isAsked = this.#isLiteral(this.#usage.start, 'true');
      return isAsked ? undefined : { ...this.#literal(this.#usage), text: 'true' };
    }
    const isEmpty = this.#body[skipSpace(this.#body, start + 1)] === CLOSING_BRACE;
    const text = isEmpty ? '"include_usage":true' : '"include_usage":true,';
    return { start: start + 1, end: start + 1, text };
  }

  /** The extent of a value without trailing white space. */
  #literal({ start, end = start }: Stretched): { start: number; end: number } {
    let last = end;
    while (last > start && isSpace(this.#body[last - 1])) last--;
    return { start, end: last };
  }

  #readStream(value: number): BodyMembers['stream'] {
    if (this.#isLiteral(value, 'true')) return 'true';
    return this.#isLiteral(value, 'false') || this.#isLiteral(value, 'null') ? 'false' : 'odd';
  }

  #isLiteral(start: number, literal: string): boolean {
    return this.#body.toString('latin1', start, start + literal.length) === literal;
  }
}

/** Returned instead of a position. */
const TOO_MUCH_SPACE = -1;

/** The next byte that is not white space, or {@link TOO_MUCH_SPACE}. */
function skipSpace(body: Buffer, start: number): number {
  for (let position = start; position < start + MAX_SPACE_BYTES; position++) {
    if (!isSpace(body[position])) return position;
  }
  return TOO_MUCH_SPACE;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
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
