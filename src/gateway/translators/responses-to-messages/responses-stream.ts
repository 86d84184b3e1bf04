import { objectIn, parseObject, textIn, type JsonObject } from '../../json/json-fields.ts';
import { CUT_SHORT } from '../provider-error.ts';
import { argumentsIn } from '../tool-calls.ts';
import type { TranslationInput, ServerSentEvent, StreamTranslation } from '../translator.ts';
import { responseErrorOf } from './response-error.ts';
import {
  callItem,
  customInput,
  endOf,
  itemOf,
  responseHead,
  responseUsage,
  summaryPart,
  textPart,
} from './response.ts';
import { type ClientTools, clientTools } from './client-tools.ts';

/** The block that is open, as an output item. */
interface OpenItem {
  block: JsonObject;
  /** The item as the client received it first. */
  item: JsonObject;
  /** The text, thoughts or arguments received so far. */
  text: string;
}

/** Translates the events of a message into the events of a response. */
export class ResponsesStream implements StreamTranslation {
  readonly #input: TranslationInput;
  readonly #tools: ClientTools;
  readonly #output: JsonObject[] = [];
  #head: JsonObject | undefined;
  #open: OpenItem | undefined;
  #usage: JsonObject = {};
  #stopReason: unknown;
  #number = 0;
  #isOver = false;

  constructor(input: TranslationInput) {
    this.#input = input;
    this.#tools = clientTools(input.body.tools);
  }

  event({ data }: ServerSentEvent): ServerSentEvent[] {
    const event = parseObject(data);
    if (event === undefined || this.#isOver) return [];
    switch (event.type) {
      case 'message_start':
        return this.#begin(objectIn(event.message));
      case 'content_block_start':
        return this.#openItem(objectIn(event.content_block));
      case 'content_block_delta':
        return this.#change(objectIn(event.delta));
      case 'content_block_stop':
        return this.#closeItem();
      case 'message_delta':
        this.#stopReason = objectIn(event.delta).stop_reason ?? this.#stopReason;
        Object.assign(this.#usage, objectIn(event.usage));
        return [];
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
    return typeof this.#stopReason === 'string'
      ? this.#end()
      : this.#fail({ type: 'api_error', message: CUT_SHORT });
  }

  #begin(message: JsonObject): ServerSentEvent[] {
    if (this.#head !== undefined) return [];
    this.#head = responseHead(message, this.#input);
    this.#usage = { ...objectIn(message.usage) };
    return [
      this.#event('response.created', { response: this.#head }),
      this.#event('response.in_progress', { response: this.#head }),
    ];
  }

  #openItem(block: JsonObject): ServerSentEvent[] {
    const item =
      block.type === 'tool_use'
        ? callItem(block, this.#tools, 'in_progress', undefined)
        : itemOf(block, this.#tools);
    if (item === undefined) return [];
    const added = { ...item, ...EMPTY[textIn(item.type) ?? ''] };
    this.#open = { block, item: added, text: '' };
    return [
      this.#event('response.output_item.added', { output_index: this.#index, item: added }),
      ...this.#openPart(),
    ];
  }

  #openPart(): ServerSentEvent[] {
    switch (this.#open?.item.type) {
      case 'message':
        return [this.#of('response.content_part.added', { content_index: 0, part: textPart('') })];
      case 'reasoning': {
        const part = summaryPart('');
        return [this.#of('response.reasoning_summary_part.added', { summary_index: 0, part })];
      }
      default:
        return [];
    }
  }

  #change(delta: JsonObject): ServerSentEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    if (delta.type === 'signature_delta') {
      open.block = { ...open.block, signature: textIn(delta.signature) ?? '' };
      return [];
    }
    const text = textIn(delta.text) ?? textIn(delta.thinking) ?? textIn(delta.partial_json) ?? '';
    if (text === '') return [];
    open.text += text;
    switch (open.item.type) {
      case 'message': {
        const fields = { content_index: 0, delta: text, logprobs: [] };
        return [this.#of('response.output_text.delta', fields)];
      }
      case 'reasoning':
        return [
          this.#of('response.reasoning_summary_text.delta', { summary_index: 0, delta: text }),
        ];
      case 'function_call':
        return [this.#of('response.function_call_arguments.delta', { delta: text })];
      default:
        // The input of a custom tool is a member of the arguments, and known when they are complete.
        return [];
    }
  }

  #closeItem(): ServerSentEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    const { item, events } = this.#finish(open);
    const done = this.#event('response.output_item.done', { output_index: this.#index, item });
    this.#output.push(item);
    this.#open = undefined;
    return [...events, done];
  }

  #finish({ block, item, text }: OpenItem): { item: JsonObject; events: ServerSentEvent[] } {
    const status = 'completed';
    switch (item.type) {
      case 'message': {
        const part = textPart(text);
        const at = { content_index: 0 };
        return {
          item: { ...item, status, content: [part] },
          events: [
            this.#of('response.output_text.done', { ...at, text, logprobs: [] }),
            this.#of('response.content_part.done', { ...at, part }),
          ],
        };
      }
      case 'reasoning': {
        const whole = itemOf({ ...block, ...(text === '' ? {} : { thinking: text }) }, this.#tools);
        const part = summaryPart(text);
        const at = { summary_index: 0 };
        return {
          item: { ...whole, id: item.id },
          events: [
            this.#of('response.reasoning_summary_text.done', { ...at, text }),
            this.#of('response.reasoning_summary_part.done', { ...at, part }),
          ],
        };
      }
      case 'custom_tool_call': {
        const input = customInput(argumentsIn(text));
        return {
          item: { ...item, status, input },
          events: [
            this.#of('response.custom_tool_call_input.delta', { delta: input }),
            this.#of('response.custom_tool_call_input.done', { input }),
          ],
        };
      }
      default: {
        const written = text === '' ? '{}' : text;
        const fields = { name: item.name, arguments: written };
        return {
          item: { ...item, status, arguments: written },
          events: [this.#of('response.function_call_arguments.done', fields)],
        };
      }
    }
  }

  #end(): ServerSentEvent[] {
    const events = [...this.#begin({}), ...this.#closeItem()];
    this.#isOver = true;
    const end = endOf(this.#stopReason);
    const whole = {
      ...this.#head,
      ...end,
      output: this.#output,
      usage: responseUsage(this.#usage),
    };
    return [...events, this.#event(`response.${String(end.status)}`, { response: whole })];
  }

  #fail(error: JsonObject): ServerSentEvent[] {
    const events = this.#begin({});
    this.#isOver = true;
    const failed = {
      ...this.#head,
      status: 'failed',
      output: this.#output,
      error: responseErrorOf(error),
    };
    return [...events, this.#event('response.failed', { response: failed })];
  }

  get #index(): number {
    return this.#output.length;
  }

  /** Returns an event of the open item. */
  #of(type: string, fields: JsonObject): ServerSentEvent {
    return this.#event(type, {
      item_id: this.#open?.item.id,
      output_index: this.#index,
      ...fields,
    });
  }

  #event(type: string, fields: JsonObject): ServerSentEvent {
    const data = JSON.stringify({ type, sequence_number: this.#number++, ...fields });
    return { event: type, data };
  }
}

/** Members of an item without content. */
const EMPTY: Readonly<Record<string, JsonObject>> = {
  message: { status: 'in_progress', content: [] },
  reasoning: { summary: [], encrypted_content: null },
};
