import { isObject, parseJson } from '../../../lib/json-value.ts';

/** What metadata may hold. */
export type MetadataValue = string | number | boolean | null;

/** One entry of the metadata of a log. */
export interface MetadataEntry {
  name: string;
  value: MetadataValue;
}

function isValue(value: unknown): value is MetadataValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The entries of metadata as a log has it: an object as a text. */
export function metadataEntries(text: string | undefined): MetadataEntry[] {
  const metadata = text === undefined ? undefined : parseJson(text);
  if (!isObject(metadata)) return [];
  return Object.entries(metadata).map(([name, value]) => ({
    name,
    value: isValue(value) ? value : JSON.stringify(value),
  }));
}

/** A value as it is typed: a text that looks like something else stands in quotes. */
export function writtenValue(value: MetadataValue): string {
  if (typeof value !== 'string') return String(value);
  return isValue(parseJson(value)) && value !== '' ? JSON.stringify(value) : value;
}

/** What was typed, as the value that it means. */
export function readValue(text: string): MetadataValue {
  const written = text.trim();
  const value = parseJson(written);
  // A number whose last digits would be others stays as it is written.
  const isLarge = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (isLarge && String(value) !== written) return written;
  return isValue(value) && value !== undefined ? value : text;
}
