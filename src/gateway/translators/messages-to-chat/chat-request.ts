import { type ChatModelTraits, UNLIMITED_TRAITS, chatTraitsOf } from '../chat-models.ts';
import {
  isObject,
  numberIn,
  objectIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { type ParameterTable, checkParameters } from '../parameters.ts';
import { type TranslationInput, UntranslatableError } from '../translator.ts';
import { chatMessages } from './chat-messages.ts';
import {
  choiceParameters,
  outputParameters,
  thinkingParameters,
  toChatParameters,
  toExtendedChatParameters,
} from './chat-parameters.ts';
import { chatToolFields, isStrictSchema } from './chat-tools.ts';

/** Replacements for efforts that few models accept. */
const EFFORTS = new Map([
  ['xhigh', 'high'],
  ['max', 'high'],
]);

const MEDIUM_BUDGET_TOKENS = 8_192;
const HIGH_BUDGET_TOKENS = 16_384;

/** An error type of Anthropic. Its clients respond with the whole conversation. */
const UNSUPPORTED_THREAD = { error_code: 'thread_unsupported_request', unsupported: ['provider'] };

/**
 * Translates a request of the Messages API to a chat completion.
 * @throws UntranslatableError naming the parameter that chat completions cannot express
 */
export function chatRequest(input: TranslationInput): JsonObject {
  refuseUntranslatable(input.body, toChatParameters);
  return translate(input, chatTraitsOf(input.provider, input.model));
}

/**
 * Translates a request of the Messages API to a chat completion for a further translation: with `top_k`, and with
 * unchanged thoughts.
 * @throws UntranslatableError naming the parameter that such a chat completion cannot express
 */
export function extendedChatRequest(input: TranslationInput): JsonObject {
  const { body } = input;
  refuseUntranslatable(body, toExtendedChatParameters);
  const request = translate(input, UNLIMITED_TRAITS);
  return withoutUndefined({ ...request, top_k: numberIn(body.top_k) });
}

function refuseUntranslatable(body: JsonObject, parameters: ParameterTable): void {
  if (body.thread !== undefined && body.thread !== null) {
    throw new UntranslatableError(
      'thread: the provider does not store threads',
      UNSUPPORTED_THREAD,
    );
  }
  checkParameters(body, parameters);
  checkParameters(objectIn(body.output_config), outputParameters, 'output_config.');
  checkParameters(objectIn(body.thinking), thinkingParameters, 'thinking.');
  checkParameters(objectIn(body.tool_choice), choiceParameters, 'tool_choice.');
}

/** Omits `metadata.user_id`, because servers without `user` reject the whole request. */
function translate({ model, body }: TranslationInput, traits: ChatModelTraits): JsonObject {
  const { limit, isSampled, takesEffort } = traits;
  const messages = chatMessages(body.system, body.messages, traits);
  const stop = Array.isArray(body.stop_sequences) ? body.stop_sequences : [];
  const isStream = body.stream === true;
  return withoutUndefined({
    model,
    messages: traits.takesLateInstructions ? messages : withoutLateInstructions(messages),
    [limit]: limitOf(body, traits),
    ...chatToolFields(body),
    temperature: isSampled ? numberIn(body.temperature) : undefined,
    top_p: isSampled ? numberIn(body.top_p) : undefined,
    stop: stop.length > 0 && traits.takesStop ? stop : undefined,
    reasoning_effort: takesEffort ? reasoningEffort(body) : undefined,
    response_format: responseFormat(body),
    stream: isStream ? true : undefined,
    stream_options: isStream ? { include_usage: true } : undefined,
  });
}

function limitOf(
  body: JsonObject,
  { maxOutputTokens = Infinity }: ChatModelTraits,
): number | undefined {
  const input = numberIn(body.max_tokens);
  return input === undefined ? undefined : Math.min(input, maxOutputTokens);
}

/** Maps the effort to values that every server with reasoning models accepts. */
function reasoningEffort(body: JsonObject): string | undefined {
  const thinking = objectIn(body.thinking);
  if (thinking.type === 'disabled') return undefined;
  const effort = textIn(objectIn(body.output_config).effort);
  if (effort !== undefined) return EFFORTS.get(effort) ?? effort;
  const budget = numberIn(thinking.budget_tokens);
  if (thinking.type !== 'enabled' || budget === undefined) return undefined;
  if (budget < MEDIUM_BUDGET_TOKENS) return 'low';
  return budget < HIGH_BUDGET_TOKENS ? 'medium' : 'high';
}

function responseFormat(body: JsonObject): JsonObject | undefined {
  const { format: current } = objectIn(body.output_config);
  // The former name of the parameter.
  const format = current ?? body.output_format;
  const field = current === format ? 'output_config.format' : 'output_format';
  if (!isObject(format)) return undefined;
  if (format.type !== 'json_schema' || !isObject(format.schema)) {
    throw new UntranslatableError(`${field}: must be a json_schema with a schema`);
  }
  const { schema } = format;
  const jsonSchema = { name: 'answer', schema, strict: isStrictSchema(schema) };
  return { type: 'json_schema', json_schema: jsonSchema };
}

/**
 * Moves instructions that follow the beginning of a conversation into the messages of the user. Claude Code and Codex
 * send some, and the prompt templates of many models take instructions at the beginning only.
 * @param messages of a chat completion
 */
function withoutLateInstructions(messages: readonly JsonObject[]): JsonObject[] {
  const moved: JsonObject[] = [];
  for (const message of messages) {
    const last = moved.at(-1);
    if (message.role !== 'system' || last === undefined || last.role === 'system') {
      moved.push(message);
      continue;
    }
    const text = `<system-reminder>\n${textIn(message.content) ?? ''}\n</system-reminder>`;
    if (last.role === 'user')
      moved.splice(-1, 1, { ...last, content: appended(last.content, text) });
    else moved.push({ role: 'user', content: text });
  }
  return moved;
}

function appended(content: unknown, text: string): unknown {
  return Array.isArray(content)
    ? [...(content as unknown[]), { type: 'text', text }]
    : `${textIn(content) ?? ''}\n\n${text}`;
}
