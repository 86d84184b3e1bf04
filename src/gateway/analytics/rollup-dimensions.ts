import type { LogRow } from '../logs/log-row.ts';
import { metadataPairsOf } from '../logs/write/metadata-pairs.ts';
import type { Dimension } from './analytics-query.ts';

/** The dimension in which everything has the same value. */
export const ALL: Dimension = 'all';

/** The dimensions of an entry of the metadata begin with it; the key follows. */
export const METADATA_PREFIX = 'metadata.';

/** Of rows that have no value. */
export const MISSING = '';

/** Of rows with values beyond those that are kept apart. */
export const OTHER = '*';

/** Whether it is one of which rows without a value are not counted. */
export function isOfMetadata(dimension: Dimension): boolean {
  return dimension.startsWith(METADATA_PREFIX);
}

/** A value in the form in which a dimension holds it. */
export function valueInDimension(value: string | number | null): string {
  return value === null ? MISSING : `=${value}`;
}

/** What a row counts under, without {@link ALL}. */
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
  // Of two keys that begin alike, a row counts under one.
  for (const [key, value] of new Map(metadataPairsOf(row.metadata))) {
    dimensions.push([METADATA_PREFIX + key, valueInDimension(value)]);
  }
  return dimensions;
}
