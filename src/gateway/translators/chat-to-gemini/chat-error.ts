import { objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { CONTEXT_OVERFLOW, errorTextOf, firstOf, isContextOverflow } from '../provider-error.ts';

/** An error of Google's as the OpenAI API tells errors. */
export function toChatError(status: number, text: string): JsonObject {
  const { error } = firstOf(text);
  const message = errorTextOf(status, text);
  const code = textIn(objectIn(error).status) ?? null;
  return {
    error: {
      message,
      type: errorType(status),
      param: null,
      code: isContextOverflow(status, error, message) ? CONTEXT_OVERFLOW : code,
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
