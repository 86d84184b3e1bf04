import type { IncomingHttpHeaders } from 'node:http';
import { buildPipeline } from '../response/build-pipeline.ts';
import type { Head, ResponseSink } from '../response/response-sink.ts';
import type { ResponseCache } from '../response/cache/response-cache.ts';
import type { CachePlan } from '../response/cache/plan-cache.ts';
import type { Exchange } from '../gateway-request.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { firstOf } from '../http-headers.ts';
import { errorBody } from '../response/error-body.ts';
import { addBudgetHeaders } from '../limits/budget-headers.ts';
import type { LogEntry } from '../logs/capture/log-entry.ts';
import type { ResponseHeaders } from '../response/client-response.ts';
import { addOwnHeaders, downstreamHeaders } from '../response/response-headers.ts';
import type { StepCharge } from './step-charge.ts';
import type { ProviderStep } from '../routing/plan-steps.ts';

/** One step of an exchange, with its dependencies. */
export interface StepContext {
  services: GatewayServices;
  exchange: Exchange;
  step: ProviderStep;
  entry: LogEntry;
  charge: StepCharge;
  index: number;
  /** No further step follows as a fallback. */
  isLast: boolean;
}

/**
 * Adds the headers of the gateway: provider, model, step, log entry and cache status.
 * @param headers headers of the response
 */
export function gatewayHeaders(
  { exchange, step, entry, charge, index }: StepContext,
  cacheStatus: 'HIT' | 'MISS' | undefined,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  const { route, options } = step;
  addOwnHeaders(headers, exchange.requestId);
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

/** Selects the cache: unauthenticated clients have a separate one. */
export function storeOf({ services, exchange }: StepContext): ResponseCache {
  return exchange.admission.caller === undefined ? services.openCache : services.cache;
}

/** Begins a response to the client, with copies for log and cache. */
export function begin(
  context: StepContext,
  cache: CachePlan | undefined,
  holdsHead: boolean,
  status: number,
  received: Readonly<IncomingHttpHeaders>,
): ResponseSink {
  const { services, exchange, step, entry, charge } = context;
  const contentType = firstOf(received['content-type']);
  charge.begin(contentType);
  entry.begin(status, services.clock.now());
  const cacheStatus = cache === undefined ? undefined : 'MISS';
  const headers = gatewayHeaders(context, cacheStatus, downstreamHeaders(received));
  // RFC 9110 section 8.6.
  if (status === 204) delete headers['content-length'];
  const record =
    cache === undefined
      ? undefined
      : (head: Head) => storeOf(context).record(cache.key, cache.ttlMs, head);
  return buildPipeline(
    exchange.client,
    step.route,
    { status, headers, contentType },
    {
      holdsHead,
      pingIntervalMs: services.streamPingIntervalMs,
      errorBody: (error) => errorBody(exchange.wanted, error),
      record,
      capture: entry.capture,
    },
  );
}
