import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { LocalAnswer } from '../provider.ts';
import { errorAnswer } from './answers.ts';

// It is answered on the event loop: what it takes must be small.
const MAX_BODY_BYTES = 256 * 1024;

/** The only model, for everything. */
export const MODEL = 'echo';

/** @returns the request, or the answer that refuses it */
export function readRequest<Schema extends TSchema>(
  schema: Validator<Record<never, never>, Schema>,
  body: Buffer,
): { request: Static<Schema> } | { refusal: LocalAnswer } {
  if (body.length > MAX_BODY_BYTES) {
    return { refusal: errorAnswer(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, null) };
  }
  let request: unknown;
  try {
    request = JSON.parse(body.toString());
  } catch {
    return { refusal: errorAnswer(400, 'the body is not JSON', null) };
  }
  if (!schema.Check(request)) {
    const [fault] = schema.Errors(request);
    const param = fault?.instancePath.slice(1).replaceAll('/', '.') ?? null;
    const message = `${param ?? 'the body'} ${fault?.message ?? 'is invalid'}`;
    return { refusal: errorAnswer(400, message, param) };
  }
  const { model } = request as { model?: unknown };
  if (model !== MODEL) {
    const message = `the model "${String(model)}" does not exist; local has "${MODEL}"`;
    return { refusal: errorAnswer(404, message, 'model') };
  }
  return { request };
}
