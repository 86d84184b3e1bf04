/** `1` or `0`: SQLite has no booleans, so neither has the schema. */
export type Flag = 0 | 1;

/** Milliseconds since the Unix epoch. */
export type TimeMs = number;
