import {
  isObject,
  objectIn,
  objectsIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import { CUT_SHORT, messageIn } from '../provider-error.ts';
import type { TranslationInput, ServerSentEvent, StreamTranslation } from '../translator.ts';
import {
  emptyMessage,
  messagesErrorObject,
  messagesUsage,
  extractContent,
  stopReason,
} from './message.ts';
import { restoreToolNames } from '../tool-names.ts';
import { messageEvent } from './message-event.ts';
import { MessageBlocks } from './message-blocks.ts';

/** The status of an error in a stream that contains none. */
const STREAM_ERROR_STATUS = 500;
const TOO_MUCH = 'The provider sent too much between the pieces of a tool call.';

/** Translates the chunks of one chat completion into the events of a message. */
export class MessagesStream implements StreamTranslation {
  readonly #input: TranslationInput;
  readonly #blocks: MessageBlocks;
  #usage: JsonObject = {};
  #thoughtCount = 0;
  #finishReason: string | undefined;
  #isRefused = false;
  #hasBegun = false;
  #isOver = false;

  constructor(input: TranslationInput) {
    this.#input = input;
    this.#blocks = new MessageBlocks(restoreToolNames(input.body.tools));
  }

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    if (this.#isOver) return [];
    if (data.trim() === '[DONE]') return this.#end();
    const chunk = parseObject(data);
    if (chunk === undefined) return [];
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(chunk);
    const events = this.#begin(chunk);
    // The usage is in the last chunk, or after it.
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
    const { model, body } = this.#input;
    const message = emptyMessage(chunk, model);
    const { system, messages, tools } = body;
    const usage = isObject(chunk.usage)
      ? messagesUsage(chunk.usage)
      : { input_tokens: estimatedInputTokens({ system, messages, tools }) };
    return [
      messageEvent('message_start', {
        message: { ...message, usage: { ...objectIn(message.usage), ...usage } },
      }),
    ];
  }

  #add(delta: JsonObject): ServerSentEvent[] {
    const { text, thinking, refusal } = extractContent(delta);
    if (refusal !== '') this.#isRefused = true;
    const events = [
      ...this.#blocks.addText('thinking', thinking),
      ...this.#addThoughts(objectsIn(delta.thinking_blocks)),
      ...this.#blocks.addText('text', text + refusal),
      ...objectsIn(delta.tool_calls).flatMap((call) => this.#blocks.addToCall(call)),
    ];
    return this.#blocks.isOverfull ? [...events, ...this.#fail({ message: TOO_MUCH })] : events;
  }

  /** The blocks include the earlier ones. The text of a thought has arrived before. */
  #addThoughts(blocks: readonly JsonObject[]): ServerSentEvent[] {
    const added = blocks.slice(this.#thoughtCount);
    this.#thoughtCount += added.length;
    return added.flatMap((block) =>
      block.type === 'redacted_thinking' || block.thinking === ''
        ? this.#blocks.addWhole(block)
        : this.#blocks.sign(textIn(block.signature) ?? ''),
    );
  }

  #end(): ServerSentEvent[] {
    const blocks = this.#blocks.end();
    const delta = {
      container: null,
      stop_details: null,
      stop_reason: stopReason(this.#finishReason, this.#blocks.hasCalls, this.#isRefused),
      stop_sequence: null,
    };
    const events = [
      ...this.#begin({}),
      ...blocks,
      messageEvent('message_delta', { delta, usage: messagesUsage(this.#usage) }),
      messageEvent('message_stop', {}),
    ];
    this.#isOver = true;
    return events;
  }

  #fail(chunk: JsonObject): ServerSentEvent[] {
    this.#isOver = true;
    const { code } = objectIn(chunk.error);
    const status = typeof code === 'number' && code >= 400 ? code : STREAM_ERROR_STATUS;
    const message = messageIn(chunk) ?? 'The provider failed.';
    return [messageEvent('error', { error: messagesErrorObject(status, chunk.error, message) })];
  }
}

const CHARACTERS_PER_TOKEN = 3;
/** Members with encoded images and documents, which do not count by their length. */
const MEDIA_MEMBER = 'data';

/**
 * Estimates the input tokens of a request from its texts. Providers count them only at the end of a stream, and some
 * clients read them from its beginning.
 * @param body of a Messages request
 */
function estimatedInputTokens(body: unknown): number {
  let characters = 0;
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const one of value as unknown[]) left.push(one);
    else if (isObject(value)) {
      for (const [key, one] of Object.entries(value)) {
        if (key !== MEDIA_MEMBER || typeof one !== 'string') left.push(one);
      }
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
