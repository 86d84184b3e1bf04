import type { SchemaCheck } from '../../../http/schema-check.ts';
import { TooManyValuesError, parseRequestJson } from '../../json/exact-json.ts';
import type { LocalAnswer } from '../provider.ts';
import { errorAnswer } from './answers.ts';

// It is answered on the event loop: what it takes must be small.
const MAX_BODY_BYTES = 256 * 1024;

/** The only model, for everything. */
export const MODEL = 'echo';

/** @returns the request, or the answer that refuses it */
export function readRequest<Request extends { model: string }>(
  check: SchemaCheck<Request>,
  body: Buffer,
): { request: Request } | { refusal: LocalAnswer } {
  if (body.length > MAX_BODY_BYTES) {
    return { refusal: errorAnswer(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, null) };
  }
  let request: unknown;
  try {
    request = parseRequestJson(body.toString());
  } catch (error) {
    const reason =
      error instanceof TooManyValuesError ? error.message : 'the body is not valid JSON';
    return { refusal: errorAnswer(400, reason, null) };
  }
  if (!check.matches(request)) {
    const { pointer, reason } = check.faultOf(request);
    const param = pointer === '' ? null : pointer.slice(1).replaceAll('/', '.');
    const message = `${param ?? 'the body'} ${reason}`;
    return { refusal: errorAnswer(400, message, param) };
  }
  const { model } = request;
  if (model !== MODEL) {
    const message = `the model "${model}" does not exist; local has "${MODEL}"`;
    return { refusal: errorAnswer(404, message, 'model') };
  }
  return { request };
}
