import type { Ajv, ErrorObject } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError, type ErrorEntry, errorEntry, httpErrors } from './errors.ts';
import type { BodyFaults } from './route.ts';
import { schemaFault } from './schema-check.ts';
import { createSchemaCompiler } from './schema-compiler.ts';

// Bodies are taken as they are: no coercion, no silent removal. Every fault is reported at once, but
// to look for all of them in a large body would hold up every other request.
const thoroughAjv = createSchemaCompiler({ allErrors: true });
// It looks at maxItems and maxProperties before it looks at what they limit.
const hastyAjv = createSchemaCompiler({ allErrors: false });
// Parameters arrive as text; a single value may stand for a list of one.
const parameterAjv = createSchemaCompiler({ coerceTypes: 'array', useDefaults: true });

// By the text of the schema: many operations ask alike. There are no more than operations.
const compiled = new Map<Ajv, Map<string, Check>>();

function compileOnce(ajv: Ajv, schema: TSchema): Check {
  const known = compiled.get(ajv) ?? new Map<string, Check>();
  compiled.set(ajv, known);
  const text = JSON.stringify(schema);
  const check = known.get(text) ?? ajv.compile(schema);
  known.set(text, check);
  return check;
}

// Up to here a body is checked for all of its faults: a few milliseconds.
const MAX_THOROUGH_VALUES = 1_000;

const largeBodies = new WeakSet<object>();

/** Notes how many values a body has, for {@link isLargeBody}. */
export function noteSize(body: unknown, values: number): void {
  const isHolder = typeof body === 'object' && body !== null;
  if (isHolder && values > MAX_THOROUGH_VALUES) largeBodies.add(body);
}

/** Whether only the first fault of this body is told, to hold up nobody else. */
export function isLargeBody(body: unknown): boolean {
  return typeof body === 'object' && body !== null && largeBodies.has(body);
}

type Check = ReturnType<FastifySchemaCompiler<TSchema>> & {
  errors?: FastifySchemaValidationError[] | null;
};

/**
 * A check that is chosen, and compiled, when there is something to check: compiling the schemas of all
 * routes would take most of the time of a start, and most are never used in most processes.
 */
function lazily(choose: (content: unknown) => () => Check): Check {
  const checks = new Map<() => Check, Check>();
  const validate: Check = (content: unknown) => {
    const compile = choose(content);
    const check = checks.get(compile) ?? compile();
    checks.set(compile, check);
    const isValid = check(content);
    validate.errors = check.errors ?? null;
    return isValid;
  };
  return validate;
}

/** Makes the check of one route's schemas. */
export function validatorCompiler(
  bodyFaults: BodyFaults | undefined,
): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    const ofParameters = (): Check => compileOnce(parameterAjv, schema);
    if (httpPart !== 'body') return lazily(() => ofParameters);
    const hasty = (): Check => compileOnce(hastyAjv, schema);
    // All faults make one and the same answer.
    if (bodyFaults?.terse === true) return lazily(() => hasty);
    const thorough = (): Check => compileOnce(thoroughAjv, schema);
    return lazily((body) => (isLargeBody(body) ? hasty : thorough));
  };
}

/** Of one request: whoever sends more mends these first. */
export const MAX_REPORTED_FAULTS = 50;

function describe(fault: ErrorObject): string {
  const { pointer, reason } = schemaFault(fault);
  return `${pointer === '' ? 'the body' : pointer.slice(1).replaceAll('/', '.')} ${reason}`;
}

// For a body that was sent where none is read.
const MALFORMED_JSON: Pick<BodyFaults, 'malformed' | 'terse'> = {
  malformed: httpErrors.malformedJson,
};

/** The refusal of a body that is no JSON, or is missing. */
export function malformedBodyError(reason: string, faults = MALFORMED_JSON): ApiError {
  const message = faults.terse
    ? faults.malformed.message
    : `${faults.malformed.message}: ${reason}`;
  return new ApiError(faults.malformed.status, [errorEntry(faults.malformed, { message })]);
}

/**
 * The refusal of a body that its schema does not allow: every fault with its pointer.
 * @param further faults of the same body that its schema cannot tell
 */
export function invalidBodyError(
  validation: readonly FastifySchemaValidationError[],
  faults: BodyFaults,
  further: readonly ErrorEntry[] = [],
): ApiError {
  if (faults.terse) return new ApiError(faults.invalid.status, [errorEntry(faults.invalid)]);
  const entries = new Map<string, ErrorEntry>();
  for (const fault of validation as ErrorObject[]) {
    // The branches of a union report beside the union itself: one entry a place is enough.
    const { pointer } = schemaFault(fault);
    if (entries.has(pointer) || entries.size >= MAX_REPORTED_FAULTS) continue;
    const definition = fault.keyword === 'additionalProperties' ? faults.unknown : faults.invalid;
    const message = `${definition.message}: ${describe(fault)}`;
    entries.set(pointer, errorEntry(definition, { message, pointer }));
  }
  return new ApiError(faults.invalid.status, [...entries.values(), ...further]);
}

/** The refusal of query or path parameters. */
export function invalidParameterError(
  validation: readonly FastifySchemaValidationError[],
): ApiError {
  const [first] = validation as ErrorObject[];
  const definition = httpErrors.invalidParameter;
  if (first === undefined) return new ApiError(definition.status, [errorEntry(definition)]);
  const [, name = ''] = schemaFault(first).pointer.split('/');
  return new ApiError(definition.status, [
    errorEntry(definition, { message: `${definition.message}: ${describe(first)}`, pointer: name }),
  ]);
}
