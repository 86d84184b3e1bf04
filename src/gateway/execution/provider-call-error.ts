import type { ErrorDefinition } from '../../http/errors.ts';
import { GatewayError } from '../gateway-error.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';

interface FailedCall {
  /** The provider may have received the request. */
  isSent: boolean;
  /** The provider responded with an error. Default: false. */
  isRejection?: boolean;
  /** Default: unknown. */
  usage?: Usage;
  /** The wait that the provider asks for. */
  retryAfterMs?: number | undefined;
  /** The provider states if a retry makes sense. */
  shouldRetry?: boolean | undefined;
}

/**
 * A provider did not respond, or responded with an error. The client has received nothing: the gateway can repeat the call,
 * or call another provider.
 */
export class ProviderCallError extends GatewayError {
  readonly isSent: boolean;
  readonly isRejection: boolean;
  readonly usage: Usage;
  readonly retryAfterMs: number | undefined;
  readonly shouldRetry: boolean | undefined;

  constructor(definition: ErrorDefinition, call: FailedCall) {
    super(definition, { isRetryable: true });
    this.isSent = call.isSent;
    this.isRejection = call.isRejection ?? false;
    this.usage = call.usage ?? UNKNOWN_USAGE;
    this.retryAfterMs = call.retryAfterMs;
    this.shouldRetry = call.shouldRetry;
  }

  /** The provider may have received the request and processed it. It bills nothing for a rejection. */
  get mayBeBilled(): boolean {
    return this.isSent && !this.isRejection;
  }
}
