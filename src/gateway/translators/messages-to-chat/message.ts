import { createId } from '../../../lib/ids.ts';
import {
  filledTextIn,
  isObject,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import {
  errorTextOf,
  errorTypeOf,
  firstOf,
  isContextOverflow,
  overflowMessage,
} from '../provider-error.ts';
import { argumentsIn, toolUseIdOf } from '../tool-calls.ts';
import { type RestoreName, restoreToolNames } from '../tool-names.ts';
import type { TranslationInput } from '../translator.ts';

const STOP_REASONS = new Map([
  ['content_filter', 'refusal'],
  ['function_call', 'tool_use'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
]);

/** Members of usage that only whole messages have, and chat completions do not contain. */
const UNTOLD_USAGE = { cache_creation: null, inference_geo: null, service_tier: null, speed: null };

/** Translates a chat completion to a message; undefined for a completion without one. */
export function message(
  completion: JsonObject,
  { model, body }: TranslationInput,
): JsonObject | undefined {
  const [choice] = objectsIn(completion.choices);
  if (choice === undefined || !isObject(choice.message)) return undefined;
  const { message: answer } = choice;
  const { text, thinking, refusal } = extractContent(answer);
  const restoreName = restoreToolNames(body.tools);
  const calls = objectsIn(answer.tool_calls).map((call) => toolUse(call, restoreName));
  const texts = [text, refusal].filter((one) => one !== '');
  return {
    ...emptyMessage(completion, model),
    content: [
      ...thoughtBlocks(answer.thinking_blocks, thinking),
      ...texts.map((one) => ({ type: 'text', text: one, citations: null })),
      ...calls,
    ],
    stop_reason: stopReason(choice.finish_reason, calls.length > 0, refusal !== ''),
    usage: { ...UNTOLD_USAGE, ...messagesUsage(objectIn(completion.usage)) },
  };
}

/** @param blocks blocks of the Messages API that the provider passes on */
function thoughtBlocks(blocks: unknown, thinking: string): JsonObject[] {
  const whole = objectsIn(blocks).filter(({ type }) => THOUGHTS.has(type));
  if (whole.length > 0) return whole;
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }];
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** The members of an empty message. */
export function emptyMessage(completion: JsonObject, model: string): JsonObject {
  return {
    id: filledTextIn(completion.id) ?? `msg_${createId()}`,
    type: 'message',
    role: 'assistant',
    model: filledTextIn(completion.model) ?? model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: { ...UNTOLD_USAGE, ...messagesUsage({}) },
  };
}

/** The content of a message, or of a chunk. */
export interface MessageContent {
  text: string;
  thinking: string;
  refusal: string;
}

/** Returns the content of a message of a chat completion, or of a chunk. Servers use different members for thoughts. */
export function extractContent(answer: JsonObject): MessageContent {
  const parts = objectsIn(answer.content);
  const textOf = (part: JsonObject): string => textIn(part.text) ?? '';
  const thoughts = parts
    .filter(({ type }) => type === 'thinking')
    .flatMap(({ thinking }) => objectsIn(thinking).map(textOf));
  return {
    text:
      textIn(answer.content) ??
      parts
        .filter(({ type }) => type === 'text')
        .map(textOf)
        .join(''),
    thinking: textIn(answer.reasoning_content) ?? textIn(answer.reasoning) ?? thoughts.join(''),
    refusal: textIn(answer.refusal) ?? '',
  };
}

function toolUse(call: JsonObject, restoreName: RestoreName): JsonObject {
  const { name, arguments: text } = objectIn(call.function);
  return {
    type: 'tool_use',
    ...toolUseHead(call.id, name, restoreName),
    input: argumentsIn(text),
  };
}

/** Returns the first members of a tool call. Some servers send no id. */
export function toolUseHead(id: unknown, name: unknown, restoreName: RestoreName): JsonObject {
  const own = filledTextIn(id);
  return {
    id: own === undefined ? `toolu_${createId()}` : toolUseIdOf(own),
    caller: { type: 'direct' },
    name: restoreName(textIn(name) ?? ''),
  };
}

/** Returns the `stop_reason` for a `finish_reason`. Some servers send `stop` although there are calls. */
export function stopReason(finishReason: unknown, hasCalls: boolean, isRefused: boolean): string {
  const reason = STOP_REASONS.get(textIn(finishReason) ?? '');
  if (reason !== undefined) return reason;
  if (hasCalls) return 'tool_use';
  return isRefused ? 'refusal' : 'end_turn';
}

/** Usage in the format of the Messages API, where cached tokens are not part of the input. */
export function messagesUsage(usage: JsonObject): JsonObject {
  const details = objectIn(usage.prompt_tokens_details);
  const cacheRead = numberIn(details.cached_tokens) ?? 0;
  const cacheWrite = numberIn(details.cache_write_tokens) ?? 0;
  const prompt = numberIn(usage.prompt_tokens) ?? 0;
  const reasoning = numberIn(objectIn(usage.completion_tokens_details).reasoning_tokens);
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: numberIn(usage.completion_tokens) ?? 0,
    output_tokens_details: reasoning === undefined ? null : { thinking_tokens: reasoning },
    server_tool_use: null,
  };
}

/** Translates an error of a chat completion to the Messages API. */
export function messagesError(status: number, text: string): JsonObject {
  const { error } = firstOf(text);
  return { type: 'error', error: messagesErrorObject(status, error, errorTextOf(status, text)) };
}

/**
 * Returns the `error` of a response or of an event of the Messages API.
 * @param error of the provider
 */
export function messagesErrorObject(status: number, error: unknown, message: string): JsonObject {
  return isContextOverflow(status, error, message)
    ? { type: 'invalid_request_error', message: overflowMessage(message) }
    : { type: errorTypeOf(status), message };
}
