const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Of an authorization code, at most (RFC 6749 section 4.1.2 allows ten minutes). */
export const CODE_MS = MINUTE_MS;

export const ACCESS_TOKEN_MS = 60 * MINUTE_MS;

/** Of an ID token; clients read it once, at the sign-in. */
export const ID_TOKEN_MS = 60 * MINUTE_MS;

/** A refresh token that is not used for so long has ended. */
export const IDLE_REFRESH_MS = 30 * DAY_MS;

/** However often it is refreshed, an authorization ends then. */
export const FAMILY_MS = 365 * DAY_MS;

/** For so long a client that did not receive an answer may ask again with the same refresh token. */
export const REFRESH_GRACE_MS = 30_000;

/**
 * That a refresh token was used is known for so long, so that its reuse is recognised; unless very many
 * of the same authorization were used since, see tokens/end-oldest-tokens.ts.
 */
export const REUSE_KNOWN_MS = 30 * DAY_MS;

/** A request that a client has pushed waits for so long for the browser (RFC 9126 section 2.2). */
export const PUSHED_REQUEST_MS = 90_000;

/** Time for a person to sign in and decide. */
export const AUTHORIZATION_MS = 60 * MINUTE_MS;
