import { parseExactJson } from './exact-json.ts';

/** A parsed JSON object with unknown members. */
export type JsonObject = Record<string, unknown>;

/** Returns true for a JSON object, false for an array or any other value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, or else an empty object. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the objects of an array; of any other value, none. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value if it is a string. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value if it is a string that is not empty. */
export function filledTextIn(value: unknown): string | undefined {
  return value === '' ? undefined : textIn(value);
}

/** Returns the value if it is a finite number. */
export function numberIn(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined;
}

/** Parses a JSON object with exact numbers; undefined: the text is anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a copy without the members that are undefined. */
export function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
