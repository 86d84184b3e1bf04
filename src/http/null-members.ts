import type { TSchema } from 'typebox';

/** The keywords of JSON Schema that matter here. */
interface Schema {
  type?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  default?: unknown;
}

/** Nothing in a body is nested deeper in the schemas. */
const MAX_DEPTH = 16;

/**
 * Replaces `null` in a body: for an optional member, it means the default. The body changes in place, and keeps `null`
 * where the schema has it.
 * @param isPatch omitted members of the body keep their values, so that `null` becomes the default of the schema
 */
export function replaceNullMembers(schema: TSchema, body: unknown, isPatch: boolean): void {
  replaceIn(schema, body, isPatch, 0);
}

function replaceIn(schema: Schema, value: unknown, isPatch: boolean, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) replaceIn(items, item, false, depth + 1);
    return;
  }
  const { properties } = objectSchemaOf(schema);
  const { required = [] } = objectSchemaOf(schema);
  if (properties === undefined) return;
  const members = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(properties)) {
    if (!Object.hasOwn(members, name)) continue;
    if (members[name] !== null) replaceIn(member, members[name], false, depth + 1);
    else if (!required.includes(name) && !takesNull(member)) {
      if (member.default !== undefined) members[name] = structuredClone(member.default);
      else if (!isPatch) delete members[name];
    }
  }
}

/**
 * Returns a schema for the API reference that shows which members {@link replaceNullMembers} accepts with `null`.
 * @param schema the schema of a body
 * @param isPatch a member without a default does not accept `null`
 */
export function showNullMembers(schema: object, isPatch: boolean): object {
  return showIn(schema, isPatch, 0);
}

function showIn(schema: Schema, isPatch: boolean, depth: number): Schema {
  if (depth > MAX_DEPTH) return schema;
  const { anyOf, items, properties, required = [] } = schema;
  const shown = { ...schema };
  if (anyOf !== undefined) {
    const only = objectSchemaOf(schema);
    shown.anyOf = anyOf.map((branch) =>
      branch === only ? showIn(branch, isPatch, depth + 1) : branch,
    );
  }
  if (items !== undefined) shown.items = showIn(items, false, depth + 1);
  if (properties !== undefined) {
    shown.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        const inner = showIn(member, false, depth + 1);
        const hasMeaning = !isPatch || member.default !== undefined;
        const isReplaced = !required.includes(name) && !takesNull(member) && hasMeaning;
        return [name, isReplaced ? withNull(inner) : inner];
      }),
    );
  }
  return shown;
}

function withNull(schema: Schema): Schema {
  const { type, enum: values, const: only, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string' || only !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}

/** A union has `null` or one object among its branches. */
function objectSchemaOf(schema: Schema): Schema {
  const { anyOf } = schema;
  if (anyOf === undefined) return schema;
  const objects = anyOf.filter(({ properties }) => properties !== undefined);
  return objects.length === 1 ? (objects[0] ?? schema) : schema;
}

function takesNull({ type, enum: values, const: only, anyOf }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesNull);
  if (values !== undefined) return values.includes(null);
  if (only !== undefined) return only === null;
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
