import { formatCost, formatCount, formatDuration } from '../../lib/figures.ts';
import { formatTime } from '../../ui/time.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import {
  type FieldType,
  type FilterField,
  type Operator,
  fieldNamed,
} from '../../lib/log-fields.ts';
import type { LogFilter } from '../../lib/log-filters.ts';
import { labels } from './labels.ts';
import type { LogSearch } from './log-search.ts';
import { filtersOf } from './log-search.ts';
import { DEFAULT_RANGE, RANGE_WORDS } from './time-range.ts';

const COMPARISONS: Readonly<Record<Operator, string>> = {
  eq: 'is',
  neq: 'is not',
  contains: 'contains',
  gt: 'is over',
  lt: 'is under',
};

/** What an operator is called with values of a type. */
export function operatorWords(operator: Operator, type: FieldType): string {
  if (operator === 'gt' && type === 'time') return 'is after';
  if (operator === 'lt' && type === 'time') return 'is before';
  if (operator === 'gt' && (type === 'text' || type === 'id')) return 'comes after';
  if (operator === 'lt' && (type === 'text' || type === 'id')) return 'comes before';
  return COMPARISONS[operator];
}

const FLAGS: Readonly<Record<string, readonly [whenTrue: string, whenFalse: string]>> = {
  success: [labels.succeeded, labels.failed],
  cached: [labels.fromTheCache, labels.notFromTheCache],
};

/** The two values of a field that is true or false, in words. */
export function flagWords({ name, label }: FilterField): readonly [string, string] {
  return FLAGS[name] ?? [label, labels.not(label)];
}

/** What feedback can be. */
export const FEEDBACK_WORDS: Readonly<Record<string, string>> = {
  '1': 'good',
  '0': 'neutral',
  '-1': 'bad',
};

const WRITTEN: Readonly<
  Partial<Record<FieldType, (value: string, name: string) => string | undefined>>
> = {
  milliseconds: (value) => inNumbers(value, formatDuration),
  dollars: (value) => inNumbers(value, formatCost),
  whole: (value, name) => (name === 'status_code' ? value : inNumbers(value, formatCount)),
  time: (value) => (Number.isNaN(Date.parse(value)) ? value : formatTime(value)),
  feedback: (value) => FEEDBACK_WORDS[value],
};

/** A value in words. */
export function valueWords({ name, type }: FilterField, value: string, names: CallerNames): string {
  if (value === '') return 'unknown';
  const written = WRITTEN[type]?.(value, name);
  return written ?? names.nameOf(name, value) ?? value;
}

function inNumbers(value: string, format: (number: number) => string): string {
  const number = Number(value);
  return Number.isNaN(number) ? value : format(number);
}

// "A, B or C"
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A filter in a few words: "Duration is over 2 s". */
export function describeFilter(filter: LogFilter, names: CallerNames): string {
  const { metadataKey, operator, values } = filter;
  const field = fieldNamed(filter.field);
  if (field === undefined) return filter.field;
  if (field.type === 'boolean') return describeFlag(field, filter);
  const subject = metadataKey === undefined ? field.label : labels.metadataOf(metadataKey);
  const words = values.map((value) => valueWords(field, value, names));
  if (values.length === 1 && values[0] === '') {
    return operator === 'neq' ? labels.exists(subject) : labels.doesntExist(subject);
  }
  if (operator === 'neq' && words.length > 1) {
    return labels.isNeither(subject, words.join(' nor '));
  }
  return `${subject} ${operatorWords(operator, field.type)} ${or.format(words)}`;
}

function describeFlag(field: FilterField, { operator, values }: LogFilter): string {
  const [whenTrue, whenFalse] = flagWords(field);
  const words = values.map((value) => {
    const isTrue = value === 'true' || value === '1';
    return isTrue === (operator === 'eq') ? whenTrue : whenFalse;
  });
  return or.format(words);
}

/** The time of a search: "Last 24 hours". */
function describeTime({ range = DEFAULT_RANGE, since, until }: LogSearch): string {
  if (range !== 'custom') return RANGE_WORDS[range];
  if (since === undefined) {
    return until === undefined ? RANGE_WORDS.all : labels.before(formatTime(until));
  }
  const from = formatTime(since);
  return until === undefined ? labels.since(from) : labels.fromTo(from, formatTime(until));
}

/** All that a search asks of logs, each in a few words. */
export function describeSearch(search: LogSearch, names: CallerNames): string[] {
  return [
    ...filtersOf(search).map((filter) => describeFilter(filter, names)),
    ...(search.q === undefined ? [] : [labels.contains(search.q)]),
    ...(search.range === undefined ? [] : [describeTime(search)]),
  ];
}
