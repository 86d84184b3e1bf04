import { useEffect, useRef } from 'react';
import { focusPage } from '../../lib/focus-page.ts';
import { Button } from '../../ui/button.tsx';
import { labels } from './labels.ts';
import { orderOf, type LogSearch } from './log-search.ts';
import { LoadFailure } from '../../ui/states.tsx';
import type { LogList } from './use-log-list.ts';

interface ListEndProps {
  list: LogList;
  search: LogSearch;
  onSearch: (search: LogSearch) => void;
}

/** More of the list, another part of it, or that there is no more. */
export function ListEnd({ list, search, onSearch }: ListEndProps) {
  const end = useRef<HTMLParagraphElement>(null);
  const wasAsked = useRef(false);
  const { next, isReadingMore } = list;
  useEffect(() => {
    // The button that had the focus is gone.
    if (next === undefined && wasAsked.current) end.current?.focus();
    if (!isReadingMore) wasAsked.current = false;
  }, [next, isReadingMore]);
  const { after: _after, part = 1, ...top } = search;
  const go = (to: LogSearch): void => {
    focusPage();
    window.scrollTo({ top: 0 });
    onSearch(to);
  };
  const isByTime = orderOf(search).by === 'created_at';
  const last = list.logs?.at(-1)?.id;
  const nextPart = isByTime ? { ...top, ...(last && { after: last }) } : { ...top, part: part + 1 };
  return (
    <>
      {list.moreError !== null && <LoadFailure error={list.moreError} onRetry={list.more} />}
      <div className="flex flex-wrap items-center justify-center gap-2">
        {(search.after !== undefined || part > 1) && (
          <Button onClick={() => go(top)}>{labels.backToTheFirstPage}</Button>
        )}
        {next === 'more' && (
          <Button
            isBusy={isReadingMore}
            onClick={() => {
              wasAsked.current = true;
              list.more();
            }}
          >
            {labels.loadMore}
          </Button>
        )}
        {next === 'part' && <Button onClick={() => go(nextPart)}>{labels.continueFromHere}</Button>}
        {next === undefined && (
          <p ref={end} tabIndex={-1} className="text-sm text-muted">
            {labels.noMoreLogs}
          </p>
        )}
      </div>
    </>
  );
}
