import { objectIn, textIn } from '../../translation/json-fields.ts';
import { errorTextOf, firstOf } from '../../translation/provider-error.ts';
import type { JsonObject } from '../../translation/translation.ts';

/** An error of Google's as the OpenAI API tells errors. */
export function toChatError(status: number, text: string): JsonObject {
  const { status: code } = objectIn(firstOf(text).error);
  return {
    error: {
      message: errorTextOf(status, text),
      type: errorType(status),
      param: null,
      code: textIn(code) ?? null,
    },
  };
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
