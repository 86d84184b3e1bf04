import { objectIn, textIn, type JsonObject } from '../json/json-fields.ts';

/** The part of a response that is not JSON in the error for the client. */
const MAX_CHARACTERS = 1_000;

/** The error for a stream that ends in the middle of a response. */
export const CUT_SHORT = 'The provider ended the stream before the response was complete.';

/** Error types of the Messages API by status. */
const TYPES = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

/** Returns the error type of the Messages API for a status. */
export function errorTypeOf(status: number): string {
  return TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/** Returns the text of a response with an error status, in any format. */
export function errorTextOf(status: number, answer: string): string {
  const text = messageIn(firstOf(answer)) ?? answer.trim().slice(0, MAX_CHARACTERS);
  return text === '' ? `The provider responded with status ${status}.` : text;
}

/** The code by which clients of the OpenAI API recognize that a conversation is too long. */
export const CONTEXT_OVERFLOW = 'context_length_exceeded';

/** The message by which clients of the Messages API recognize it. */
const OVERFLOW_WORDS = 'prompt is too long';

/** Messages of providers and servers without a code for it. */
const OVERFLOW =
  /prompt is too long|maximum context length|context (?:length|window|size)|exceeds the (?:maximum number of tokens|model's maximum)|input (?:is )?too long|too many (?:input )?tokens/i;

const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/**
 * Returns true for a conversation that is longer than the model allows. Clients shorten it when they recognize the error.
 * @param error the member `error` of a response or an event
 */
export function isContextOverflow(status: number, error: unknown, message: string): boolean {
  const { code, type } = objectIn(error);
  if (code === CONTEXT_OVERFLOW || type === CONTEXT_OVERFLOW) return true;
  return OVERFLOW_STATUSES.has(status) && OVERFLOW.test(message);
}

/** Returns the message of a context overflow that clients of the Messages API recognize. */
export function overflowMessage(message: string): string {
  return message.toLowerCase().includes(OVERFLOW_WORDS) ? message : `${OVERFLOW_WORDS}: ${message}`;
}

/** Returns the message of an error in one of the formats of providers. */
export function messageIn({ error, message, detail }: JsonObject): string | undefined {
  return textIn(error) ?? textIn(objectIn(error).message) ?? textIn(message) ?? textIn(detail);
}

/**
 * Returns the object in the JSON of an error, which some endpoints of Google put in a list; otherwise an empty
 * object.
 */
export function firstOf(text: string): JsonObject {
  try {
    const [first]: unknown[] = [JSON.parse(text)].flat();
    return objectIn(first);
  } catch {
    return {};
  }
}
