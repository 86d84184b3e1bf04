import { type Parameter, type TagQuery, tagParameters } from '../../../lib/tag-query.ts';
import { labels } from '../labels.ts';
import { isOfAll } from './tag-search.ts';

// What stands for itself in a query (RFC 3986, section 3.4), and makes it easier to read so.
const READABLE = /%(?:3D|2C|3A|2F|40)/g;

/** The query string, without `?`. */
export function writeRawQuery(query: TagQuery): string {
  return writeParameters(tagParameters(query));
}

/** Parameters as a query string. */
export function writeParameters(parameters: readonly Parameter[]): string {
  return parameters.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  // Half of a surrogate pair has no encoding, and no tag has one.
  return encodeURIComponent(text.toWellFormed()).replaceAll(READABLE, decodeURIComponent);
}

/** What could be read of a query string, and what could not. */
export interface RawQuery {
  query: TagQuery;
  /** Sentences, of what makes it another query than the one that is written. */
  faults: string[];
}

// Which page of a list is wanted is no part of what is wanted.
const IGNORED: ReadonlySet<string> = new Set(['cursor', 'limit']);

/** Reads a query string, or an address that ends with one; line breaks part parameters like `&`. */
export function readRawQuery(text: string): RawQuery {
  const lists: Record<'tag' | 'type' | 'id', string[]> = { tag: [], type: [], id: [] };
  const rest: Pick<TagQuery, 'name' | 'case_insensitive'> = {};
  const faults: string[] = [];
  for (const part of partsOf(text)) {
    const parameter = decode(part);
    const [name, value] = parameter ?? ['', ''];
    if (parameter === undefined) faults.push(labels.isNotCorrectlyPercentEncoded(part));
    else if (name === 'tag' || name === 'type' || name === 'id') lists[name].push(value);
    else if (name === 'name') {
      if (rest.name !== undefined) faults.push(labels.invalidRequestParameterNameMust);
      rest.name = value;
    } else if (name === 'case_insensitive') {
      if (value === 'true') rest.case_insensitive = true;
      else if (value !== 'false') faults.push(labels.invalidRequestParameterCaseInsensitive);
    } else if (!IGNORED.has(name)) faults.push(unknownParameter(part, name));
  }
  if (rest.name === '') delete rest.name;
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return { query: { ...Object.fromEntries(filled), ...rest }, faults };
}

function partsOf(text: string): string[] {
  const trimmed = text.trim();
  // An address: everything up to its `?`, and without what comes behind `#`.
  const [, ofAddress] = /^(?:[a-z]+:\/\/|\/|\?)[^?]*\??([^#]*)/i.exec(trimmed) ?? [];
  return (trimmed.startsWith('?') ? trimmed.slice(1) : (ofAddress ?? trimmed))
    .split(/[&\r\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function decode(part: string): Parameter | undefined {
  const split = part.includes('=') ? part.indexOf('=') : part.length;
  try {
    const [name = '', value = ''] = [part.slice(0, split), part.slice(split + 1)].map((half) =>
      decodeURIComponent(half.replaceAll('+', ' ')),
    );
    return [name, value];
  } catch {
    return undefined;
  }
}

function unknownParameter(part: string, name: string): string {
  return labels.isNotAParameter(name, part);
}

/** What the API's merge by filter takes: it wants to be told when everything is meant. */
export function bulkFilterOf(query: TagQuery): TagQuery | { all: true } {
  return isOfAll(query) ? { all: true } : query;
}
