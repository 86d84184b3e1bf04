// What gateways may be set to, and requests may ask for.

/** 30 days. */
export const MAX_CACHE_TTL_SECONDS = 2_592_000;
/** Calls of one provider for one request. */
export const MAX_ATTEMPTS = 5;
/** Between two of them; a longer wait is better left to the client. */
export const MAX_RETRY_DELAY_MS = 5_000;
