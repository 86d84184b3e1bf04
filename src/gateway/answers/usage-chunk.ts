import { isObject, parseObject } from '../translation/json-fields.ts';

const CHOICES = Buffer.from('"choices"');
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/**
 * Whether some bytes of a stream of chat completions hold a chunk without choices: nearly none does, so
 * that the others need not be parsed. Texts in JSON cannot look like one: their quotes are escaped.
 * @returns undefined when it depends on what comes behind the bytes
 */
export function holdsEmptyChoices(bytes: Buffer): boolean | undefined {
  let position = bytes.indexOf(CHOICES);
  // The bytes may end within the name, or in front of it.
  let answer: boolean | undefined;
  while (position >= 0) {
    answer = isEmptyList(bytes, position + CHOICES.length);
    if (answer !== false) return answer;
    position = bytes.indexOf(CHOICES, position + CHOICES.length);
  }
  return answer;
}

/** Whether a colon and an empty list follow. */
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

/**
 * Whether the data of an event is the chunk that OpenAI-compatible providers add for those who ask for
 * the usage of a stream.
 */
export function isUsageChunk(data: string): boolean {
  const chunk = parseObject(data);
  if (chunk === undefined) return false;
  const { choices, usage } = chunk;
  return Array.isArray(choices) && choices.length === 0 && isObject(usage);
}
