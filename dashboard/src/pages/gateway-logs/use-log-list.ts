import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Log,
  PAGES_PER_PART,
  PAGE_LOGS,
  logCountQuery,
  logListQuery,
} from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import { type LogSearch, listKeyOf, orderOf, queryAt, startOf } from './log-search.ts';

/** How many logs there are. */
export interface LogCount {
  total: number;
  isEstimated: boolean;
}

/** What a page shows of a list of logs. */
export interface LogList {
  /** Undefined: nothing was read yet. */
  logs: readonly Log[] | undefined;
  count: LogCount | undefined;
  /** Whether the logs are those of the search before. */
  isOld: boolean;
  isReading: boolean;
  isReadingMore: boolean;
  /** Why the search could not be read. */
  error: Error | null;
  /** Why more of it could not be read. */
  moreError: Error | null;
  /** Reads all that is shown again. */
  refresh: () => void;
  /** What comes next: more below, or another part of the list; undefined: nothing. */
  next: 'more' | 'part' | undefined;
  more: () => void;
}

/** So many logs are on the page at once. */
export const MOST_SHOWN = PAGES_PER_PART * PAGE_LOGS;

/** The key of the list of a search, and what is asked for it. */
export function listOf(place: GatewayPlace, search: LogSearch) {
  return logListQuery(place, listKeyOf(search), (nowMs) => queryAt(search, nowMs), startOf(search));
}

/** The logs that a search asks for. Those before stay until they come, and when they cannot be had. */
export function useLogList(place: GatewayPlace, search: LogSearch): LogList {
  const list = useInfiniteQuery(listOf(place, search));
  const { data, error, isPlaceholderData } = list;
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const shown = data ?? last;
  const logs = shown?.pages.flatMap((page) => page.logs);
  const [first] = shown?.pages ?? [];
  const count = useCount(place, search, first);
  const isFull = (logs?.length ?? 0) >= MOST_SHOWN;
  return {
    logs,
    count,
    isOld: isPlaceholderData || (data === undefined && last !== undefined),
    isReading: list.isFetching && !list.isFetchingNextPage,
    isReadingMore: list.isFetchingNextPage,
    error: list.isFetchNextPageError ? null : error,
    moreError: list.isFetchNextPageError ? error : null,
    refresh: () => void list.refetch(),
    next: list.hasNextPage ? (isFull ? 'part' : 'more') : undefined,
    more: () => void list.fetchNextPage(),
  };
}

/** The first page tells how many there are; one in the middle how many come from there on. */
function useCount(
  place: GatewayPlace,
  search: LogSearch,
  first: LogCount | undefined,
): LogCount | undefined {
  const isInMiddle = search.after !== undefined && orderOf(search).by === 'created_at';
  const { after: _after, part: _part, ...whole } = search;
  const { data } = useQuery({
    ...logCountQuery(place, listKeyOf(whole), (nowMs) => queryAt(whole, nowMs)),
    enabled: isInMiddle,
  });
  return isInMiddle ? data : first;
}
