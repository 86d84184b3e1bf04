import { isObject, type JsonObject } from '../../json/json-fields.ts';
import { UntranslatableError } from '../translator.ts';

/** Keywords whose value does not change. */
const PLAIN = new Set([
  '$ref',
  'const',
  'default',
  'description',
  'enum',
  'required',
  'title',
  'type',
]);

/** Keywords whose value is a schema or a list of schemas, with their names in the API. */
const NESTED = new Map([
  ['allOf', 'allOf'],
  ['anyOf', 'anyOf'],
  ['items', 'items'],
  ['oneOf', 'anyOf'],
]);

/** Keywords whose value is an object of schemas. */
const NAMED = new Set(['$defs', 'definitions', 'properties']);

/** Keywords without constraints, and the one that the translation sets. */
const SILENT = new Set(['$comment', '$id', '$schema', 'additionalProperties', 'examples']);

const FORMATS = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uri',
  'uuid',
]);

/**
 * Returns a JSON schema for structured output and strict tools: objects are closed, and constraints that the API rejects
 * are moved to the description for the model.
 * @throws UntranslatableError for an object with any member names: closed, it could only be empty
 */
export function structuredSchema(schema: JsonObject): JsonObject {
  if (hasFreeNames(schema)) {
    throw new UntranslatableError(
      'schema: Anthropic models do not support objects with arbitrary member names',
    );
  }
  const kept: JsonObject = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const nested = NESTED.get(keyword);
    if (PLAIN.has(keyword)) kept[keyword] = value;
    else if (nested !== undefined) kept[nested] = structured(value);
    else if (NAMED.has(keyword)) kept[keyword] = eachStructured(value);
    else if (isEnforced(keyword, value)) kept[keyword] = value;
    else if (!SILENT.has(keyword)) told.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if (schema.type === 'object' || isObject(schema.properties)) {
    kept.additionalProperties = false;
  }
  if (told.length > 0) {
    const text = `{${told.join(', ')}}`;
    const { description } = schema;
    kept.description = typeof description === 'string' ? `${description}\n\n${text}` : text;
  }
  return kept;
}

function hasFreeNames({ additionalProperties: others, properties }: JsonObject): boolean {
  const hasNames = isObject(properties) && Object.keys(properties).length > 0;
  return !hasNames && (others === true || isObject(others));
}

function structured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structured);
  return isObject(value) ? structuredSchema(value) : value;
}

function eachStructured(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, structured(one)]));
}

function isEnforced(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return typeof value === 'string' && FORMATS.has(value);
  return keyword === 'minItems' && (value === 0 || value === 1);
}
