import {
  numberIn,
  objectIn,
  objectsIn,
  parseObject,
  textIn,
  type JsonObject,
} from '../../json/json-fields.ts';
import {
  CONTEXT_OVERFLOW,
  errorTextOf,
  errorTypeOf,
  isContextOverflow,
} from '../provider-error.ts';
import { reportsTokens } from '../reports-tokens.ts';
import type { TranslationInput } from '../translator.ts';
import { thoughtsIn } from './thinking-blocks.ts';

/** The `finish_reason` for each `stop_reason`. All others are `stop`. */
const FINISH_REASONS = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  ['tool_use', 'tool_calls'],
]);

/** Translates a message to a chat completion; undefined for an object without content. */
export function chatCompletion(
  message: JsonObject,
  { model, nowMs }: TranslationInput,
): JsonObject | undefined {
  if (!Array.isArray(message.content)) return undefined;
  const blocks = objectsIn(message.content);
  const text = joined(blocks, 'text', 'text');
  const thinking = joined(blocks, 'thinking', 'thinking');
  const thoughts = thoughtsIn(blocks);
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toolCall);
  const { stop_reason: stopReason } = message;
  const usage = chatUsage(objectIn(message.usage));
  return {
    id: textIn(message.id) ?? '',
    object: 'chat.completion',
    created: Math.floor(nowMs / 1_000),
    model: textIn(message.model) ?? model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: stopReason === 'refusal' ? refusalOf(message.stop_details) : null,
          ...(thinking === '' ? {} : { reasoning_content: thinking }),
          ...(thoughts.length === 0 ? {} : { thinking_blocks: thoughts }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReason(stopReason),
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}

function joined(blocks: readonly JsonObject[], type: string, field: string): string {
  return blocks
    .filter((block) => block.type === type)
    .map((block) => textIn(block[field]) ?? '')
    .join('');
}

function toolCall({ id, name, input }: JsonObject): JsonObject {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } };
}

/** Returns the `finish_reason` for a `stop_reason`. */
export function finishReason(stopReason: unknown): string {
  return FINISH_REASONS.get(textIn(stopReason) ?? '') ?? 'stop';
}

/** Returns the text of a refusal. Some responses contain an explanation. */
export function refusalOf(stopDetails: unknown): string {
  return textIn(objectIn(stopDetails).explanation) ?? 'The model refused to answer.';
}

/**
 * Returns the usage in the format of chat completions, where cached tokens are part of the prompt.
 * @returns undefined if the provider reports no tokens
 */
export function chatUsage(usage: JsonObject): JsonObject | undefined {
  if (!reportsTokens(usage)) return undefined;
  const cacheRead = numberIn(usage.cache_read_input_tokens) ?? 0;
  const cacheWrite = numberIn(usage.cache_creation_input_tokens) ?? 0;
  const prompt = (numberIn(usage.input_tokens) ?? 0) + cacheRead + cacheWrite;
  const completion = numberIn(usage.output_tokens) ?? 0;
  const thinking = numberIn(objectIn(usage.output_tokens_details).thinking_tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    ...(thinking === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}

/** Translates an error to the format of the OpenAI API. The type stays, because clients read it. */
export function chatError(status: number, text: string): JsonObject {
  const error = objectIn(parseObject(text)?.error);
  return errorObject({ ...error, message: errorTextOf(status, text) }, status);
}

/** The `error` of a response or an event, in the format of the OpenAI API. */
export function errorObject(error: JsonObject, status: number): JsonObject {
  const message = textIn(error.message) ?? 'The provider failed.';
  const code = textIn(objectIn(error.details).error_code) ?? null;
  return {
    error: {
      message,
      type: textIn(error.type) ?? errorTypeOf(status),
      param: null,
      code: isContextOverflow(status, error, message) ? CONTEXT_OVERFLOW : code,
    },
  };
}
