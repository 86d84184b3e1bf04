import { objectIn, parseObject, textIn, type JsonObject } from '../../json/json-fields.ts';
import { CONTEXT_OVERFLOW, errorTextOf, isContextOverflow } from '../provider-error.ts';

/** Codes of failed responses by the error types of the Messages API. */
const CODES = new Map([
  ['invalid_request_error', 'invalid_prompt'],
  ['overloaded_error', 'server_is_overloaded'],
  ['rate_limit_error', 'rate_limit_exceeded'],
]);
const STREAM_STATUS = 400;

/**
 * Returns the `error` of a failed response.
 * @param error of the Messages API
 */
export function responseErrorOf(error: JsonObject): JsonObject {
  const message = textIn(error.message) ?? 'The provider failed.';
  const code = isContextOverflow(STREAM_STATUS, error, message)
    ? CONTEXT_OVERFLOW
    : (CODES.get(textIn(error.type) ?? '') ?? 'server_error');
  return { code, message };
}

/**
 * Returns an error response of the OpenAI API.
 * @param text an error of the Messages API
 */
export function responsesError(status: number, text: string): JsonObject {
  const error = objectIn(parseObject(text)?.error);
  const message = errorTextOf(status, text);
  return {
    error: {
      message,
      type: textIn(error.type) ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: null,
      code: isContextOverflow(status, error, message) ? CONTEXT_OVERFLOW : null,
    },
  };
}
