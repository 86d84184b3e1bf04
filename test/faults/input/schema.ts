import { RawJson, setMember } from './draft.ts';
import type { Random } from '../random.ts';
import { hugeJson, oddJson, oddText } from './values.ts';

/** JSON Schema, as far as the API's document uses it. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  maxProperties?: number;
  default?: unknown;
}

/** What a text of this name stands for; undefined: nothing that is known. */
export type KnownText = (name: string) => string | undefined;

const MANY = 3;
const MAX_DEPTH = 6;

/** Makes a value that the schema allows, as far as the schema tells. */
export function validValue(
  schema: Schema,
  name: string,
  random: Random,
  known: KnownText,
  depth = 0,
): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) {
    return validValue(random.pick(schema.anyOf), name, random, known, depth);
  }
  const inner = (of: Schema, as: string): unknown => validValue(of, as, random, known, depth + 1);
  if (Array.isArray(schema.type)) {
    const type = random.pick(schema.type);
    return validValue({ ...schema, type }, name, random, known, depth);
  }
  switch (schema.type ?? (schema.properties === undefined ? 'any' : 'object')) {
    case 'object':
      return depth > MAX_DEPTH ? {} : validObject(schema, name, random, known, inner);
    case 'array': {
      const whole = known(`${name}[]`);
      if (whole !== undefined) return JSON.parse(whole);
      const least = schema.minItems ?? 0;
      const greatest = Math.min(schema.maxItems ?? MANY, Math.max(least, MANY));
      const length = random.between(least, greatest);
      return Array.from({ length }, () => inner(schema.items ?? {}, name));
    }
    case 'string':
      return validText(schema, name, random, known);
    case 'integer':
      return (
        Number(known(name) ?? Number.NaN) ||
        random.between(
          Math.max(schema.minimum ?? 0, -1_000),
          Math.min(schema.maximum ?? 100, 100_000),
        )
      );
    case 'number':
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, 100_000)) / 2;
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return random.pick([null, 1, 'text', { a: 'b' }, [1]]);
  }
}

function validObject(
  { properties = {}, required = [], additionalProperties, maxProperties }: Schema,
  name: string,
  random: Random,
  known: KnownText,
  inner: (of: Schema, as: string) => unknown,
): object {
  const object = {};
  const likelihood = random.pick([0.1, 0.3, 0.7, 1]);
  for (const [key, schema] of Object.entries(properties)) {
    if (required.includes(key) || random.chance(likelihood))
      setMember(object, key, inner(schema, key));
  }
  if (typeof additionalProperties !== 'object') return object;
  const count = random.between(1, Math.min(maxProperties ?? MANY, MANY));
  for (let index = 0; index < count; index++) {
    const key = known(`${name}.key`) ?? random.text(random.between(1, 8));
    setMember(object, key, inner(additionalProperties, `${name}.value`));
  }
  return object;
}

function validText(
  { minLength = 0, maxLength = 40, pattern }: Schema,
  name: string,
  random: Random,
  known: KnownText,
): string {
  const text = known(name);
  if (text !== undefined) return text;
  if (pattern === '^[0-9a-f]{32}$') return random.id();
  if (pattern === '^[0-9]{6}$') return random.text(6, '0123456789');
  return random.text(
    random.between(
      Math.min(Math.max(minLength, 1), 2_000),
      Math.max(minLength, Math.min(maxLength, 12)),
    ),
  );
}

/** A value that breaks one of the schema's bounds by one; undefined when it has none. */
export function outOfBounds(schema: Schema, random: Random): unknown {
  const broken: unknown[] = [];
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, maxProperties } = schema;
  if (minLength !== undefined && minLength > 0) broken.push('a'.repeat(minLength - 1));
  if (maxLength !== undefined && maxLength < 100_000) {
    broken.push('a'.repeat(maxLength + 1), '\u{1F30D}'.repeat(maxLength), 'é'.repeat(maxLength));
  }
  if (minimum !== undefined) broken.push(minimum - 1, minimum + 0.5, minimum);
  if (maximum !== undefined) broken.push(maximum + 1, maximum, String(maximum));
  if (minItems !== undefined && minItems > 0) broken.push([]);
  if (maxItems !== undefined)
    broken.push(Array.from({ length: Math.min(maxItems + 1, 5_000) }, () => 'a'));
  if (maxProperties !== undefined)
    broken.push(
      Object.fromEntries(
        Array.from({ length: maxProperties + 1 }, (_, index) => [`k${index}`, '*']),
      ),
    );
  if (schema.enum !== undefined)
    broken.push(`${String(schema.enum[0])} `, String(schema.enum[0]).toUpperCase());
  return broken.length === 0 ? undefined : random.pick(broken);
}

/** A place within a value, and what the schema says of it. */
interface Place {
  holder: object;
  key: string | number;
  schema: Schema | undefined;
}

function placesOf(value: unknown, schema: Schema | undefined): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return [];
  const places: Place[] = [];
  const add = (key: string | number, item: unknown, of: Schema | undefined): void => {
    places.push({ holder: value, key, schema: of }, ...placesOf(item, of));
  };
  const branches = [schema, ...(schema?.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = branches.find((branch) => branch?.items !== undefined)?.items;
    for (const [index, item] of value.slice(0, MANY).entries()) add(index, item, items);
    return places;
  }
  for (const [key, item] of Object.entries(value)) {
    const declared = branches.find((branch) => branch?.properties?.[key] !== undefined)
      ?.properties?.[key];
    const others = schema?.additionalProperties;
    add(key, item, declared ?? (typeof others === 'object' ? others : undefined));
  }
  return places;
}

/** Changes one place of a JSON value, in place or as a whole. */
export function mutateJson(value: unknown, schema: Schema | undefined, random: Random): unknown {
  if (random.chance(0.06)) return random.chance(0.2) ? hugeJson(random) : oddJson(random);
  const places = placesOf(value, schema);
  if (places.length === 0 || random.chance(0.1)) return addMember(value, random);
  const { holder, key, schema: of } = random.pick(places);
  const isArray = Array.isArray(holder);
  const put = (item: unknown): void => {
    if (isArray) (holder as unknown[])[Number(key)] = item;
    else setMember(holder, String(key), item);
  };
  const now: unknown = Reflect.get(holder, key);
  switch (random.below(8)) {
    case 0:
      if (isArray) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      break;
    case 1:
      put([now]);
      break;
    case 2:
      put(random.chance(0.03) ? hugeJson(random) : oddText(random));
      break;
    case 3:
    case 4:
      put((of === undefined ? undefined : outOfBounds(of, random)) ?? oddJson(random));
      break;
    case 5:
      if (typeof now === 'string')
        put(
          random.pick([
            `${now}\n`,
            ` ${now}`,
            now.toUpperCase(),
            now.slice(1),
            `${now}${oddText(random)}`,
            `${now}\u0000`,
          ]),
        );
      else put(String(now));
      break;
    default:
      put(oddJson(random));
  }
  return value;
}

function addMember(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RawJson)
    return oddJson(random);
  if (Array.isArray(value)) {
    value.push(oddJson(random));
    return value;
  }
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'id',
    'account_id',
    'a',
    '',
    'hasOwnProperty',
    'then',
    'toJSON',
    'length',
  ];
  const key = random.chance(0.7) ? random.pick(names) : oddText(random);
  setMember(value, key, oddJson(random));
  return value;
}
