import { isObject, type JsonObject } from '../../json/json-fields.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const OF_ONE = ['items', 'additionalProperties', 'not'];
const OF_LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const BY_NAME = ['properties', '$defs', 'definitions'];

/** A JSON Schema as Gemini reads it: `const`, which it does not know, as an `enum` of one. */
export function toGeminiSchema(schema: JsonObject): JsonObject {
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
