/**
 * What a set of resources is kept of in `tag_postings`. A key cannot have `=` or `:` in it, so that the
 * four kinds never meet.
 */
export type Term = string;

/** Every tagged resource. */
export const EVERY_RESOURCE: Term = '';

/** The resources that have a key. */
export function keyTerm(key: string): Term {
  return key;
}

/** The resources that have a value of a key. @param valueKey see value-key.ts */
export function valueTerm(key: string, valueKey: string): Term {
  return `${key}=${valueKey}`;
}

/** The tagged resources of a type. */
export function typeTerm(type: string): Term {
  return `:${type}`;
}
