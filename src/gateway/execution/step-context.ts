import type { LogEntry } from '../capture/log-entry.ts';
import type { GatewayRequest, ProviderStep } from '../gateway-request.ts';
import type { ResponseCache } from '../response/cache/response-cache.ts';
import type { GatewayRuntime } from './gateway-runtime.ts';
import type { StepCharge } from './step-charge.ts';

/** One step of a request, with its dependencies. */
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
