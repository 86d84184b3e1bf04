import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeySummary, tagSummaryQuery } from '../../../api/tags.ts';
import { useSettled } from '../../../lib/use-settled.ts';

interface KeySummaryList {
  /** The first of them, as many as are to be shown. */
  keys: readonly KeySummary[];
  /** What is looked for among them. */
  typed: string;
  setTyped: (text: string) => void;
  hasMore: boolean;
  showMore: () => void;
  isLoadingMore: boolean;
  isReady: boolean;
  /** Why there are none; undefined when there are. */
  error: unknown;
  retry: () => void;
}

/**
 * The keys in use of an account, or of some types, a few at first. Those that most resources have come first,
 * unless there are so many keys that only some of them are known.
 */
export function useKeySummary(
  accountId: string,
  types: readonly string[],
  few: number,
): KeySummaryList {
  const [typed, setTyped] = useState('');
  const [most, setMost] = useState(few);
  const prefix = useSettled(typed);
  const summary = useInfiniteQuery(tagSummaryQuery(accountId, types, prefix));
  const { data, error, hasNextPage, isFetchingNextPage } = summary;
  const all = data?.pages.flatMap(({ result }) => result) ?? [];
  const isWhole = data?.pages.length === 1 && !hasNextPage;
  const ordered = isWhole ? all.toSorted((a, b) => b.count - a.count) : all;
  return {
    keys: ordered.slice(0, most),
    typed,
    setTyped(text) {
      setTyped(text);
      setMost(few);
    },
    hasMore: all.length > most || hasNextPage,
    showMore() {
      const wanted = most * 2;
      setMost(wanted);
      if (wanted > all.length && hasNextPage) void summary.fetchNextPage();
    },
    isLoadingMore: isFetchingNextPage,
    isReady: data !== undefined,
    error: summary.isLoadingError ? error : undefined,
    retry: () => void summary.refetch(),
  };
}
