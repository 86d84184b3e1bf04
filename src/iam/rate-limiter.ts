import { type ApiError, apiError, httpErrors } from '../http/errors.ts';
import type { Quotas } from '../storage/quotas.ts';

/** Where a credential stands after one more request. */
export interface RateState {
  /** Requests that a window allows. */
  limit: number;
  /** Requests left in this window, as far as this node knows. */
  remaining: number;
  /** Until the window ends; at least 1. */
  resetSeconds: number;
  /** The request came too much and must be refused. */
  isExceeded: boolean;
}

const WINDOW_SECONDS = 300;

/** The limit of API requests per credential, over all nodes; see storage/quotas.ts for how it holds. */
export class RateLimiter {
  readonly #quotas: Quotas;
  readonly #limit: number;

  /** @param limit requests in each five minutes, at least 1 */
  constructor(quotas: Quotas, limit: number) {
    this.#quotas = quotas;
    this.#limit = limit;
  }

  /**
   * Counts one request. Never fails.
   * @param credentialKey names the credential; it is stored, so it must not be a secret
   */
  async take(credentialKey: string): Promise<RateState> {
    const quota = { limit: this.#limit, windowMs: WINDOW_SECONDS * 1_000 };
    const { isTaken, remaining, resetMs } = await this.#quotas.take(`api:${credentialKey}`, quota);
    const resetSeconds = Math.max(1, Math.ceil(resetMs / 1_000));
    return { limit: this.#limit, remaining, resetSeconds, isExceeded: !isTaken };
  }
}

/** The headers of every response to a limited credential (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateHeaders({ limit, remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
  };
}

/** The refusal of a request that came too much; it says when the next window begins. */
export function rateLimited(state: RateState): ApiError {
  return apiError(httpErrors.rateLimited, {
    headers: { ...rateHeaders(state), 'retry-after': String(state.resetSeconds) },
  });
}
