import { isObject, numberIn, objectIn, textIn, withoutUndefined } from '../json-fields.ts';
import { type Asked, type JsonObject, UntranslatableError } from '../translation.ts';
import { chatMessages } from './messages-content.ts';
import { chatToolFields, isStrictSchema } from './messages-tools.ts';

/** Models of OpenAI that know the limit by its newer name only; other servers know the older one. */
const NEWER_LIMIT = /(^|\/)(o\d|gpt-([5-9]|\d\d)|chatgpt)/;

/** Models of OpenAI that refuse to be told how much to reason. */
const NOT_REASONING = /(^|\/)gpt-[34]/;

const MEDIUM_BUDGET_TOKENS = 8_192;
const HIGH_BUDGET_TOKENS = 16_384;

/** Fields that change what the answer is, and that chat completions have no words for. */
const UNTRANSLATABLE = ['container', 'mcp_servers'];

/** Anthropic's own word for it: its clients then send the whole conversation. */
const UNSUPPORTED_THREAD = { error_code: 'thread_unsupported_request', unsupported: ['provider'] };

/**
 * A request of the Messages API as a chat completion. `metadata.user_id` is left out: servers that know
 * no `user` refuse the whole request.
 * @throws UntranslatableError naming the field that chat completions cannot say
 */
export function chatRequest({ model, body }: Asked): JsonObject {
  for (const field of UNTRANSLATABLE) {
    const value = body[field];
    if (value === undefined || value === null || [value].flat().length === 0) continue;
    throw new UntranslatableError(`${field}: chat completions have no words for it`);
  }
  if (body.thread !== undefined && body.thread !== null) {
    throw new UntranslatableError('thread: the provider keeps none', UNSUPPORTED_THREAD);
  }
  const maxTokens = numberIn(body.max_tokens);
  const stop = Array.isArray(body.stop_sequences) ? body.stop_sequences : [];
  const isStream = body.stream === true;
  return withoutUndefined({
    model,
    messages: chatMessages(body.system, body.messages),
    [NEWER_LIMIT.test(model) ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    ...chatToolFields(body),
    temperature: numberIn(body.temperature),
    top_p: numberIn(body.top_p),
    stop: stop.length === 0 ? undefined : stop,
    reasoning_effort: NOT_REASONING.test(model) ? undefined : reasoningEffort(body),
    response_format: responseFormat(body),
    stream: isStream ? true : undefined,
    stream_options: isStream ? { include_usage: true } : undefined,
  });
}

/** In words that every server with reasoning models knows. */
function reasoningEffort(body: JsonObject): string | undefined {
  const thinking = objectIn(body.thinking);
  if (thinking.type === 'disabled') return undefined;
  const effort = textIn(objectIn(body.output_config).effort);
  if (effort !== undefined) return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  const budget = numberIn(thinking.budget_tokens);
  if (thinking.type !== 'enabled' || budget === undefined) return undefined;
  if (budget < MEDIUM_BUDGET_TOKENS) return 'low';
  return budget < HIGH_BUDGET_TOKENS ? 'medium' : 'high';
}

function responseFormat(body: JsonObject): JsonObject | undefined {
  // The second is the name that it had before.
  const format = objectIn(body.output_config).format ?? body.output_format;
  if (!isObject(format)) return undefined;
  if (format.type !== 'json_schema' || !isObject(format.schema)) {
    throw new UntranslatableError('output_config.format is not a json_schema with a schema');
  }
  const { schema } = format;
  const jsonSchema = { name: 'answer', schema, strict: isStrictSchema(schema) };
  return { type: 'json_schema', json_schema: jsonSchema };
}
