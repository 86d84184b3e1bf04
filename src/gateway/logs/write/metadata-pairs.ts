/** What keys and values are cut to. */
export const MAX_CHARACTERS = 200;

/** An entry of a row's metadata, as rows are found by it. */
export type MetadataPair = readonly [key: string, value: string];

/**
 * The entries of a row's metadata. Both sides are cut, as {@link metadataText} does.
 * @param metadata JSON: a flat object
 */
export function metadataPairsOf(metadata: string): MetadataPair[] {
  return Object.entries(JSON.parse(metadata) as object).map(([key, value]: [string, unknown]) => [
    metadataText(key),
    metadataText(value),
  ]);
}

/** A key or a value of metadata as it is kept to be found: a text as it is, anything else as JSON. */
export function metadataText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_CHARACTERS) return text;
  // By whole characters, as the databases count them.
  return Array.from(text).slice(0, MAX_CHARACTERS).join('');
}
