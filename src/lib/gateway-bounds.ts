// Limits of the settings of gateways and of the options of requests.

/** 30 days. */
export const MAX_CACHE_TTL_SECONDS = 2_592_000;
/** 30 days: counters are stored for the length of their window. */
export const MAX_WINDOW_SECONDS = 2_592_000;
export const MAX_REQUESTS_PER_WINDOW = 1_000_000_000;
/** Log rows of one gateway. */
export const MAX_LOG_ROWS = 1_000_000_000;
/** Calls of one provider for one request. */
export const MAX_ATTEMPTS = 5;
/** The delay between two attempts. Clients are better at longer delays. */
export const MAX_RETRY_DELAY_MS = 5_000;
/** Longest metadata of a request, in characters. */
export const MAX_METADATA_LENGTH = 8 * 1024;
export const MAX_METADATA_ENTRIES = 5;
