// What gateways may be set to, and requests may ask for.

/** 30 days. */
export const MAX_CACHE_TTL_SECONDS = 2_592_000;
/** The same for what is counted, which is kept for as long as its window lasts. */
export const MAX_WINDOW_SECONDS = 2_592_000;
export const MAX_REQUESTS_PER_WINDOW = 1_000_000_000;
/** Log rows of one gateway. */
export const MAX_LOG_ROWS = 1_000_000_000;
/** Calls of one provider for one request. */
export const MAX_ATTEMPTS = 5;
/** Between two of them; a longer wait is better left to the client. */
export const MAX_RETRY_DELAY_MS = 5_000;
