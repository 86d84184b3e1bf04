import {
  numberIn,
  objectIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import { CUT_SHORT } from '../provider-error.ts';
import type { TranslationInput, ServerSentEvent, StreamTranslation } from '../translator.ts';
import { chatUsage, errorObject, finishReason, refusalOf } from './chat-completion.ts';
import { thoughtsIn } from './thinking-blocks.ts';

/** The status of an error in a stream that contains none. */
const STREAM_ERROR_STATUS = 500;

/** Translates the events of one message into chunks of a chat completion. */
export class ChatStream implements StreamTranslation {
  readonly #input: TranslationInput;
  readonly #hasUsage: boolean;
  #id = '';
  #model: string;
  #usage: JsonObject = {};
  /** The tool call of the open block. */
  #call: { index: number; hasArguments: boolean } | undefined;
  readonly #thoughts: JsonObject[] = [];
  /** The thought that is being written. */
  #thought: { thinking: string; signature: string } | undefined;
  #callCount = 0;
  #hasStopReason = false;
  #isOver = false;

  constructor(input: TranslationInput) {
    this.#input = input;
    this.#model = input.model;
    this.#hasUsage = objectIn(input.body.stream_options).include_usage === true;
  }

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    const event = parseObject(data);
    if (event === undefined || this.#isOver) return [];
    switch (event.type) {
      case 'message_start':
        return this.#begin(objectIn(event.message));
      case 'content_block_start':
        return this.#beginBlock(objectIn(event.content_block));
      case 'content_block_delta':
        return this.#addToBlock(objectIn(event.delta));
      case 'content_block_stop':
        return this.#endBlock();
      case 'message_delta':
        return this.#stop(objectIn(event.delta), objectIn(event.usage));
      case 'message_stop':
        return this.#end();
      case 'error':
        return this.#fail(objectIn(event.error));
      default:
        return [];
    }
  }

  end(): ServerSentEvent[] {
    if (this.#isOver) return [];
    if (this.#hasStopReason) return this.#end();
    return this.#fail({ message: CUT_SHORT });
  }

  #begin(message: JsonObject): ServerSentEvent[] {
    this.#id = textIn(message.id) ?? '';
    this.#model = textIn(message.model) ?? this.#model;
    this.#countUsage(objectIn(message.usage));
    return [this.#delta({ role: 'assistant', content: '' })];
  }

  #beginBlock(block: JsonObject): ServerSentEvent[] {
    if (block.type === 'redacted_thinking') return this.#addThought(block);
    if (block.type === 'thinking')
      this.#thought = { thinking: '', signature: textIn(block.signature) ?? '' };
    if (block.type !== 'tool_use') return this.#addText(block.text, block.thinking);
    const input = objectIn(block.input);
    const hasArguments = Object.keys(input).length > 0;
    this.#call = { index: this.#callCount++, hasArguments };
    const text = hasArguments ? JSON.stringify(input) : '';
    const { id, name } = block;
    const call = { id, type: 'function', function: { name, arguments: text } };
    return [this.#delta({ tool_calls: [{ index: this.#call.index, ...call }] })];
  }

  #addToBlock(delta: JsonObject): ServerSentEvent[] {
    if (delta.type === 'input_json_delta') return this.#addArguments(textIn(delta.partial_json));
    if (delta.type === 'signature_delta' && this.#thought !== undefined) {
      this.#thought.signature += textIn(delta.signature) ?? '';
    }
    return this.#addText(delta.text, delta.thinking);
  }

  /** Repeats the earlier blocks, because clients replace unknown members of a message. */
  #addThought(thought: JsonObject): ServerSentEvent[] {
    this.#thoughts.push(...thoughtsIn([thought]));
    return this.#thoughts.length === 0 ? [] : [this.#delta({ thinking_blocks: this.#thoughts })];
  }

  #addText(text: unknown, thinking: unknown): ServerSentEvent[] {
    if (typeof text === 'string' && text !== '') return [this.#delta({ content: text })];
    if (typeof thinking !== 'string' || thinking === '') return [];
    if (this.#thought !== undefined) this.#thought.thinking += thinking;
    return [this.#delta({ reasoning_content: thinking })];
  }

  #addArguments(text: string | undefined): ServerSentEvent[] {
    if (this.#call === undefined || text === undefined || text === '') return [];
    this.#call.hasArguments = true;
    const { index } = this.#call;
    return [this.#delta({ tool_calls: [{ index, function: { arguments: text } }] })];
  }

  /** A call without arguments has no text, but the client parses the text. */
  #endBlock(): ServerSentEvent[] {
    const events = this.#call?.hasArguments === false ? this.#addArguments('{}') : [];
    this.#call = undefined;
    const thought = this.#thought;
    this.#thought = undefined;
    return thought === undefined ? events : this.#addThought({ type: 'thinking', ...thought });
  }

  #stop(delta: JsonObject, usage: JsonObject): ServerSentEvent[] {
    this.#countUsage(usage);
    const { stop_reason: stopReason } = delta;
    if (typeof stopReason !== 'string') return [];
    this.#hasStopReason = true;
    const refusal = stopReason === 'refusal' ? { refusal: refusalOf(delta.stop_details) } : {};
    return [this.#delta(refusal, finishReason(stopReason))];
  }

  #end(): ServerSentEvent[] {
    this.#isOver = true;
    const done = { data: '[DONE]' };
    const usage = chatUsage(this.#usage);
    if (!this.#hasUsage || usage === undefined) return [done];
    return [this.#chunk({ choices: [], usage }), done];
  }

  #fail(error: JsonObject): ServerSentEvent[] {
    this.#isOver = true;
    return [{ data: JSON.stringify(errorObject(error, STREAM_ERROR_STATUS)) }];
  }

  /** The numbers are totals so far. Some servers repeat a total as 0. */
  #countUsage(usage: JsonObject): void {
    for (const [name, value] of Object.entries(usage)) {
      const total = numberIn(value);
      if (total !== undefined)
        this.#usage[name] = Math.max(total, numberIn(this.#usage[name]) ?? 0);
      else if (name === 'output_tokens_details') this.#usage[name] = value;
    }
  }

  #delta(delta: JsonObject, finish: string | null = null): ServerSentEvent {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    return this.#chunk(this.#hasUsage ? { choices, usage: null } : { choices });
  }

  #chunk(fields: JsonObject): ServerSentEvent {
    const head = {
      id: this.#id,
      object: 'chat.completion.chunk',
      created: Math.floor(this.#input.nowMs / 1_000),
      model: this.#model,
    };
    return { data: JSON.stringify({ ...head, ...fields }) };
  }
}
