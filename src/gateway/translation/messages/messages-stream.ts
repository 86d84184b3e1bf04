import { isObject, numberIn, objectIn, objectsIn, parseObject, textIn } from '../json-fields.ts';
import { CUT_SHORT, errorTypeOf, messageIn } from '../provider-error.ts';
import type { Asked, JsonObject, ServerSentEvent, StreamTranslation } from '../translation.ts';
import { emptyMessage, messagesUsage, saidIn, stopReason, toolUseHead } from './messages-answer.ts';

/** What an error in the middle of a stream is told as, when it does not say more. */
const STREAM_ERROR_STATUS = 500;

type BlockKind = 'text' | 'thinking' | 'tool_use';

/** A call as the chunks tell it. */
interface Call {
  /** Of the chunks. */
  callIndex: number;
  id: string | undefined;
  /** Of the content block. */
  blockIndex: number;
}

/** Translates the chunks of one chat completion into the events of a message. */
export class MessagesStream implements StreamTranslation {
  readonly #asked: Asked;
  readonly #calls: Call[] = [];
  #open: { kind: BlockKind; index: number } | undefined;
  #blockCount = 0;
  #usage: JsonObject = {};
  #finishReason: string | undefined;
  #isRefused = false;
  #hasBegun = false;
  #isOver = false;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    if (this.#isOver) return [];
    if (data.trim() === '[DONE]') return this.#end();
    const chunk = parseObject(data);
    if (chunk === undefined) return [];
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(chunk);
    const events = this.#begin(chunk);
    // The usage comes with the last chunk, or behind it.
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    const [choice] = objectsIn(chunk.choices);
    if (choice === undefined) return events;
    this.#finishReason = textIn(choice.finish_reason) ?? this.#finishReason;
    return [...events, ...this.#add(objectIn(choice.delta))];
  }

  end(): ServerSentEvent[] {
    if (this.#isOver) return [];
    if (this.#finishReason !== undefined) return this.#end();
    return this.#fail({ message: CUT_SHORT });
  }

  #begin(chunk: JsonObject): ServerSentEvent[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return [named('message_start', { message: emptyMessage(chunk, this.#asked.model) })];
  }

  #add(delta: JsonObject): ServerSentEvent[] {
    const { text, thinking, refusal } = saidIn(delta);
    if (refusal !== '') this.#isRefused = true;
    return [
      ...this.#addText('thinking', thinking),
      ...this.#addText('text', text + refusal),
      ...objectsIn(delta.tool_calls).flatMap((call) => this.#addToCall(call)),
    ];
  }

  #addText(kind: 'text' | 'thinking', text: string): ServerSentEvent[] {
    if (text === '') return [];
    const events: ServerSentEvent[] = [];
    if (this.#open?.kind !== kind) {
      const empty =
        kind === 'text' ? { text: '', citations: null } : { thinking: '', signature: '' };
      events.push(...this.#openBlock(kind, empty));
    }
    events.push(this.#delta(this.#blockCount - 1, { type: `${kind}_delta`, [kind]: text }));
    return events;
  }

  #addToCall(piece: JsonObject): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const { name, arguments: text } = objectIn(piece.function);
    let call = this.#callOf(piece);
    if (call === undefined) {
      const id = textIn(piece.id);
      events.push(...this.#openBlock('tool_use', { ...toolUseHead(id, name), input: {} }));
      const callIndex = numberIn(piece.index) ?? this.#calls.length;
      call = { callIndex, id, blockIndex: this.#blockCount - 1 };
      this.#calls.push(call);
    }
    if (typeof text === 'string' && text !== '') {
      events.push(this.#delta(call.blockIndex, { type: 'input_json_delta', partial_json: text }));
    }
    return events;
  }

  /** The call that a piece belongs to. Some servers give all calls the same index, or none. */
  #callOf(piece: JsonObject): Call | undefined {
    const index = numberIn(piece.index);
    const id = textIn(piece.id);
    const call =
      index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast(({ callIndex }) => callIndex === index);
    const isAnother = id !== undefined && id !== '' && id !== call?.id;
    return isAnother ? undefined : call;
  }

  #openBlock(kind: BlockKind, fields: JsonObject): ServerSentEvent[] {
    const events = this.#closeBlock();
    const index = this.#blockCount++;
    this.#open = { kind, index };
    const block = { type: kind, ...fields };
    return [...events, named('content_block_start', { index, content_block: block })];
  }

  #closeBlock(): ServerSentEvent[] {
    if (this.#open === undefined) return [];
    const { index } = this.#open;
    this.#open = undefined;
    return [named('content_block_stop', { index })];
  }

  #delta(index: number, delta: JsonObject): ServerSentEvent {
    return named('content_block_delta', { index, delta });
  }

  #end(): ServerSentEvent[] {
    const delta = {
      container: null,
      stop_details: null,
      stop_reason: stopReason(this.#finishReason, this.#calls.length > 0, this.#isRefused),
      stop_sequence: null,
    };
    const events = [
      ...this.#begin({}),
      ...this.#closeBlock(),
      named('message_delta', { delta, usage: messagesUsage(this.#usage) }),
      named('message_stop', {}),
    ];
    this.#isOver = true;
    return events;
  }

  #fail(chunk: JsonObject): ServerSentEvent[] {
    this.#isOver = true;
    const { code } = objectIn(chunk.error);
    const status = typeof code === 'number' && code >= 400 ? code : STREAM_ERROR_STATUS;
    const message = messageIn(chunk) ?? 'The provider failed.';
    return [named('error', { error: { type: errorTypeOf(status), message } })];
  }
}

/** An event whose name is its type, as the clients of the API expect it. */
function named(type: string, fields: JsonObject): ServerSentEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}
