import { isObject, parseObject } from '../json/json-fields.ts';

const CHOICES = Buffer.from('"choices"');
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/**
 * Returns true if some bytes of a stream of chat completions contain a chunk without choices. Nearly none does, so that the
 * others need not be parsed. Strings in JSON cannot look like one, because their quotes are escaped.
 * @returns undefined if it depends on the next bytes
 */
export function containsUsageChunk(bytes: Buffer): boolean | undefined {
  let position = bytes.indexOf(CHOICES);
  // The bytes may end within the name or before it.
  let answer: boolean | undefined;
  while (position >= 0) {
    answer = isEmptyList(bytes, position + CHOICES.length);
    if (answer !== false) return answer;
    position = bytes.indexOf(CHOICES, position + CHOICES.length);
  }
  return answer;
}

/** Returns true if a colon and an empty list follow. */
function isEmptyList(bytes: Buffer, start: number): boolean | undefined {
  let position = start;
  for (const expected of [COLON, OPENING_BRACKET, CLOSING_BRACKET]) {
    position = skipSpace(bytes, position);
    if (position === bytes.length) return undefined;
    if (bytes[position] !== expected) return false;
    position++;
  }
  return true;
}

function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  for (; position < bytes.length; position++) {
    const byte = bytes[position];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return position;
}

/** Returns true for the data of the chunk that OpenAI-compatible providers add if a request asks for the usage of a stream. */
export function isUsageChunk(data: string): boolean {
  const chunk = parseObject(data);
  if (chunk === undefined) return false;
  const { choices, usage } = chunk;
  return Array.isArray(choices) && choices.length === 0 && isObject(usage);
}
