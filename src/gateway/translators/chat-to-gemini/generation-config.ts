import { UntranslatableError } from '../translator.ts';
import { isObject, objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { thinkingConfig } from './gemini-model.ts';
import { toGeminiSchema } from './response-schema.ts';

/** Settings that have but another name; a later one stands above an earlier one. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['max_tokens', 'maxOutputTokens'],
  ['max_completion_tokens', 'maxOutputTokens'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['n', 'candidateCount'],
  ['seed', 'seed'],
];
// Many clients send them as 0, which some models refuse as they refuse any other value.
const PENALTIES: readonly (readonly [string, string])[] = [
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
];

/**
 * How the answer is to be made.
 * @throws UntranslatableError for what Gemini has no words for
 */
export function generationConfig(model: string, body: JsonObject): JsonObject {
  const config: JsonObject = {};
  for (const [name, geminiName] of RENAMED) {
    const value = body[name];
    if (value !== undefined && value !== null) config[geminiName] = value;
  }
  for (const [name, geminiName] of PENALTIES) {
    const value = body[name];
    if (value !== undefined && value !== null && value !== 0) config[geminiName] = value;
  }
  const { stop } = body;
  if (typeof stop === 'string') config.stopSequences = [stop];
  else if (Array.isArray(stop) && stop.length > 0) config.stopSequences = stop;
  Object.assign(config, logprobs(body));
  const thinkingConfig = thinking(model, body);
  if (thinkingConfig !== undefined) config.thinkingConfig = thinkingConfig;
  return { ...config, ...responseFormat(body.response_format) };
}

function logprobs({ logprobs: isAsked, top_logprobs: top }: JsonObject): JsonObject {
  const hasTop = top !== undefined && top !== null && top !== 0;
  if (isAsked === true) return { responseLogprobs: true, ...(hasTop ? { logprobs: top } : {}) };
  if (hasTop) throw new UntranslatableError('top_logprobs: needs logprobs');
  return {};
}

function responseFormat(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  const format = objectIn(value);
  switch (format.type) {
    case 'text':
      return {};
    case 'json_object':
      return { responseMimeType: 'application/json' };
    case 'json_schema': {
      const { schema } = objectIn(format.json_schema);
      return {
        responseMimeType: 'application/json',
        ...(isObject(schema) ? { responseJsonSchema: toGeminiSchema(schema) } : {}),
      };
    }
    default:
      throw new UntranslatableError('response_format.type: Gemini supports text and JSON');
  }
}

/** From `reasoning_effort`, or as Google's own OpenAI-compatible endpoint takes it. */
function thinking(model: string, body: JsonObject): JsonObject | undefined {
  const { thinking_config: own } = objectIn(objectIn(body.extra_body).google);
  if (isObject(own)) return ownThinking(own);
  const effort = textIn(body.reasoning_effort);
  if (effort === undefined) return undefined;
  const input = thinkingConfig(model, effort);
  if (input === undefined || effort === 'none') return input;
  return { ...input, includeThoughts: true };
}

function ownThinking(config: JsonObject): JsonObject {
  const names = {
    include_thoughts: 'includeThoughts',
    thinking_budget: 'thinkingBudget',
    thinking_level: 'thinkingLevel',
  };
  return Object.fromEntries(
    Object.entries(names)
      .filter(([name]) => config[name] !== undefined)
      .map(([name, geminiName]) => [geminiName, config[name]]),
  );
}
