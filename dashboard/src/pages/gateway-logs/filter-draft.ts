import { fromLocalField, toLocalField } from '../../lib/local-time.ts';
import {
  FIRST_FIELD,
  type FieldType,
  type Operator,
  fieldNamed,
  offeredOperators,
} from '../../lib/log-fields.ts';
import type { LogFilter } from '../../lib/log-filters.ts';
import { labels } from './labels.ts';

/** A filter as somebody is making it. */
export interface FilterDraft {
  field: string;
  metadataKey: string;
  operator: Operator;
  /** In the place of an operator: whether there is a value at all. */
  knowledge: 'known' | 'unknown' | undefined;
  /** Those that are chosen. */
  values: readonly string[];
  /** What is typed and not added yet; the only value where there is one. */
  typed: string;
  /** Of a duration, see {@link UNITS}. */
  unit: string;
}

/** In which durations can be typed, in milliseconds. */
export const UNITS: Readonly<Record<string, { words: string; lengthMs: number }>> = {
  ms: { words: 'milliseconds', lengthMs: 1 },
  s: { words: 'seconds', lengthMs: 1_000 },
  min: { words: 'minutes', lengthMs: 60_000 },
};

/** Whether a field takes one value only with an operator: nothing is over 1 or over 2. */
export function takesOneValue(type: FieldType, operator: Operator): boolean {
  return type === 'time' || ((operator === 'lt' || operator === 'gt') && !isText(type));
}

function isText(type: FieldType): boolean {
  return type === 'text' || type === 'id';
}

/** The beginning of a filter. */
export function newDraft(name = FIRST_FIELD.name): FilterDraft {
  const field = fieldNamed(name);
  const operator = (field && offeredOperators(field)[0]) ?? 'eq';
  return {
    field: name,
    metadataKey: '',
    operator,
    knowledge: undefined,
    values: [],
    typed: '',
    unit: 's',
  };
}

/** The same for a filter that is there already. */
export function draftOf({ field, metadataKey = '', operator, values }: LogFilter): FilterDraft {
  const draft = { ...newDraft(field), metadataKey, operator };
  const type = fieldNamed(field)?.type ?? 'text';
  const [first = ''] = values;
  if (values.length === 1 && first === '' && fieldNamed(field)?.isNullable === true) {
    return { ...draft, operator: 'eq', knowledge: operator === 'neq' ? 'known' : 'unknown' };
  }
  if (!takesOneValue(type, operator)) return { ...draft, values };
  if (type === 'time') return { ...draft, typed: localOf(first) };
  return type === 'milliseconds' ? { ...draft, ...inUnit(first) } : { ...draft, typed: first };
}

function localOf(time: string): string {
  return Number.isNaN(Date.parse(time)) ? '' : toLocalField(time);
}

/** In the greatest unit of which it is a whole number. */
function inUnit(text: string): Pick<FilterDraft, 'typed' | 'unit'> {
  const lengthMs = Number(text);
  const units = Object.entries(UNITS).toReversed();
  const [unit, { lengthMs: unitMs }] = units.find(
    ([, { lengthMs: length }]) => lengthMs >= length && lengthMs % length === 0,
  ) ?? ['ms', { lengthMs: 1 }];
  return Number.isNaN(lengthMs)
    ? { typed: text, unit }
    : { typed: String(lengthMs / unitMs), unit };
}

const MAX_LENGTH = 1_000;
const NUMBER = /^[+-]?\d{1,16}(?:\.\d{1,20})?$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The filter that is meant; a text says what is missing. */
export function filterOf(draft: FilterDraft): LogFilter | string {
  const { field, operator, knowledge } = draft;
  const type = fieldNamed(field)?.type ?? 'text';
  const key = draft.metadataKey.trim();
  if (field === 'metadata' && key === '') return labels.enterAKey;
  const named = { field, ...(field === 'metadata' && { metadataKey: key }) };
  if (knowledge !== undefined) {
    return { ...named, operator: knowledge === 'known' ? 'neq' : 'eq', values: [''] };
  }
  if (takesOneValue(type, operator)) {
    const value = oneValue(draft, type);
    return value === undefined ? faultOf(type) : { ...named, operator, values: [value] };
  }
  const typed = draft.typed.trim();
  const values = [...new Set([...draft.values, ...(typed === '' ? [] : [typed])])];
  if (values.length === 0) return labels.chooseOrEnterAValue;
  const wrong = values.find((value) => value !== '' && !isValue(value, type, operator));
  return wrong === undefined ? { ...named, operator, values } : `${wrong}: ${faultOf(type)}`;
}

function oneValue({ typed, unit }: FilterDraft, type: FieldType): string | undefined {
  const text = typed.trim();
  if (type === 'time') return fromLocalField(text);
  if (!NUMBER.test(text)) return undefined;
  return type === 'milliseconds'
    ? String(Math.round(Number(text) * (UNITS[unit]?.lengthMs ?? 1)))
    : text;
}

function isValue(value: string, type: FieldType, operator: Operator): boolean {
  if (type === 'id') return operator === 'contains' || UUID.test(value);
  if (type === 'whole' || type === 'number' || type === 'milliseconds' || type === 'dollars') {
    return NUMBER.test(value);
  }
  return value.length <= MAX_LENGTH;
}

function faultOf(type: FieldType): string {
  if (type === 'time') return labels.enterADateAndTime;
  if (type === 'id') return labels.anIdHas32Hex;
  return isText(type) ? labels.atMostCharacters(MAX_LENGTH) : labels.enterANumberSuch;
}
