import { redactBody } from '../redaction/redact.ts';
import type { BatchPayload } from '../threads/log-batch.ts';

/** Limit of both bodies of a row together. */
const MAX_BODIES_BYTES = 10 * 1024 * 1024;

/** The bodies to store. */
export interface StoredBodies {
  request: Uint8Array;
  response: Uint8Array;
  isRequestWhole: boolean;
  isResponseWhole: boolean;
}

/** Redacts and truncates the bodies of a row. */
export function storedBodies(payload: BatchPayload): StoredBodies {
  const request = redactBody(payload.request, payload.secrets);
  const response = redactBody(payload.response, payload.secrets);
  // Each body gets half of the limit, and the rest of the other half.
  const half = MAX_BODIES_BYTES / 2;
  const requestBytes = Math.min(request.length, MAX_BODIES_BYTES - Math.min(response.length, half));
  const responseBytes = Math.min(response.length, MAX_BODIES_BYTES - requestBytes);
  return {
    request: request.subarray(0, requestBytes),
    response: response.subarray(0, responseBytes),
    isRequestWhole:
      payload.request.length >= payload.requestSize && requestBytes === request.length,
    isResponseWhole:
      payload.response.length >= payload.responseSize && responseBytes === response.length,
  };
}
