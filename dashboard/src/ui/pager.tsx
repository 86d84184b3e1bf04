import { ChevronLeft, ChevronRight } from './icons.tsx';
import { Button } from './button.tsx';

interface PagerProps {
  /** Counts from 1. */
  page: number;
  totalPages: number;
  /** How long the whole list is, in words: "43 tokens". Then it stands there with a single page, too. */
  count?: string;
  onPage: (page: number) => void;
}

/** Leads through a list that comes in numbered pages. */
export function Pager({ page, totalPages, count, onPage }: PagerProps) {
  if (totalPages <= 1 && count === undefined) return null;
  const place = totalPages > 1 ? `Page ${page} of ${totalPages}` : undefined;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-muted">
        {[count, place].filter((part) => part !== undefined).join(' · ')}
      </p>
      {totalPages > 1 && (
        <div className="flex gap-2">
          <Button
            isSmall
            disabled={page <= 1}
            icon={<ChevronLeft aria-hidden className="size-4" />}
            onClick={() => onPage(page - 1)}
          >
            Previous
          </Button>
          <Button isSmall disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            Next
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </nav>
  );
}
