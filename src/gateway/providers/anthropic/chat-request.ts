import {
  isObject,
  numberIn,
  objectIn,
  textIn,
  withoutUndefined,
} from '../../translation/json-fields.ts';
import { type Asked, type JsonObject, UntranslatableError } from '../../translation/translation.ts';
import { conversationOf } from './chat-messages.ts';
import { reasoningFields } from './chat-reasoning.ts';
import { toolFields } from './chat-tools.ts';
import { type ModelTraits, traitsOf } from './claude-models.ts';
import { structuredSchema } from './structured-schema.ts';

const MAX_TEMPERATURE = 1;

const JSON_INSTRUCTION =
  'Answer with one JSON object and nothing else: no text around it and no code fence.';

/** Fields that change what the answer is, and that the API has no words for. */
const UNTRANSLATABLE: readonly (readonly [field: string, isAsked: (value: unknown) => boolean])[] =
  [
    ['n', (value) => value !== 1],
    ['logprobs', (value) => value !== false],
    ['top_logprobs', (value) => value !== 0],
    ['logit_bias', (value) => Object.keys(objectIn(value)).length > 0],
    ['audio', () => true],
    ['modalities', (value) => !Array.isArray(value) || value.some((one) => one !== 'text')],
    ['web_search_options', () => true],
    ['moderation', () => true],
    ['functions', (value) => !Array.isArray(value) || value.length > 0],
    ['function_call', () => true],
  ];

/**
 * A chat completion as a request of the Messages API.
 * @throws UntranslatableError naming the field that the API cannot say
 */
export function messagesRequest({ model, body }: Asked): JsonObject {
  refuseUntranslatable(body);
  const traits = traitsOf(model);
  const { system, messages } = conversationOf(body.messages);
  const { format, instruction } = answerFormat(body.response_format);
  if (instruction !== undefined) system.push({ type: 'text', text: instruction });
  const tools = toolFields(body, traits);
  // The API demands a limit. Without one, a chat completion may be as long as the model can make it.
  const maxTokens =
    numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens) ?? traits.maxOutputTokens;
  const { thinking, effort } = reasoningFields(body, traits, maxTokens, tools.tool_choice);
  const outputConfig = withoutUndefined({ effort, format });
  const userId = textIn(body.safety_identifier) ?? textIn(body.user);
  return withoutUndefined({
    model,
    max_tokens: maxTokens,
    system: system.length === 0 ? undefined : system,
    messages,
    ...tools,
    stop_sequences: stopSequences(body.stop),
    ...sampling(body, traits, thinking),
    thinking,
    output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
    metadata: userId === undefined ? undefined : { user_id: userId },
    cache_control: isObject(body.cache_control) ? body.cache_control : undefined,
    stream: body.stream === true ? true : undefined,
  });
}

function refuseUntranslatable(body: JsonObject): void {
  for (const [field, isAsked] of UNTRANSLATABLE) {
    const value = body[field];
    if (value !== undefined && value !== null && isAsked(value)) {
      throw new UntranslatableError(`${field}: Anthropic models cannot do this`);
    }
  }
}

function answerFormat(format: unknown): { format?: JsonObject; instruction?: string } {
  if (!isObject(format) || format.type === 'text') return {};
  if (format.type === 'json_object') return { instruction: JSON_INSTRUCTION };
  const { schema } = objectIn(format.json_schema);
  if (format.type !== 'json_schema' || !isObject(schema)) {
    throw new UntranslatableError(
      'response_format: Anthropic models know text, json_object and json_schema with a schema',
    );
  }
  return { format: { type: 'json_schema', schema: structuredSchema(schema) } };
}

function stopSequences(stop: unknown): string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const sequences = [stop].flat();
  for (const sequence of sequences) {
    if (typeof sequence !== 'string' || sequence.trim() === '') {
      throw new UntranslatableError('stop: Anthropic models stop at texts that are not blank');
    }
  }
  return sequences.length === 0 ? undefined : (sequences as string[]);
}

/** Where a model takes them, never both, and not while it thinks. Elsewhere they are but hints. */
function sampling(
  body: JsonObject,
  traits: ModelTraits,
  thinking: JsonObject | undefined,
): JsonObject {
  const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  if (!traits.isSampled || isThinking) return {};
  const temperature = numberIn(body.temperature);
  if (temperature === undefined) return { top_p: numberIn(body.top_p) };
  return { temperature: Math.min(temperature, MAX_TEMPERATURE) };
}
