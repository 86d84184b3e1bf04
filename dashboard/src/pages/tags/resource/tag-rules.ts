import { faultOfKey, faultOfValues } from '../explorer/tag-filter.ts';

/** Why the API would refuse a key. */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'A tag needs a key.';
  const fault = faultOfKey(key);
  if (fault === undefined) return undefined;
  const isLong = fault.includes('too long');
  return isLong
    ? sentence(fault)
    : `${sentence(fault)} It may hold letters, digits, underscores, dots and hyphens.`;
}

/** Why the API would refuse a value. */
export function valueFault(value: string): string | undefined {
  const fault = faultOfValues([value]);
  if (fault !== undefined) return sentence(fault);
  return value.includes('\0') || !value.isWellFormed()
    ? 'This value holds a character that cannot be stored.'
    : undefined;
}

/** The API's own words as a person reads them. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
