import type { ErrorDefinition } from '../../http/errors.ts';
import type { Metrics } from '../../http/metrics.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { UpstreamProvider } from '../providers/provider.ts';

type Reason = '429' | '4xx' | '5xx' | 'timeout' | 'failed';

/** Counts failed calls of providers, for the metrics. */
export interface UpstreamErrors {
  /** Counts a response with an error status; ignores other statuses. */
  countStatus(provider: UpstreamProvider, status: number): void;
  /** Counts a call without a complete response. */
  countFailure(provider: UpstreamProvider, failure: ErrorDefinition): void;
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
    countStatus(provider, status) {
      if (status >= 400) count(provider, reasonOf(status));
    },
    countFailure(provider, { code }) {
      count(provider, code === gatewayErrors.upstreamTimedOut.code ? 'timeout' : 'failed');
    },
  };
}

function reasonOf(status: number): Reason {
  if (status === 429) return '429';
  return status >= 500 ? '5xx' : '4xx';
}
