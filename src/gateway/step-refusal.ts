import type { ErrorDefinition } from '../http/errors.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { ResponseHeaders } from './outlet.ts';

/** Why a step is not taken. */
export interface StepRefusal {
  definition: ErrorDefinition;
  headers?: ResponseHeaders;
}

/** A limit is reached, and room again in that many milliseconds. */
export function limitReached(
  resetMs: number,
  definition: ErrorDefinition = gatewayErrors.tooManyRequests,
): StepRefusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
  return { definition, headers: { 'retry-after': String(seconds) } };
}
