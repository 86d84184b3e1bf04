/** What JSON calls an object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value that a text stands for; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A member of something that came from outside; undefined when there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The same, when it is a text. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

/** The same, when it is a number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' ? member : undefined;
}

/** The items of a list; none of anything else. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? (member as unknown[]) : [];
}
