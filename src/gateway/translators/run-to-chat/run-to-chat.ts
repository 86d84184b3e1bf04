import { failureEnvelope, successEnvelope } from '../../../http/envelope.ts';
import { gatewayErrors } from '../../gateway-errors.ts';
import { errorTextOf } from '../provider-error.ts';
import type { Translation } from '../translation.ts';
import type { JsonObject } from '../../json/json-fields.ts';

/** Returns an error of a provider in the envelope. The status of the response stays the provider's. */
export function runError(status: number, text: string): JsonObject {
  // The provider rejected the credentials of the call.
  const isUnauthorized = status === gatewayErrors.unauthorized.status;
  const { code } = isUnauthorized ? gatewayErrors.unauthorized : gatewayErrors.upstreamFailed;
  return failureEnvelope([{ code, message: errorTextOf(status, text) }]);
}

/** A model is run in the words of one of the operations; its answer comes in the envelope. */
const inEnvelope: Translation = {
  request: ({ body, model }) => ({ ...body, model }),
  answer: (answer) => successEnvelope(answer),
  error: runError,
  // Streams of models have no envelope.
  stream: () => ({ event: (event) => [event], end: () => [] }),
};

/** `messages` for a model: a chat completion. */
export const runChat = inEnvelope;

/** `input` for a model: a response. */
export const runResponse = inEnvelope;
