import type { JsonObject } from '../../translation/translation.ts';
import { isObject, objectIn, textIn } from '../../translation/json-fields.ts';

// What is no JSON comes from something before the provider, and its beginning says enough.
const MAX_MESSAGE_LENGTH = 1_000;

/** An error of Google's as the OpenAI API tells errors. */
export function toChatError(status: number, text: string): JsonObject {
  const error = googleError(text);
  const message = textIn(error?.message) ?? text.trim().slice(0, MAX_MESSAGE_LENGTH);
  return {
    error: {
      message: message === '' ? `the provider answered ${status}` : message,
      type: errorType(status),
      param: null,
      code: textIn(error?.status) ?? null,
    },
  };
}

/** `{"error":{…}}`, which some of Google's endpoints put in a list. */
function googleError(text: string): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const [first]: unknown[] = Array.isArray(answer) ? answer : [answer];
    const { error } = objectIn(first);
    return isObject(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

function errorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
}
