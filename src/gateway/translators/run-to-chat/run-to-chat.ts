import { failureEnvelope, successEnvelope } from '../../../http/envelope.ts';
import { gatewayErrors } from '../../gateway-errors.ts';
import { errorTextOf } from '../provider-error.ts';
import type { Translator } from '../translator.ts';
import type { JsonObject } from '../../json/json-fields.ts';

/** Returns an error of a provider in the envelope. The status of the response stays the provider's. */
export function runError(status: number, text: string): JsonObject {
  // The provider rejected the credentials of the call.
  const isUnauthorized = status === gatewayErrors.unauthorized.status;
  const { code } = isUnauthorized ? gatewayErrors.unauthorized : gatewayErrors.upstreamFailed;
  return failureEnvelope([{ code, message: errorTextOf(status, text) }]);
}

/** Runs a model with the members of an operation. The response is in the envelope of the REST API. */
const inEnvelope: Translator = {
  request: ({ body, model }) => ({ ...body, model }),
  response: (response) => successEnvelope(response),
  error: runError,
  // Streams of models have no envelope.
  stream: () => ({ event: (event) => [event], end: () => [] }),
};

/** `messages` for a model: a chat completion. */
export const runChat = inEnvelope;

/** `input` for a model: a response. */
export const runResponse = inEnvelope;
