import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Log, type LogPage, PAGE_LOGS, readLogPage } from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import { isFinal } from '../../api/failure.ts';
import { serverNow } from '../../lib/server-time.ts';
import { type LogSearch, listKeyOf, queryAt } from './log-search.ts';
import { MOST_SHOWN, listOf } from './use-log-list.ts';

const EVERY_MS = 2_000;
/** A server that does not answer is left alone for a while, longer each time. */
const LONGEST_MS = 30_000;
/** As many as the API gives at once. */
const POLLED_LOGS = 100;

/** What comes by itself. */
export interface Tail {
  /** New logs that are not shown, while somebody reads further down. */
  waiting: number;
  /** More of them may have come than were looked at. */
  isMore: boolean;
  /** Shows them. */
  show: () => void;
  /** Ids of those that were put on top last. */
  fresh: ReadonlySet<string>;
  error: unknown;
}

type ShownPage = LogPage & { nowMs: number };
type Shown = InfiniteData<ShownPage>;

/** What was found of a list, and not shown yet. */
interface Held {
  key: string;
  page: LogPage;
  count: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Looks every other second for newer logs, as long as the page can be seen, and puts them on top of a list of
 * which the newest come first.
 * @param isHeld whether the list must not move now
 */
export function useTail(
  place: GatewayPlace,
  search: LogSearch,
  isOn: boolean,
  isHeld: () => boolean,
): Tail {
  const client = useQueryClient();
  const key = listKeyOf(search);
  const { queryKey } = listOf(place, search);
  const [held, setHeld] = useState<Held>();
  const [fresh, setFresh] = useState(NONE);
  const [error, setError] = useState<unknown>();

  const put = (page: LogPage): void => {
    setHeld(undefined);
    const before = client.getQueryData<Shown>(queryKey);
    if (before === undefined) return;
    const merged = merge(before, page);
    client.setQueryData<Shown>(queryKey, withLogs(before, merged, page));
    if (merged.news.length > 0) setFresh(new Set(merged.news.map(({ id }) => id)));
  };
  const look = async (signal: AbortSignal): Promise<Look> => {
    const isRead = client.getQueryData<Shown>(queryKey) !== undefined;
    // While the list itself is being read there is nothing to put them on.
    if (!isRead || client.isFetching({ queryKey }) > 0) return 'done';
    try {
      const page = await readLogPage(
        place,
        queryAt(search, serverNow()),
        undefined,
        POLLED_LOGS,
        signal,
      );
      setError(undefined);
      const before = client.getQueryData<Shown>(queryKey);
      const count = before === undefined ? 0 : merge(before, page).news.length;
      if (count > 0 && isHeld()) setHeld({ key, page, count });
      else put(page);
      return 'done';
    } catch (failure) {
      if (!signal.aborted) setError(failure);
      return isFinal(failure) ? 'refused' : 'failed';
    }
  };

  usePolling(isOn, look);
  const waiting = isOn && held?.key === key ? held : undefined;
  return {
    waiting: waiting?.count ?? 0,
    isMore: waiting?.count === POLLED_LOGS,
    show: () => waiting !== undefined && put(waiting.page),
    fresh: isOn ? fresh : NONE,
    error: isOn ? error : undefined,
  };
}

/** How it went; what is refused is not asked for again by itself. */
type Look = 'done' | 'failed' | 'refused';

/** Does something again and again while the page can be seen; less often while it fails. */
function usePolling(isOn: boolean, look: (signal: AbortSignal) => Promise<Look>): void {
  const poll = useEffectEvent(look);
  const waitMs = useRef(EVERY_MS);
  useEffect(() => {
    if (!isOn) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnderWay = false;
    const turn = async (): Promise<void> => {
      if (isUnderWay || document.hidden) return;
      isUnderWay = true;
      const outcome = await poll(stop.signal);
      isUnderWay = false;
      if (stop.signal.aborted || outcome === 'refused') return;
      waitMs.current = outcome === 'done' ? EVERY_MS : Math.min(waitMs.current * 2, LONGEST_MS);
      timer = setTimeout(() => void turn(), waitMs.current);
    };
    const lookAgain = (): void => {
      clearTimeout(timer);
      void turn();
    };
    document.addEventListener('visibilitychange', lookAgain);
    void turn();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [isOn]);
}

interface Merged {
  logs: Log[];
  news: Log[];
  /** Whether something that was shown, or is between the two, is left out at the end. */
  isCut: boolean;
}

/** What is shown, with what has come; the newest first. */
function merge(before: Shown, { logs: polled }: LogPage): Merged {
  const shown = before.pages.flatMap(({ logs }) => logs);
  const known = new Set(shown.map(({ id }) => id));
  const oldest = shown.at(-1)?.id ?? '';
  const hasAll = before.pages.at(-1)?.next === undefined;
  // An answer that took long comes into the log later than what began after it.
  const news = polled.filter(({ id }) => !known.has(id) && (hasAll || id > oldest));
  // Nothing says how many came between them and those that are shown: these are read again further down.
  if (news.length === POLLED_LOGS) return { logs: news, news, isCut: true };
  const logs = news.length === 0 ? shown : [...news, ...shown].toSorted(byNewest);
  return { logs: logs.slice(0, MOST_SHOWN), news, isCut: logs.length > MOST_SHOWN };
}

function byNewest(one: Log, other: Log): number {
  return one.id < other.id ? 1 : -1;
}

/** In pages of the usual length, so that all of them can be read again. */
function withLogs(before: Shown, { logs, isCut }: Merged, { total, isEstimated }: LogPage): Shown {
  const nowMs = before.pages[0]?.nowMs ?? serverNow();
  const hasMore = isCut || before.pages.at(-1)?.next !== undefined;
  const pages: ShownPage[] = [];
  for (let start = 0; start < logs.length || start === 0; start += PAGE_LOGS) {
    const some = logs.slice(start, start + PAGE_LOGS);
    const hasNext = hasMore || start + PAGE_LOGS < logs.length;
    const next = hasNext ? { after: some.at(-1)?.id } : undefined;
    pages.push({ logs: some, total, isEstimated, next, nowMs });
  }
  const pageParams = pages.map((_page, index) => {
    const position = pages[index - 1]?.next;
    return position === undefined ? undefined : { nowMs, position };
  });
  return { pages, pageParams };
}
