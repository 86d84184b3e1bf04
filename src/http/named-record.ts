import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';

/**
 * Creates the schema of an object whose property names the caller chooses. Unlike `Type.Record`, which
 * checks names with `patternProperties`, it bounds the length of a name before its pattern is evaluated.
 * @param name what a name must match
 * @param value schema of each value
 */
export function namedRecord<Value extends TSchema>(
  name: { maxLength: number; pattern: string },
  value: Value,
  options: { maxProperties: number; description: string },
): TUnsafe<Record<string, Static<Value>>> {
  return Type.Unsafe<Record<string, Static<Value>>>(
    Type.Object({}, { ...options, additionalProperties: value, propertyNames: Type.String(name) }),
  );
}
