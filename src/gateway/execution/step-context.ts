import type { IncomingHttpHeaders } from 'node:http';
import { buildPipeline } from '../response/pipeline.ts';
import type { Head, ResponseSink } from '../response/response-sink.ts';
import type { ResponseCache } from '../response/cache/response-cache.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import type { GatewayRequest, ProviderStep } from '../gateway-request.ts';
import type { GatewayRuntime } from './gateway-runtime.ts';
import { firstOf, type ResponseHeaders } from '../http-headers.ts';
import { errorBody } from '../response/error-body.ts';
import { addBudgetHeaders } from '../limits/budget-headers.ts';
import type { LogEntry } from '../capture/log-entry.ts';
import { addOwnHeaders, downstreamHeaders } from '../response/response-headers.ts';
import type { StepCharge } from './step-charge.ts';

/** One step of an request, with its dependencies. */
export interface StepContext {
  runtime: GatewayRuntime;
  request: GatewayRequest;
  step: ProviderStep;
  entry: LogEntry;
  charge: StepCharge;
  /** The response cache for this client. */
  cache: ResponseCache;
  index: number;
  /** No further step follows as a fallback. */
  isLast: boolean;
}

/**
 * Adds the headers of the gateway: provider, model, step, log entry and cache status.
 * @param headers headers of the response
 */
export function gatewayHeaders(
  { request, step, entry, charge, index }: StepContext,
  cacheStatus: 'HIT' | 'MISS' | undefined,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  const { route, options } = step;
  addOwnHeaders(headers, request.id);
  headers['cf-aig-provider'] = route.provider.name;
  headers['cf-aig-step'] = String(index);
  headers['cf-aig-event-id'] = options.eventId ?? entry.id;
  const model = printable(route.model);
  if (model !== '') headers['cf-aig-model'] = model;
  if (entry.isKept) headers['cf-aig-log-id'] = entry.id;
  if (cacheStatus !== undefined) headers['cf-aig-cache-status'] = cacheStatus;
  const { budget } = charge;
  return budget === undefined ? headers : addBudgetHeaders(headers, budget);
}

const UNPRINTABLE = /[^\x20-\x7e]/;

/** Removes characters that a header cannot contain. */
function printable(text: string): string {
  return UNPRINTABLE.test(text) ? text.replaceAll(/[^\x20-\x7e]/g, '') : text;
}

/** The provider's response to begin with. */
interface BegunResponse {
  status: number;
  headers: Readonly<IncomingHttpHeaders>;
  /** The response begins when its first byte arrives. */
  holdsHead: boolean;
}

/**
 * Begins the response to the client, with copies for log and cache.
 * @param plan undefined: the response is not cached
 */
export function begin(
  context: StepContext,
  plan: CachePlan | undefined,
  { status, headers: received, holdsHead }: BegunResponse,
): ResponseSink {
  const { runtime, request, step, entry, charge, cache } = context;
  const contentType = firstOf(received['content-type']);
  charge.begin(contentType);
  entry.begin(status, runtime.clock.now());
  const cacheStatus = plan === undefined ? undefined : 'MISS';
  const headers = gatewayHeaders(context, cacheStatus, downstreamHeaders(received));
  // RFC 9110 section 8.6.
  if (status === 204) delete headers['content-length'];
  return buildPipeline(
    request.client,
    step.route,
    { status, headers, contentType },
    {
      holdsHead,
      pingIntervalMs: runtime.streamPingIntervalMs,
      errorBody: (error) => errorBody(request.target, error),
      record: plan && ((head: Head) => cache.record(plan.key, plan.ttlMs, head)),
      capture: entry.capture,
    },
  );
}
