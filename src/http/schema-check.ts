import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { createSchemaCompiler } from './schema-compiler.ts';

/** Where a value is not as its schema says, and why. */
export interface SchemaFault {
  /** RFC 6901, also to a field that is missing or too much; empty: the value as a whole. */
  pointer: string;
  /** Goes on after the name of the field: "is required". */
  reason: string;
}

/** What a text with a pattern must be, after the name of the field. */
const PATTERNS = new Map<string, string>();

/**
 * Describes a pattern of schemas for the people who read the error.
 * @param sentence goes on after the name of the field: "must be lowercase"
 * @returns the pattern
 */
export function describedPattern(pattern: string, sentence: string): string {
  PATTERNS.set(pattern, sentence);
  return pattern;
}

/** Returns the sentence of a described pattern. */
export function patternSentence(pattern: string): string | undefined {
  return PATTERNS.get(pattern);
}

const ajv = createSchemaCompiler({});

/**
 * Checks values that are no bodies or parameters of a declared route: parts of them, and what is stored. The
 * schema is compiled when there is something to check, as most are not in most processes.
 */
export class SchemaCheck<Value> {
  readonly #schema: TSchema;
  #check: ValidateFunction | undefined;

  private constructor(schema: TSchema) {
    this.#schema = schema;
  }

  static of<Schema extends TSchema>(schema: Schema): SchemaCheck<Static<Schema>> {
    return new SchemaCheck(schema);
  }

  matches(value: unknown): value is Value {
    this.#check ??= ajv.compile(this.#schema);
    return this.#check(value);
  }

  /** The first thing that is wrong with a value that does not match. */
  faultOf(value: unknown): SchemaFault {
    this.matches(value);
    // What the branches of a union say comes before what the union itself does.
    const fault = this.#check?.errors?.at(-1);
    return fault === undefined ? { pointer: '', reason: 'is invalid' } : schemaFault(fault);
  }
}

/** A fault in the words of our answers. */
export function schemaFault(fault: ErrorObject): SchemaFault {
  const { instancePath, keyword, params, message, propertyName } = fault;
  // A fault of the name itself, see namedRecord.
  const misnamed =
    keyword === 'propertyNames' ? (params as { propertyName?: string }).propertyName : propertyName;
  if (misnamed !== undefined) {
    return { pointer: `${instancePath}/${escapePointer(misnamed)}`, reason: 'is not a valid name' };
  }
  const { missingProperty, additionalProperty, allowedValues, allowedValue } = params as Record<
    string,
    unknown
  >;
  const name = missingProperty ?? additionalProperty;
  const pointer =
    typeof name === 'string' ? `${instancePath}/${escapePointer(name)}` : instancePath;
  switch (keyword) {
    case 'required':
      return { pointer, reason: 'is required' };
    case 'additionalProperties':
      return { pointer, reason: 'is not a known field' };
    case 'enum':
      return { pointer, reason: `must be one of ${String(allowedValues)}` };
    case 'const':
      return { pointer, reason: `must be ${JSON.stringify(allowedValue)}` };
    case 'pattern': {
      const { pattern } = params as { pattern?: unknown };
      const sentence = typeof pattern === 'string' ? PATTERNS.get(pattern) : undefined;
      return { pointer, reason: sentence ?? message ?? 'is invalid' };
    }
    default:
      return { pointer, reason: message ?? 'is invalid' };
  }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
