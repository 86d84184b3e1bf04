import { failureEnvelope, successEnvelope } from '../../../http/envelope.ts';
import { gatewayErrors } from '../../gateway-errors.ts';
import { errorTextOf } from '../provider-error.ts';
import type { JsonObject, Translation } from '../translation.ts';

/** An error of a provider in the envelope; the status of the answer stays the provider's. */
export function runError(status: number, text: string): JsonObject {
  const { code } = gatewayErrors.upstreamFailed;
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
