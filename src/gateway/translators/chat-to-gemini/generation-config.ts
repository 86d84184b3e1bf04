import { UntranslatableError } from '../translator.ts';
import { isObject, objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { thinkingConfig } from './gemini-model.ts';

/** Settings that only have another name. Later ones take precedence. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['max_tokens', 'maxOutputTokens'],
  ['max_completion_tokens', 'maxOutputTokens'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['n', 'candidateCount'],
  ['seed', 'seed'],
];
// Many clients send 0, and some models reject any value.
const PENALTIES: readonly (readonly [string, string])[] = [
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
];

/**
 * Returns the configuration of the generation.
 * @throws UntranslatableError for a parameter that Gemini cannot express
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

/** Reads `reasoning_effort`, or the member of Google's own OpenAI-compatible endpoint. */
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

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const OF_ONE = ['items', 'additionalProperties', 'not'];
const OF_LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const BY_NAME = ['properties', '$defs', 'definitions'];

/** Translates a JSON Schema for Gemini, which lacks `const`: it becomes an `enum` with one value. */
function toGeminiSchema(schema: JsonObject): JsonObject {
  const { const: only, ...rest } = schema;
  const result: JsonObject = only === undefined ? rest : { ...rest, enum: [only] };
  for (const keyword of OF_ONE) {
    if (keyword in result) result[keyword] = inner(result[keyword]);
  }
  for (const keyword of OF_LIST) {
    const list = result[keyword];
    if (Array.isArray(list)) result[keyword] = list.map(inner);
  }
  for (const keyword of BY_NAME) {
    const named = result[keyword];
    if (!isObject(named)) continue;
    result[keyword] = Object.fromEntries(
      Object.entries(named).map(([name, value]) => [name, inner(value)]),
    );
  }
  return result;
}

/** `true` and `false` are schemas, too. */
function inner(value: unknown): unknown {
  return isObject(value) ? toGeminiSchema(value) : value;
}
