const KEY_BYTES = 16;

/** A key that nobody else has. `crypto.randomUUID` is missing on pages that came over plain http. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
