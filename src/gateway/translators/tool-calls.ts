import { createHash } from 'node:crypto';
import { MAX_JSON_VALUES, measureJson } from '../../http/parse-json.ts';
import { isObject, parseObject, type JsonObject } from '../json/json-fields.ts';

// No client sends deeper arguments, and a deeper value could not be serialized.
const MAX_ARGUMENTS_DEPTH = 256;

/**
 * Parses the arguments of a call: a text with an object, or the object itself from some servers, or nothing for a call
 * without arguments. Anything else, such as a truncated text, becomes an object with that text, so that the client can
 * report it and the conversation can continue.
 */
export function argumentsIn(value: unknown): JsonObject {
  return readArguments(value) ?? { invalid_arguments: value };
}

function readArguments(value: unknown): JsonObject | undefined {
  if (isObject(value)) return value;
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') return {};
  const { depth, values } = measureJson(value);
  return depth > MAX_ARGUMENTS_DEPTH || values > MAX_JSON_VALUES ? undefined : parseObject(value);
}

const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/**
 * Returns the ID of a call in the format of Mistral, which refuses others. The result is always the same for an ID, so
 * that calls and results still match.
 */
export function mistralCallId(id: string): string {
  if (MISTRAL_ID.test(id)) return id;
  const digest = createHash('sha256').update(id).digest('hex');
  // 9 digits of 36 have 46 bits, which is enough for the calls of one conversation.
  return BigInt(`0x${digest}`).toString(36).slice(-9);
}

/** The ids of calls that Anthropic accepts. */
const TOOL_USE_ID = /^[\w-]+$/;
const ENCODED_PREFIX = 'call64_';

/**
 * Returns the id of a call for the Messages API. An id with other characters is encoded, so that {@link callIdOf} can
 * restore it for its provider.
 * @param id not empty
 */
export function toolUseIdOf(id: string): string {
  return TOOL_USE_ID.test(id) && !id.startsWith(ENCODED_PREFIX)
    ? id
    : ENCODED_PREFIX + Buffer.from(id).toString('base64url');
}

/** Restores the id of a call of the provider. */
export function callIdOf(toolUseId: string): string {
  if (!toolUseId.startsWith(ENCODED_PREFIX)) return toolUseId;
  const id = Buffer.from(toolUseId.slice(ENCODED_PREFIX.length), 'base64url').toString();
  return toolUseIdOf(id) === toolUseId ? id : toolUseId;
}
