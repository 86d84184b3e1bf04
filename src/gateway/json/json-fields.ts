import { parseExactJson } from './exact-json.ts';
import type { JsonObject } from '../translation/translation.ts';

/** Whether a value of unknown origin is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object, otherwise one without fields. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list; none when it is no list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value when it is a text. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value when it is a text that is not empty. */
export function filledTextIn(value: unknown): string | undefined {
  return value === '' ? undefined : textIn(value);
}

/** The value when it is a number that JSON can say. */
export function numberIn(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined;
}

/** The JSON object that a text holds, exactly; undefined when it holds anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An object without the fields that are undefined. */
export function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
