import { useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, ChevronsLeft } from '../../../ui/icons.tsx';
import { useEffect, useRef, useState } from 'react';
import type { ResourcePage } from '../../../api/tags.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { writeRawQuery } from './raw-query.ts';

/** Where the results begin, to which a page that is turned leads. */
export const RESULTS = 'results';

interface ResultPagerProps {
  explorer: Explorer;
  page: ResourcePage;
  isBusy: boolean;
}

/**
 * Turns the pages. The cursor of each is in the address, so that the way back goes through them; the list of
 * the API leads forward alone, and who begins in the middle comes back to the first page only.
 */
export function ResultPager({ explorer, page, isBusy }: ResultPagerProps) {
  const { search, query } = explorer;
  const navigate = useNavigate({ from: '/accounts/$accountId/tags' });
  const number = search.page ?? 1;
  const cursors = usePassedCursors(writeRawQuery(query), number, search.cursor);
  const isTurned = useRef(false);
  useEffect(() => {
    if (!isTurned.current || isBusy) return;
    isTurned.current = false;
    // A button that leads nowhere any more has lost the focus.
    if (document.activeElement === document.body) document.getElementById(RESULTS)?.focus();
  });
  if (search.cursor === undefined && page.next === undefined) return null;
  const go = (to: number, cursor: string | undefined): void => {
    isTurned.current = true;
    void navigate({
      search: cursor === undefined ? query : { ...query, cursor, page: to },
      resetScroll: false,
    });
    document.getElementById(RESULTS)?.scrollIntoView({ block: 'start' });
  };
  const hasPrevious = number > 1 && (number === 2 || cursors.has(number - 1));
  return (
    <nav aria-label={labels.pages} className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-muted">{labels.page(number)}</p>
      <div className="flex flex-wrap gap-2">
        {number > 1 && !hasPrevious && (
          <Button
            isSmall
            icon={<ChevronsLeft aria-hidden className="size-4" />}
            onClick={() => go(1, undefined)}
          >
            {labels.firstPage}
          </Button>
        )}
        <Button
          isSmall
          disabled={!hasPrevious}
          icon={<ChevronLeft aria-hidden className="size-4" />}
          onClick={() => go(number - 1, number === 2 ? undefined : cursors.get(number - 1))}
        >
          {labels.previous}
        </Button>
        <Button
          isSmall
          isBusy={isBusy}
          disabled={page.next === undefined}
          onClick={() => go(number + 1, page.next)}
        >
          Next
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </div>
    </nav>
  );
}

/** Where the pages begin that were looked at, by their numbers. */
function usePassedCursors(
  of: string,
  number: number,
  cursor: string | undefined,
): ReadonlyMap<number, string | undefined> {
  const [passed, setPassed] = useState({ of, cursors: new Map([[number, cursor]]) });
  if (passed.of === of && passed.cursors.has(number)) return passed.cursors;
  const known = passed.of === of ? passed.cursors : [];
  const cursors = new Map([...known, [number, cursor] as const]);
  setPassed({ of, cursors });
  return cursors;
}
