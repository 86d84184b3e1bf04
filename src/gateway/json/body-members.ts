import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  Stretch,
  TOO_MUCH_SPACE,
  endOfString,
  isSpace,
  readString,
  runWalk,
  skipSpace,
} from './json-walk.ts';
import { CostMembers } from './cost-members.ts';
import { ReplyKeys } from './reply-keys.ts';

/** The replacement of a range of a body. */
export interface BodyEdit {
  start: number;
  end: number;
  text: string;
}

/** The model in a body, with the range of its JSON text, including the quotes. */
export interface ModelMember {
  model: string;
  start: number;
  end: number;
}

/**
 * The reason that a body cannot be read: it is not a JSON object, is nested too deep, or contains a member twice, of which
 * the provider might read the other one.
 */
export type BodyFault = 'not-json' | 'too-deep' | 'ambiguous';

/** The members that the gateway reads in a JSON body, with the result of a JSON parser. */
export interface BodyMembers {
  model: ModelMember | 'missing';
  /** `odd`: neither a boolean nor null. Providers interpret such values differently. */
  stream: 'true' | 'false' | 'odd';
  /**
   * The edit that requests the usage of a stream of completions. Undefined if the client requests it, or requests no
   * stream.
   */
  usageEdit: BodyEdit | undefined;
  /** The body has `data_sources`, with which Azure OpenAI rejects `stream_options`. */
  hasDataSources: boolean;
  /** Numbers, texts and booleans that bound the cost of the call, see cost-members.ts. */
  cost: CostMembers;
  /** Members of earlier responses in the conversation that some providers reject. */
  replyKeys: ReadonlySet<string>;
}

const MAX_KEY_BYTES = 256;
const MAX_MODEL_BYTES = 1_024;

/**
 * Reads members of a JSON body without parsing it: in one pass that skips strings and reads only the keys of the outermost
 * object and of its `stream_options`. The provider validates the rest of the JSON.
 */
export function readBodyMembers(body: Buffer, maxDepth: number): Promise<BodyMembers | BodyFault> {
  return runWalk(new BodyWalk(body, maxDepth).run());
}

type Walk = Generator<void, BodyMembers | BodyFault>;

class BodyWalk {
  readonly #body: Buffer;
  readonly #maxDepth: number;
  readonly #usage: UsageRequest;
  readonly #cost: CostMembers;
  readonly #replies: ReplyKeys;
  #model: ModelMember | 'missing' | undefined;
  #fault: BodyFault | undefined;

  constructor(body: Buffer, maxDepth: number) {
    this.#body = body;
    this.#maxDepth = maxDepth;
    this.#usage = new UsageRequest(body);
    this.#cost = new CostMembers(body);
    this.#replies = new ReplyKeys(body);
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
        this.#takeString(position, end, depth);
        position = end - 1;
      }
    }
    return depth === 0 ? this.#result(begin) : 'not-json';
  }

  #result(begin: number): BodyMembers | BodyFault {
    const fault = this.#fault ?? (this.#usage.isAmbiguous ? 'ambiguous' : undefined);
    if (fault !== undefined) return fault;
    return {
      model: this.#model ?? 'missing',
      ...this.#usage.read(begin),
      cost: this.#cost,
      replyKeys: this.#replies.found,
    };
  }

  #takeString(start: number, end: number, depth: number): void {
    if (depth === 1 || (depth === 2 && (this.#usage.isInOptions || this.#cost.isInHolder))) {
      this.#takeText(start, end, depth);
    }
    this.#cost.takeString(start, end);
    this.#replies.takeString(start, end, depth);
  }

  #endValue(position: number, depth: number): void {
    this.#usage.endValue(position, depth);
    if (depth === 1) this.#cost.endMember();
  }

  /** Reads a string that may be a key, with or without escapes. A string without a colon after it is a value. */
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

/** The range of a value; without an end while the pass is inside of it. */
interface Stretched {
  start: number;
  end: number | undefined;
}

/** Reads the members of a body that determine its stream. */
class UsageRequest {
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

  /** Ends the value at this depth, at a comma or a closing bracket. */
  endValue(position: number, depth: number): void {
    if (depth === 2 && this.isInOptions && this.#usage !== undefined) this.#usage.end ??= position;
    if (depth !== 1 || this.#options === undefined) return;
    this.#options.end ??= position;
    this.isInOptions = false;
  }

  /** @param begin position of the opening brace of the body */
  read(begin: number): Omit<BodyMembers, 'model' | 'cost' | 'replyKeys'> {
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

  /** Returns the range of a value without trailing white space. */
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

function readModel(body: Buffer, start: number): ModelMember | 'missing' {
  if (body[start] !== QUOTE) return 'missing';
  // A longer string is not a model.
  const near = body.subarray(0, start + MAX_MODEL_BYTES);
  const { value: end } = endOfString(near, start, new Stretch()).next();
  if (end === undefined || end < 0) return 'missing';
  const model = readString(body, start, end, MAX_MODEL_BYTES);
  return model === undefined ? 'missing' : { model, start, end };
}
