import type { BodyEdit } from '../json/body-members.ts';
import {
  COLON,
  COMMA,
  OPENING_BRACKET,
  QUOTE,
  isSpace,
  readString,
  runWalk,
  skipSpace,
  walkJson,
} from '../json/json-walk.ts';
import { type ListItem, removalEdits } from '../json/list-edits.ts';

const SIGNATURE = Buffer.from('"signature"');
const ENABLED = Buffer.from('"enabled"');
const TOOL_USE = Buffer.from('"tool_use"');

/** Relevant names and values are shorter, also with escapes. */
const MAX_TEXT_BYTES = 128;
/** Relevant names and values, besides the empty signature. */
const TEXTS =
  'messages content type signature role thinking redacted_thinking tool_use tool_result enabled user assistant';
/** Their lengths with quotes. */
const PLAIN_BYTES: ReadonlySet<number> = new Set([
  2,
  ...TEXTS.split(' ').map((text) => text.length + 2),
]);
const BACKSLASH = 0x5c;

// Depths of the brackets in `{"messages": [{"content": [{"type": …}]}]}`.
const BODY = 1;
const MESSAGES = 2;
const MESSAGE = 3;
const CONTENT = 4;
const BLOCK = 5;

interface Block extends ListItem {
  readonly type: string | undefined;
}

const MESSAGES_PATH = /(?:^|\/)messages(?:\/count_tokens)?$/;

/**
 * Returns the edits to a Messages request whose conversation contains replies of other models:
 * - They remove thinking blocks with an empty signature. The gateway writes such blocks for the thoughts of other
 *   models, and Anthropic refuses a conversation that contains one.
 * - They remove `thinking: {"type": "enabled"}` between tool calls if the turn began without a thinking block, which
 *   Anthropic refuses.
 * @param path the path of the request at the provider, or an operation
 * @param body a JSON object
 */
export async function messagesEdits(path: string, body: Buffer): Promise<BodyEdit[]> {
  if (!MESSAGES_PATH.test(path)) return [];
  const mayNeedEdits =
    containsUnsigned(body) || (body.includes(ENABLED) && body.includes(TOOL_USE));
  return mayNeedEdits ? runWalk(new ConversationWalk(body).run()) : [];
}

/** Most bodies contain no empty signature, which costs less to find out than a walk. */
function containsUnsigned(body: Buffer): boolean {
  for (let at = body.indexOf(SIGNATURE); at >= 0; at = body.indexOf(SIGNATURE, at + 1)) {
    const colon = skipSpace(body, at + SIGNATURE.length);
    if (body[colon] !== COLON) continue;
    const value = skipSpace(body, colon + 1);
    if (body[value] === QUOTE && body[value + 1] === QUOTE) return true;
  }
  return false;
}

