/** However much it is used, a session ends then. */
export const SESSION_MS = 30 * 86_400_000;

/** A session that is not used for so long has ended. */
export const IDLE_SESSION_MS = 7 * 86_400_000;

/** Time to show the second factor after the first. */
export const INCOMPLETE_SESSION_MS = 10 * 60_000;
