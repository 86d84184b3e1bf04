import { isObject, type JsonObject } from '../json/json-fields.ts';
import { UntranslatableError } from './translator.ts';

/** The JSON values of a parameter. */
export interface ParameterType {
  /** Completes the sentence "must be …". */
  name: string;
  matches(value: unknown): boolean;
}

/** The treatment of one parameter in a translation. */
export type ParameterRule =
  /** The translation expresses each value of the type. */
  | { kind: 'expressed'; type: ParameterType }
  /** The translation may omit the parameter without changing the meaning of the request. */
  | { kind: 'hint'; type: ParameterType }
  /** The target cannot express the parameter. Neutral values equal its absence. */
  | { kind: 'refused'; isNeutral(value: unknown): boolean; reason: string };

/** The parameters of one API, or of one of its objects, in the translation to one target. */
export interface ParameterTable {
  rules: ReadonlyMap<string, ParameterRule>;
  /** Parameters without a rule: `expressed` where the translation passes them on unchanged. */
  others: 'expressed' | 'refused';
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, matches: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(matches);
}

const untyped: ParameterType = { name: 'a JSON value', matches: () => true };

/** The types in the tables. An integer that no double represents exactly matches only `exactInteger`. */
export const types = {
  /** For hints without effect, and for parameters that the translation checks in detail. */
  any: untyped,
  boolean: { name: 'a boolean', matches: (value) => typeof value === 'boolean' },
  integer: { name: 'an integer', matches: (value) => Number.isSafeInteger(value) },
  /** Passed on unchanged, also if no double represents it exactly. */
  exactInteger: {
    name: 'an integer',
    matches: (value) => Number.isSafeInteger(value) || JSON.isRawJSON(value),
  },
  number: { name: 'a number', matches: isNumber },
  object: { name: 'an object', matches: isObject },
  objects: { name: 'a list of objects', matches: (value) => isListOf(value, isObject) },
  text: { name: 'a string', matches: isText },
  textOrObject: {
    name: 'a string or an object',
    matches: (value) => isText(value) || isObject(value),
  },
  textOrObjects: {
    name: 'a string or a list of objects',
    matches: (value) => isText(value) || isListOf(value, isObject),
  },
  textOrTexts: {
    name: 'a string or a list of strings',
    matches: (value) => isText(value) || isListOf(value, isText),
  },
  texts: { name: 'a list of strings', matches: (value) => isListOf(value, isText) },
} as const satisfies Record<string, ParameterType>;

/** @param type the values that the translation expresses */
export function expressed(type: ParameterType): ParameterRule {
  return { kind: 'expressed', type };
}

/** @param type the values of the hint; any value by default */
export function hint(type: ParameterType = untyped): ParameterRule {
  return { kind: 'hint', type };
}

/**
 * @param isNeutral recognizes the values that equal the absence of the parameter
 * @param reason completes the message of the error
 */
export function refused(
  isNeutral: (value: unknown) => boolean,
  reason = 'the API of the provider does not have this parameter',
): ParameterRule {
  return { kind: 'refused', isNeutral, reason };
}

/** Recognizes one neutral value. */
export function only(neutral: string | number | boolean): (value: unknown) => boolean {
  return (value) => value === neutral;
}

/** Recognizes a list without items. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Recognizes an object without members. */
export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** For a parameter without a neutral value. */
export function never(): boolean {
  return false;
}

/**
 * @param rules by the name of the parameter
 * @param others the treatment of parameters without a rule
 */
export function parameterTable(
  rules: Readonly<Record<string, ParameterRule>>,
  others: ParameterTable['others'] = 'refused',
): ParameterTable {
  return { rules: new Map(Object.entries(rules)), others };
}

/**
 * Compares each parameter with its rule. `null` equals the absence of any parameter.
 * @param parameters a request, or one of its objects
 * @param table the rules of the translation
 * @param place the path of the object in the request, with a dot at its end
 * @throws UntranslatableError for a parameter that the target cannot express, and for a wrong type
 */
export function checkParameters(parameters: JsonObject, table: ParameterTable, place = ''): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    const rule = table.rules.get(name);
    const reason =
      rule === undefined
        ? table.others === 'refused' && 'the translation does not support this parameter'
        : faultOf(rule, value);
    if (reason !== false) throw new UntranslatableError(`${place}${name}: ${reason}`);
  }
}

/** @returns false for a value without a fault */
function faultOf(rule: ParameterRule, value: unknown): string | false {
  if (rule.kind === 'refused') return !rule.isNeutral(value) && rule.reason;
  return !rule.type.matches(value) && `must be ${rule.type.name}`;
}
