import { ApiError, type ErrorDefinition, httpErrors } from '../http/errors.ts';
import { ExpectedError } from '../lib/expected-error.ts';
import type { ResponseHeaders } from './http-headers.ts';

export interface GatewayErrorOptions {
  /** Replaces the message of the definition. */
  message?: string;
  /** Response headers, in lower case. */
  headers?: ResponseHeaders;
  /** Further members of the error in the format of the Anthropic API. */
  details?: Readonly<Record<string, unknown>> | undefined;
  /** The next step of the request may succeed. Default: false. */
  isRetryable?: boolean;
  /** For the log of the server only. */
  cause?: unknown;
}

/** Options of an error after which the next step may succeed, because it may have another provider. */
export const RETRYABLE: GatewayErrorOptions = { isRetryable: true };

/**
 * An error that the gateway reports to the client. `handle-request.ts` and the error handlers of the endpoints turn it
 * into a response.
 */
export class GatewayError extends ExpectedError implements ErrorDefinition {
  readonly status: number;
  readonly code: number;
  /** Response headers, in lower case. */
  readonly headers: ResponseHeaders;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly isRetryable: boolean;

  /** @param definition from the tables of `gateway-errors.ts` and `http/errors.ts` */
  constructor(definition: ErrorDefinition, options: GatewayErrorOptions = {}) {
    super(options.message ?? definition.message, { cause: options.cause });
    this.status = definition.status;
    this.code = definition.code;
    this.headers = options.headers ?? {};
    this.details = options.details;
    this.isRetryable = options.isRetryable ?? false;
  }
}

/**
 * Returns the error that the client receives for any error that was thrown. Errors without a status for the client become
 * 500, and their texts stay on the server.
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof ApiError) {
    const { status, headers } = error;
    const [{ code, message } = httpErrors.internal] = error.entries;
    return new GatewayError({ status, code, message }, { headers, cause: error });
  }
  const isOfClient = isFastifyError(error) && error.statusCode < 500;
  const definition = isOfClient ? httpErrors.malformedRequest : httpErrors.internal;
  return new GatewayError(definition, { cause: error });
}

function isFastifyError(error: unknown): error is { statusCode: number } {
  return typeof (error as { statusCode?: unknown } | undefined)?.statusCode === 'number';
}
