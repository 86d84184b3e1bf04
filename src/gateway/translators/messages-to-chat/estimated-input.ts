import { isObject } from '../../json/json-fields.ts';

const CHARACTERS_PER_TOKEN = 3;
/** Members with encoded images and documents, which do not count by their length. */
const MEDIA_MEMBER = 'data';

/**
 * Estimates the input tokens of a request from its texts. Providers count them only at the end of a stream, and some
 * clients read them from its beginning.
 * @param body of a Messages request
 */
export function estimatedInputTokens(body: unknown): number {
  let characters = 0;
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const one of value as unknown[]) left.push(one);
    else if (isObject(value)) {
      for (const [key, one] of Object.entries(value)) {
        if (key !== MEDIA_MEMBER || typeof one !== 'string') left.push(one);
      }
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
