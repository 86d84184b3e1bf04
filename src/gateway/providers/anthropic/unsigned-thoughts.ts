import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { BodyEdit } from '../../body-members.ts';
import type { Provider } from '../provider.ts';
import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  Stretch,
  endOfString,
  readString,
  runWalk,
  skipSpace,
} from '../../json-walk.ts';

const SIGNATURE = Buffer.from('"signature"');

/** The names and types that matter are shorter. */
const MAX_TEXT_BYTES = 64;

// Depths of the brackets in `{"messages": [{"content": [{"type": …}]}]}`.
const BODY = 1;
const MESSAGES = 2;
const MESSAGE = 3;
const CONTENT = 4;
const BLOCK = 5;

interface Item {
  readonly start: number;
  readonly end: number;
  readonly isRemoved: boolean;
}

const MESSAGES_PATH = /(?:^|\/)messages(?:\/count_tokens)?$/;

/**
 * The changes to a Messages request that passes byte for byte in other respects.
 * @param path of the request at the provider, or an operation
 */
export function messagesEdits(
  provider: Provider,
  path: string,
  body: Buffer,
): MaybePromise<BodyEdit[]> {
  const isRefused = provider.kind === 'upstream' && provider.refusesUnsignedThoughts === true;
  return isRefused && MESSAGES_PATH.test(path) ? unsignedThoughtEdits(body) : [];
}

/**
 * The edits that remove thinking blocks with an empty signature from a Messages request. The gateway writes such blocks
 * for the thoughts of other models, and Anthropic refuses a conversation that contains one.
 * @param body a JSON object
 * @returns without a promise for a body of ordinary size
 */
export function unsignedThoughtEdits(body: Buffer): MaybePromise<BodyEdit[]> {
  return mayContainOne(body) ? runWalk(new ThoughtWalk(body).run()) : [];
}

/** Most bodies contain no empty signature, which costs less to find out than a walk. */
function mayContainOne(body: Buffer): boolean {
  for (let at = body.indexOf(SIGNATURE); at >= 0; at = body.indexOf(SIGNATURE, at + 1)) {
    const colon = skipSpace(body, at + SIGNATURE.length);
    if (body[colon] !== COLON) continue;
    const value = skipSpace(body, colon + 1);
    if (body[value] === QUOTE && body[value + 1] === QUOTE) return true;
  }
  return false;
}

/** Walks over a body, and notes the extents of its messages and their blocks. */
class ThoughtWalk {
  readonly #body: Buffer;
  readonly #edits: BodyEdit[] = [];
  /** The last key at each depth. */
  readonly #keys: (string | undefined)[] = [];
  /** Positions of the open brackets. */
  readonly #starts: number[] = [];
  #isInMessages = false;
  #isInContent = false;
  #messages: Item[] = [];
  #blocks: Item[] = [];
  #type: string | undefined;
  #isUnsigned = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  *run(): Generator<void, BodyEdit[]> {
    const body = this.#body;
    const stretch = new Stretch();
    for (let position = 0; position < body.length; position++) {
      if (stretch.isOver(position)) yield;
      const byte = body[position];
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) this.#open(position, byte);
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) this.#close(position + 1);
      else if (byte === QUOTE) {
        const end = yield* endOfString(body, position, stretch);
        if (end < 0) break;
        this.#takeText(position, end);
        position = end - 1;
      }
    }
    return this.#edits.toSorted((one, other) => one.start - other.start);
  }

  #open(position: number, byte: number): void {
    const depth = this.#starts.push(position);
    const isList = byte === OPENING_BRACKET;
    if (depth === MESSAGES) this.#isInMessages = isList && this.#keys[BODY] === 'messages';
    if (depth === MESSAGE) this.#blocks = [];
    if (depth === CONTENT) this.#isInContent = isList && this.#keys[MESSAGE] === 'content';
    if (depth !== BLOCK) return;
    this.#type = undefined;
    this.#isUnsigned = false;
  }

  #close(end: number): void {
    const depth = this.#starts.length;
    const start = this.#starts.pop();
    if (start === undefined || !this.#isInMessages) return;
    if (depth === BLOCK && this.#isInContent) {
      const isRemoved = this.#type === 'thinking' && this.#isUnsigned;
      this.#blocks.push({ start, end, isRemoved });
    } else if (depth === MESSAGE) {
      const isRemoved = this.#blocks.length > 0 && this.#blocks.every((one) => one.isRemoved);
      if (!isRemoved) this.#remove(this.#blocks);
      this.#messages.push({ start, end, isRemoved });
    } else if (depth === MESSAGES) {
      this.#isInMessages = false;
      this.#remove(this.#messages);
      this.#messages = [];
    }
  }

  /** Removes items of a list together with the commas behind them; the last ones with those before. */
  #remove(items: readonly Item[]): void {
    const lastKept = items.findLastIndex(({ isRemoved }) => !isRemoved);
    const kept = items[lastKept];
    if (kept === undefined) return;
    for (const [index, { start, isRemoved }] of items.entries()) {
      const next = items[index + 1];
      if (!isRemoved || next === undefined || index > lastKept) continue;
      this.#edits.push({ start, end: next.start, text: '' });
    }
    const last = items.at(-1);
    if (last !== undefined && last !== kept) {
      this.#edits.push({ start: kept.end, end: last.end, text: '' });
    }
  }

  #takeText(start: number, end: number): void {
    const depth = this.#starts.length;
    if (depth > BLOCK) return;
    const text = readString(this.#body, start, end, MAX_TEXT_BYTES);
    if (this.#body[skipSpace(this.#body, end)] === COLON) this.#keys[depth] = text;
    else if (depth === BLOCK && this.#keys[BLOCK] === 'type') this.#type = text;
    else if (depth === BLOCK && this.#keys[BLOCK] === 'signature') this.#isUnsigned = text === '';
  }
}
