/** Maximum length of keys and values. */
export const MAX_CHARACTERS = 200;

/** An entry of the metadata index. */
export type MetadataPair = readonly [key: string, value: string];

/**
 * Returns the index entries of metadata, truncated by {@link metadataText}.
 * @param metadata JSON: a flat object
 */
export function metadataPairsOf(metadata: string): MetadataPair[] {
  return Object.entries(JSON.parse(metadata) as object).map(([key, value]: [string, unknown]) => [
    metadataText(key),
    metadataText(value),
  ]);
}

/** Returns a key or a value for the metadata index: a text unchanged, anything else as JSON. */
export function metadataText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_CHARACTERS) return text;
  // By characters, like the databases count.
  return Array.from(text).slice(0, MAX_CHARACTERS).join('');
}
