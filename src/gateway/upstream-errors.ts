import type { Metrics } from '../http/metrics.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { UpstreamProvider } from './providers/provider.ts';
import type { Outcome } from './upstream-call.ts';

type Reason = '429' | '4xx' | '5xx' | 'timeout' | 'failed';

/** Counts the calls of providers that did not go well, for the operator's metrics. */
export interface UpstreamErrors {
  /** A provider's answer begins. */
  noteStatus(provider: UpstreamProvider, status: number): void;
  /** The call is over. */
  noteOutcome(provider: UpstreamProvider, outcome: Outcome): void;
}

/** Registers the counter. Providers that accounts have named share a label: there may be any number. */
export function createUpstreamErrors(metrics: Metrics): UpstreamErrors {
  const counter = metrics.counter(
    'latchkey_gateway_upstream_errors_total',
    'Calls to model providers that were rejected, incomplete or too slow',
    ['provider', 'reason'],
  );
  const count = ({ isTrusted, name }: UpstreamProvider, reason: Reason): void => {
    counter.inc({ provider: isTrusted ? name : 'custom', reason });
  };
  return {
    noteStatus(provider, status) {
      if (status >= 400) count(provider, reasonOf(status));
    },
    noteOutcome(provider, outcome) {
      // What was rejected had a status.
      const failure = 'failure' in outcome ? outcome.failure : undefined;
      if (failure === undefined) return;
      count(provider, failure === gatewayErrors.upstreamTimedOut ? 'timeout' : 'failed');
    },
  };
}

function reasonOf(status: number): Reason {
  if (status === 429) return '429';
  return status >= 500 ? '5xx' : '4xx';
}
