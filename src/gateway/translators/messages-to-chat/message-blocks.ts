import { JsonProgress } from '../../json/json-progress.ts';
import {
  filledTextIn,
  isObject,
  numberIn,
  objectIn,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import type { ServerSentEvent } from '../translator.ts';
import type { RestoreName } from '../tool-names.ts';
import { messageEvent } from './message-event.ts';
import { toolUseHead } from './message.ts';

// The maximum of waiting characters. Each block counts as so many characters.
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;
const BLOCK_CHARACTERS = 256;

interface TextBlock {
  readonly kind: 'text' | 'thinking';
  /** The part that has not been sent. */
  waiting: string;
  signature?: string;
}

interface CallBlock {
  readonly kind: 'tool_use';
  waiting: string;
  id: string | undefined;
  /** Undefined until a chunk names the tool. */
  name: string | undefined;
  /** Tracks the end of the arguments. */
  readonly progress: JsonProgress;
  isClosed: boolean;
}

/** A block that has no pieces. */
interface WholeBlock {
  readonly kind: 'whole';
  readonly block: JsonObject;
}

type Block = TextBlock | CallBlock | WholeBlock;

const EMPTY: Record<TextBlock['kind'], JsonObject> = {
  text: { text: '', citations: null },
  thinking: { thinking: '', signature: '' },
};

/**
 * The content blocks of a streamed message. Chunks of a chat completion belong to a call by its index and may
 * alternate between calls; the events of a message belong to one block after the other. So one block is open, and
 * the others wait until it is complete.
 */
export class MessageBlocks {
  /** The first one is open, unless its name is not known yet. */
  readonly #blocks: Block[] = [];
  readonly #callsByIndex = new Map<number, CallBlock>();
  #lastCall: CallBlock | undefined;
  #isOpen = false;
  #index = 0;
  #waitingCharacters = 0;

  /** A call of a tool has been sent. */
  hasCalls = false;

  readonly #restoreName: RestoreName;

  constructor(restoreName: RestoreName) {
    this.#restoreName = restoreName;
  }

  /** The waiting text exceeds its limit. */
  get isOverfull(): boolean {
    return this.#waitingCharacters > MAX_WAITING_CHARACTERS;
  }

  addText(kind: TextBlock['kind'], text: string): ServerSentEvent[] {
    if (text === '') return [];
    const last = this.#blocks.at(-1);
    if (last?.kind === kind && last.signature === undefined) this.#wait(last, text);
    else this.#wait(this.#add({ kind, waiting: '' }), text);
    return this.#send();
  }

  /** Adds a block that has no pieces. */
  addWhole(block: JsonObject): ServerSentEvent[] {
    this.#add({ kind: 'whole', block });
    return this.#send();
  }

  /** Adds the signature of the last block, if it is a thought; it closes the block. */
  sign(signature: string): ServerSentEvent[] {
    const last = this.#blocks.at(-1);
    if (last?.kind !== 'thinking' || signature === '') return [];
    last.signature = signature;
    return [];
  }

  /** @param piece an element of `tool_calls` of a chunk */
  addToCall(piece: JsonObject): ServerSentEvent[] {
    const { name, arguments: value } = objectIn(piece.function);
    // Some servers send the object itself.
    const text = isObject(value) ? JSON.stringify(value) : textIn(value);
    const call = this.#callOf(piece) ?? this.#addCall(piece);
    call.id ??= filledTextIn(piece.id);
    call.name ??= filledTextIn(name);
    // A closed block accepts no more text. Only white space follows complete arguments.
    if (text !== undefined && text !== '' && !call.isClosed) {
      call.progress.feed(text);
      this.#wait(call, text);
    }
    return this.#send();
  }

  /** Sends the waiting text, and closes the last block. */
  end(): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const block of this.#blocks.splice(0)) {
      // Some servers announce a call and never make it.
      if (block.kind === 'tool_use' && block.name === undefined && block.waiting === '') continue;
      events.push(...this.#open(block), ...this.#flush(block), ...this.#close(block));
    }
    return events;
  }

  #add<B extends Block>(block: B): B {
    this.#blocks.push(block);
    this.#waitingCharacters += BLOCK_CHARACTERS;
    return block;
  }

  #addCall(piece: JsonObject): CallBlock {
    const call = this.#add<CallBlock>({
      kind: 'tool_use',
      waiting: '',
      id: undefined,
      name: undefined,
      progress: new JsonProgress(),
      isClosed: false,
    });
    const index = numberIn(piece.index);
    if (index !== undefined) this.#callsByIndex.set(index, call);
    this.#lastCall = call;
    return call;
  }

  /**
   * The call that a piece belongs to; undefined for a new one. Some servers give all calls the same index or none,
   * some send a new id with each piece, and some name the tool late. So only a piece that names a tool begins
   * another call: with another id, or when the arguments of the call are complete.
   */
  #callOf(piece: JsonObject): CallBlock | undefined {
    const index = numberIn(piece.index);
    const call = index === undefined ? this.#lastCall : this.#callsByIndex.get(index);
    if (call === undefined || call.name === undefined) return call;
    if (filledTextIn(objectIn(piece.function).name) === undefined) return call;
    const id = filledTextIn(piece.id);
    const { isComplete, isEmpty } = call.progress;
    if (id === undefined) return isComplete ? undefined : call;
    return id !== call.id && (isComplete || isEmpty) ? undefined : call;
  }

  #wait(block: TextBlock | CallBlock, text: string): void {
    block.waiting += text;
    this.#waitingCharacters += text.length;
  }

  /** Sends all text of the first block, and of the next one if the first is complete. */
  #send(): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (let block = this.#blocks[0]; block !== undefined; block = this.#blocks[0]) {
      if (block.kind === 'tool_use' && block.name === undefined) break;
      events.push(...this.#open(block), ...this.#flush(block));
      const isComplete = block.kind !== 'tool_use' || block.progress.isComplete;
      if (this.#blocks.length === 1 || !isComplete) break;
      events.push(...this.#close(block));
      this.#blocks.shift();
    }
    return events;
  }

  #open(block: Block): ServerSentEvent[] {
    if (this.#isOpen) return [];
    this.#isOpen = true;
    this.#waitingCharacters -= BLOCK_CHARACTERS;
    if (block.kind === 'tool_use') this.hasCalls = true;
    const content = this.#headOf(block);
    return [messageEvent('content_block_start', { index: this.#index, content_block: content })];
  }

  /** Returns a block without the content of its pieces. */
  #headOf(block: Block): JsonObject {
    switch (block.kind) {
      case 'whole':
        return block.block;
      case 'tool_use': {
        const head = toolUseHead(block.id, block.name, this.#restoreName);
        return { type: block.kind, ...head, input: {} };
      }
      case 'text':
      case 'thinking':
        return { type: block.kind, ...EMPTY[block.kind] };
    }
  }

  #flush(block: Block): ServerSentEvent[] {
    if (block.kind === 'whole' || block.waiting === '') return [];
    const { kind, waiting } = block;
    block.waiting = '';
    this.#waitingCharacters -= waiting.length;
    const delta =
      kind === 'tool_use'
        ? { type: 'input_json_delta', partial_json: waiting }
        : { type: `${kind}_delta`, [kind]: waiting };
    return [messageEvent('content_block_delta', { index: this.#index, delta })];
  }

  #close(block: Block): ServerSentEvent[] {
    if (block.kind === 'tool_use') block.isClosed = true;
    this.#isOpen = false;
    const { signature } = block.kind === 'thinking' ? block : {};
    const signed = { type: 'signature_delta', signature };
    return [
      ...(signature === undefined
        ? []
        : [messageEvent('content_block_delta', { index: this.#index, delta: signed })]),
      messageEvent('content_block_stop', { index: this.#index++ }),
    ];
  }
}
