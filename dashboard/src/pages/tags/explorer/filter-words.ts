import { labels } from '../labels.ts';
import type { TagFilter } from './tag-filter.ts';
import { readTagFilter } from './tag-filter.ts';
import { isOfAll } from './tag-search.ts';
import type { TagQuery } from '../../../lib/tag-query.ts';

/** A piece of a sentence: our words, or a value that comes from outside. */
export type Word = string | { value: string };

/** "a", "a or b", "a, b or c". */
function joined(values: readonly string[], conjunction: 'or' | 'and'): Word[] {
  return values.flatMap((value, index): Word[] => {
    if (index === 0) return [{ value }];
    return [index === values.length - 1 ? ` ${conjunction} ` : ', ', { value }];
  });
}

/** What a condition says, in the few words of a chip: "env is production or staging". */
export function wordsOfFilter({ key, values, isNegated }: TagFilter): Word[] {
  if (values === undefined) return [isNegated ? 'has no ' : 'has ', { value: key }];
  return [{ value: key }, isNegated ? ' is not ' : ' is ', ...joined(values, 'or')];
}

/** The condition as a part of "Resources that …". */
function clauseOf({ key, values, isNegated }: TagFilter): Word[] {
  if (values === undefined) return [isNegated ? 'lack the key ' : 'have the key ', { value: key }];
  const verb = isNegated ? 'do not have ' : 'have ';
  return [verb, { value: key }, ' set to ', ...joined(values, 'or')];
}

/** All that a query asks for, in a sentence. */
export function wordsOfQuery(query: TagQuery): Word[] {
  const { tag = [], type = [], id = [], name, case_insensitive: isCaseless } = query;
  const filters = tag.map(readTagFilter);
  const clauses = filters.map(clauseOf);
  const isWide = filters.some(({ values, isNegated }) => isNegated && values !== undefined);
  return [
    isOfAll(query) ? labels.allTaggedResources : labels.taggedResources,
    ...(type.length > 0 ? [' of the type ', ...joined(type, 'or')] : []),
    ...(id.length > 0 ? [' with the ID ', ...joined(id, 'or')] : []),
    ...(name === undefined ? [] : [' with ', { value: name }, ' in their name']),
    ...clauses.flatMap((clause, index): Word[] => [separator(index, clauses.length), ...clause]),
    '.',
    ...(isWide ? [' Resources without the key also match.'] : []),
    ...(isCaseless === true && tag.length > 0
      ? [' Keys and values are compared without regard to case.']
      : []),
  ];
}

function separator(index: number, count: number): string {
  if (index === 0) return ' that ';
  return index === count - 1 ? ' and ' : ', ';
}

/** How a value is shown: an empty one would not be seen. */
export function shownValue(value: string): string {
  return value === '' ? '(empty)' : value;
}

/** The same as one text, for labels. */
export function textOfWords(words: readonly Word[]): string {
  return words.map((word) => (typeof word === 'string' ? word : shownValue(word.value))).join('');
}
