import type { LogRow } from '../record.ts';
import { metadataPairsOf } from '../writer/metadata-pairs.ts';
import type { Dimension } from '../analytics/analytics-query.ts';

/** The dimension in which everything has the same value. */
export const ALL: Dimension = 'all';

/** Prefix of the dimensions of metadata, before the key. */
export const METADATA_PREFIX = 'metadata.';

/** The value for rows without a value. */
export const MISSING = '';

/** The value for rows with values beyond the limit. */
export const OTHER = '*';

/** Returns true for dimensions that do not count rows without a value. */
export function isOfMetadata(dimension: Dimension): boolean {
  return dimension.startsWith(METADATA_PREFIX);
}

/** Returns a value in its stored form. */
export function valueInDimension(value: string | number | null): string {
  return value === null ? MISSING : `=${value}`;
}

/** Returns the dimensions and values of a row, without {@link ALL}. */
export function dimensionsOf(row: LogRow): [dimension: Dimension, value: string][] {
  const dimensions: [Dimension, string][] = [
    ['model', valueInDimension(row.model)],
    ['provider', valueInDimension(row.provider)],
    ['token', valueInDimension(row.token_id)],
    ['user', valueInDimension(row.user_id)],
    ['oauth_client', valueInDimension(row.oauth_client_id)],
    ['status', valueInDimension(row.status_code)],
  ];
  if (row.metadata === null) return dimensions;
  // Two keys may be the same after truncation, and count once.
  for (const [key, value] of new Map(metadataPairsOf(row.metadata))) {
    dimensions.push([METADATA_PREFIX + key, valueInDimension(value)]);
  }
  return dimensions;
}
