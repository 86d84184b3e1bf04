import { useQuery } from '@tanstack/react-query';
import { analyticsQuery } from '../../api/analytics.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import type { Log } from '../../api/gateway-logs.ts';
import { serverNow } from '../../lib/server-time.ts';
import type { FilterField } from '../../lib/log-fields.ts';

/** Where values to filter by are taken from. */
export interface SuggestionSource {
  gateway: GatewayPlace;
  /** Keys of the metadata that the logs on the page have. */
  metadataKeys: readonly string[];
}

/** A value that there was lately. */
export interface Suggestion {
  value: string;
  /** How many requests had it. */
  requests: number;
}

const LOOK_BACK_MS = 7 * 86_400_000;
const MOST_VALUES = 100;
/** Names of metadata that analytics take as they are. */
const PLAIN_KEY = /^[\w.-]{1,100}$/;

/** The values of a field in the requests of the last 7 days, the most frequent first. */
export function useSuggestions(
  { gateway }: SuggestionSource,
  { name, facet }: FilterField,
  metadataKey: string,
): readonly Suggestion[] {
  const isMetadata = name === 'metadata' && PLAIN_KEY.test(metadataKey);
  const groupBy = isMetadata ? `metadata.${metadataKey}` : facet;
  const { data, isPlaceholderData } = useQuery({
    ...analyticsQuery(gateway, `values of ${groupBy}`, () => ({
      since: new Date(serverNow() - LOOK_BACK_MS).toISOString(),
      group_by: groupBy ?? 'none',
      interval: 'day',
      limit: MOST_VALUES,
    })),
    enabled: groupBy !== undefined,
    // A help for typing, which is not worth a second try.
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (groupBy === undefined || data === undefined || isPlaceholderData) return [];
  return data.groups.flatMap(({ value, is_other: isOther, totals }) =>
    value === null || isOther ? [] : [{ value, requests: totals.requests }],
  );
}

/** The keys of the metadata of logs, each once. */
export function metadataKeysOf(logs: readonly Log[]): string[] {
  return [...new Set(logs.flatMap(({ metadata }) => keysOf(metadata)))].toSorted();
}

function keysOf(metadata: string | undefined): string[] {
  if (metadata === undefined) return [];
  try {
    const value: unknown = JSON.parse(metadata);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
