import {
  isObject,
  numberIn,
  objectIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { checkStreamOptions, chatParameters } from '../chat-parameters.ts';
import {
  checkParameters,
  expressed,
  isEmptyObject,
  never,
  only,
  parameterTable,
  refused,
  types,
} from '../parameters.ts';
import { type TranslationInput, UntranslatableError } from '../translator.ts';
import { conversationOf } from './conversation.ts';
import { reasoningFields } from './reasoning-fields.ts';
import { toolFields } from './tool-fields.ts';
import { type ModelTraits, traitsOf } from './claude-models.ts';
import { structuredSchema } from './structured-schema.ts';

/** Chat completions in the translation to Anthropic Messages. */
const messagesParameters = parameterTable({
  ...chatParameters,
  extra_body: refused(isEmptyObject),
  frequency_penalty: refused(only(0)),
  logprobs: refused(only(false)),
  n: refused(only(1)),
  presence_penalty: refused(only(0)),
  seed: refused(never),
  thinking: expressed(types.object),
  top_logprobs: refused(only(0)),
});

const MAX_TEMPERATURE = 1;

/** Many servers interpret 0 and negative numbers as no limit. */
const UNLIMITED_TOP_K = 0;

const JSON_INSTRUCTION =
  'Respond with a single JSON object, without any other text and without a code fence.';

/**
 * Translates a chat completion to a request of the Messages API.
 * @throws UntranslatableError naming the parameter that the API cannot express
 */
export function messagesRequest({ model, body }: TranslationInput): JsonObject {
  checkParameters(body, messagesParameters);
  checkStreamOptions(body.stream_options);
  const traits = traitsOf(model);
  const { system, messages } = conversationOf(body.messages, traits.thinking !== 'none');
  const { format, instruction } = answerFormat(body.response_format, traits);
  if (instruction !== undefined) system.push({ type: 'text', text: instruction });
  const tools = toolFields(body, traits);
  // The API requires a limit. Without one, a chat completion may be as long as the model can make it.
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

/** Adds the schema to the instructions for models without structured output. */
function answerFormat(
  format: unknown,
  { hasStructuredOutput }: ModelTraits,
): { format?: JsonObject; instruction?: string } {
  if (!isObject(format) || format.type === 'text') return {};
  if (format.type === 'json_object') return { instruction: JSON_INSTRUCTION };
  const { schema } = objectIn(format.json_schema);
  if (format.type !== 'json_schema' || !isObject(schema)) {
    throw new UntranslatableError(
      'response_format: Anthropic models support text, json_object and json_schema with a schema',
    );
  }
  return hasStructuredOutput
    ? { format: { type: 'json_schema', schema: structuredSchema(schema) } }
    : { instruction: `${JSON_INSTRUCTION} It must match this schema: ${JSON.stringify(schema)}` };
}

function stopSequences(stop: unknown): string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const sequences = [stop].flat();
  for (const sequence of sequences) {
    if (typeof sequence !== 'string' || sequence.trim() === '') {
      throw new UntranslatableError('stop: Anthropic models do not support blank stop sequences');
    }
  }
  return sequences.length === 0 ? undefined : (sequences as string[]);
}

/**
 * Returns the sampling parameters without those that the model rejects: all of them while it thinks, and for
 * many models one of temperature and top_p.
 */
function sampling(
  body: JsonObject,
  traits: ModelTraits,
  thinking: JsonObject | undefined,
): JsonObject {
  const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  if (!traits.isSampled || isThinking) return {};
  const temperature = numberIn(body.temperature);
  const topK = numberIn(body.top_k) ?? UNLIMITED_TOP_K;
  const limits = {
    top_p: numberIn(body.top_p),
    top_k: topK > UNLIMITED_TOP_K ? topK : undefined,
  };
  if (temperature === undefined) return limits;
  const bounded = Math.min(temperature, MAX_TEMPERATURE);
  if (limits.top_p === undefined || traits.takesTopPWithTemperature) {
    return { temperature: bounded, ...limits };
  }
  // The API's default temperature changes nothing, top_p does.
  if (temperature === MAX_TEMPERATURE) return limits;
  return { temperature: bounded, top_k: limits.top_k };
}
