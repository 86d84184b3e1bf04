import { type AdmittedCaller, countsApart } from './admitted-caller.ts';
import { LogEntry } from './capture/log-entry.ts';
import { DetachedResponse } from './execution/detached-response.ts';
import { endFailedStep, runStep } from './execution/run-step.ts';
import { StepCharge } from './execution/step-charge.ts';
import type { StepContext } from './execution/step-context.ts';
import { GatewayError, asGatewayError } from './gateway-error.ts';
import type { GatewayRequest, ProviderStep } from './gateway-request.ts';
import type { GatewayRuntime } from './execution/gateway-runtime.ts';
import type { GatewayLimits } from './limits/gateway-limits.ts';
import { rateLimitError } from './limits/limit-errors.ts';
import { sendError } from './response/error-body.ts';
import { planSteps } from './routing/plan-steps.ts';

/**
 * Handles one admitted request (see `ingress/admit.ts`) with its body: takes the rate limit, plans the steps and runs
 * them. Waits for the database only to lease more quota. Never rejects: an error becomes the response.
 */
export async function handleRequest(
  runtime: GatewayRuntime,
  request: GatewayRequest,
): Promise<void> {
  try {
    // Before the body is parsed, so that a request that is rejected for its body counts too.
    if (request.isCounted !== true && request.gateway.rateLimit !== null) {
      await countRequest(runtime.charging.limits, request);
    }
    await runSteps(runtime, request, await planSteps(runtime, request));
  } catch (error) {
    if (!(error instanceof GatewayError)) request.log.error({ err: error }, 'the gateway failed');
    sendError(request, asGatewayError(error));
  }
}

/**
 * Counts a request against the rate limit of its gateway.
 * @throws GatewayError 2003 if the limit is reached
 */
export async function countRequest(limits: GatewayLimits, admitted: AdmittedCaller): Promise<void> {
  const { isTaken, resetMs } = await limits.takeRequest(admitted.gateway, countsApart(admitted));
  if (!isTaken) throw rateLimitError(resetMs);
}

/** Runs the steps until one of them serves the request: each is the fallback of the one before. */
async function runSteps(
  runtime: GatewayRuntime,
  request: GatewayRequest,
  steps: readonly ProviderStep[],
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    // The client has disconnected: a call would cost tokens for no response.
    if (request.client.isClosed) return;
    const isLast = index === steps.length - 1;
    const context = openStep(runtime, request, step, { index, isLast });
    try {
      return await runStep(context);
    } catch (error) {
      const isFinal = isLast || !(error instanceof GatewayError && error.isRetryable);
      endFailedStep(context, error, isFinal);
      if (isFinal) throw error;
    } finally {
      context.charge.close();
    }
  }
}

function openStep(
  runtime: GatewayRuntime,
  request: GatewayRequest,
  step: ProviderStep,
  { index, isLast }: Pick<StepContext, 'index' | 'isLast'>,
): StepContext {
  const entry = new LogEntry(runtime, request, step, index);
  const charge = new StepCharge(runtime.charging, request, step);
  const cache = request.caller === undefined ? runtime.openCache : runtime.cache;
  const served = charge.isLasting
    ? { ...request, client: new DetachedResponse(request.client) }
    : request;
  return { runtime, request: served, step, entry, charge, cache, index, isLast };
}
