import { Ajv, type Options, _ } from 'ajv';

// `Type.Record(Type.String(), …)` gives it to every property name. It is linear.
const ANY_NAME = '^.*$';

/**
 * Creates the compiler of JSON schemas that check untrusted values. It evaluates a `pattern` only on a
 * text that is not longer than the `maxLength` beside it, also when all errors are reported, so that
 * the length of a request never multiplies the cost of a pattern.
 * @throws Error from `compile` when a schema has a `pattern` without `maxLength`, or `patternProperties`
 *   where `propertyNames` can bound the names
 */
export function createSchemaCompiler(options: Options): Ajv {
  const ajv = new Ajv({
    ...options,
    strict: false,
    code: { regExp: propertyNamePattern },
    // For the API reference: operations check these values themselves, and report more.
    formats: { email: true, uri: true, 'date-time': true },
  });
  ajv.removeKeyword('pattern');
  return ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: {
      message: 'has characters that are not allowed',
      params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
    },
    compile(pattern: string, parent) {
      const { maxLength } = parent as { maxLength?: unknown };
      if (typeof maxLength !== 'number') {
        throw new Error(`the schema has no maxLength beside the pattern ${pattern}`);
      }
      const expression = new RegExp(pattern, 'u');
      // `maxLength` counts code points and reports the longer text itself.
      return (text: string) => text.length > 2 * maxLength || expression.test(text);
    },
  });
}

/** Creates the expressions of `patternProperties`. Ajv evaluates them on names of any length. */
function propertyNamePattern(pattern: string): RegExp {
  if (pattern !== ANY_NAME) {
    throw new Error(`the schema uses patternProperties, not propertyNames, for ${pattern}`);
  }
  return new RegExp(ANY_NAME, 'u');
}
// Ajv writes it into modules that it generates; this project generates none.
propertyNamePattern.code = 'new RegExp';