/** Walks over a body, and notes the extents of its messages and their blocks. */
class ConversationWalk {
  readonly #body: Buffer;
  readonly #edits: BodyEdit[] = [];
  /** The last key at each depth. */
  readonly #keys: (string | undefined)[] = [];
  /** Positions of the open brackets. */
  readonly #starts: number[] = [];
  #isInMessages = false;
  #isInContent = false;
  #messages: ListItem[] = [];
  #blocks: Block[] = [];
  #role: string | undefined;
  #type: string | undefined;
  #isUnsigned = false;
  /** The first reply to the last prompt calls a tool without a thought; undefined before the reply. */
  #lacksThought: boolean | undefined;
  /** The extent of the member `thinking`, from its key, if it enables thinking. */
  #thinking: { start: number; end: number } | undefined;
  #thinkingKey = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  *run(): Generator<void, BodyEdit[]> {
    yield* walkJson(this.#body, {
      open: (position, byte) => this.#open(position, byte),
      close: (end) => this.#close(end),
      takeString: (start, end) => this.#takeText(start, end),
    });
    if (this.#lacksThought === true && this.#thinking !== undefined) {
      this.#removeMember(this.#thinking);
    }
    return this.#edits.toSorted((one, other) => one.start - other.start);
  }

  #open(position: number, byte: number): void {
    const depth = this.#starts.push(position);
    const isList = byte === OPENING_BRACKET;
    if (depth === MESSAGES) this.#isInMessages = isList && this.#keys[BODY] === 'messages';
    if (depth === MESSAGE) {
      this.#blocks = [];
      this.#role = undefined;
    }
    if (depth === CONTENT) this.#isInContent = isList && this.#keys[MESSAGE] === 'content';
    if (depth !== BLOCK) return;
    this.#type = undefined;
    this.#isUnsigned = false;
  }

  #close(end: number): void {
    const depth = this.#starts.length;
    const start = this.#starts.pop();
    if (depth === MESSAGES && this.#thinking !== undefined) this.#thinking.end ||= end;
    if (start === undefined || !this.#isInMessages) return;
    if (depth === BLOCK && this.#isInContent) {
      const isRemoved = this.#type === 'thinking' && this.#isUnsigned;
      this.#blocks.push({ start, end, isRemoved, type: this.#type });
    } else if (depth === MESSAGE) {
      const isRemoved = this.#blocks.length > 0 && this.#blocks.every((one) => one.isRemoved);
      if (!isRemoved) this.#edits.push(...removalEdits(this.#blocks));
      this.#messages.push({ start, end, isRemoved });
      this.#followTurn();
    } else if (depth === MESSAGES) {
      this.#isInMessages = false;
      this.#edits.push(...removalEdits(this.#messages));
      this.#messages = [];
    }
  }

  #followTurn(): void {
    const types = this.#blocks.filter(({ isRemoved }) => !isRemoved).map(({ type }) => type);
    if (this.#role === 'user' && !types.includes('tool_result')) this.#lacksThought = undefined;
    if (this.#role !== 'assistant') return;
    const [first] = types;
    const isThought = first === 'thinking' || first === 'redacted_thinking';
    this.#lacksThought ??= types.includes('tool_use') && !isThought;
  }

  /** Removes a member together with the comma after it, or else the one before it. */
  #removeMember({ start, end }: { start: number; end: number }): void {
    const next = skipSpace(this.#body, end);
    if (this.#body[next] === COMMA) {
      this.#edits.push({ start, end: next + 1, text: '' });
      return;
    }
    let before = start - 1;
    while (isSpace(this.#body[before])) before--;
    if (this.#body[before] === COMMA) this.#edits.push({ start: before, end, text: '' });
  }

  #takeText(start: number, end: number): void {
    const depth = this.#starts.length;
    if (depth > BLOCK) return;
    const text = this.#read(start, end);
    if (this.#body[skipSpace(this.#body, end)] === COLON) {
      this.#keys[depth] = text;
      if (depth === BODY && text === 'thinking') this.#thinkingKey = start;
    } else if (depth === MESSAGES && this.#keys[BODY] === 'thinking') {
      if (this.#keys[MESSAGES] !== 'type') return;
      this.#thinking = text === 'enabled' ? { start: this.#thinkingKey, end: 0 } : undefined;
    } else if (depth === MESSAGE && this.#keys[MESSAGE] === 'role') this.#role = text;
    else if (depth === BLOCK && this.#keys[BLOCK] === 'type') this.#type = text;
    else if (depth === BLOCK && this.#keys[BLOCK] === 'signature') this.#isUnsigned = text === '';
  }

  /** Returns a text that may matter. Most do not have to be parsed. */
  #read(start: number, end: number): string | undefined {
    if (end - start > MAX_TEXT_BYTES) return undefined;
    for (let position = start; position < end; position++) {
      if (this.#body[position] === BACKSLASH) {
        return readString(this.#body, start, end, MAX_TEXT_BYTES);
      }
    }
    return PLAIN_BYTES.has(end - start)
      ? this.#body.toString('latin1', start + 1, end - 1)
      : undefined;
  }
}
