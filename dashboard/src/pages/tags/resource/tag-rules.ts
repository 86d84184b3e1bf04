import { faultOfKey, faultOfValues } from '../explorer/tag-filter.ts';
import { labels } from '../labels.ts';

/** Why the API would refuse a key. */
export function keyFault(key: string): string | undefined {
  if (key === '') return labels.enterAKey;
  const fault = faultOfKey(key);
  if (fault === undefined) return undefined;
  const isLong = fault.includes('too long');
  return isLong ? sentence(fault) : labels.aKeyCanContainLetters(sentence(fault));
}

/** Why the API would refuse a value. */
export function valueFault(value: string): string | undefined {
  const fault = faultOfValues([value]);
  if (fault !== undefined) return sentence(fault);
  return value.includes('\0') || !value.isWellFormed()
    ? labels.thisValueContainsAnInvalid
    : undefined;
}

/** The API's own words as a person reads them. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
