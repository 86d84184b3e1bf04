import { clsx } from 'clsx';
import { Check } from '../../../ui/icons.tsx';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/figures.ts';

interface FacetButtonProps {
  /** What the words on it are about, for screen readers: "Type". */
  about?: string;
  isChosen: boolean;
  /** How many there are at all. */
  count: number | undefined;
  /** How many of them are among the results; undefined when not all results are known. */
  found: number | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** One thing that the results can be narrowed to, with how many there are. */
export function FacetButton({
  about,
  isChosen,
  count,
  found,
  onClick,
  children,
}: FacetButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={clsx(
        'flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover',
        isChosen && 'bg-accent-soft font-medium',
      )}
    >
      {isChosen && <Check aria-hidden className="size-3.5 shrink-0 text-accent" />}
      <span className="min-w-0 flex-1 truncate">
        {about !== undefined && <span className="sr-only">{about} </span>}
        {children}
      </span>
      <FacetCount count={count} found={found} />
    </button>
  );
}

/** How many there are, and how many of them were found. */
export function FacetCount({ count, found }: Pick<FacetButtonProps, 'count' | 'found'>) {
  if (count === undefined) return null;
  return (
    <span className="shrink-0 text-xs font-normal text-muted tabular-nums">
      {found !== undefined && (
        <>
          <span className="text-text">{formatCount(found)}</span>
          <span aria-hidden> / </span>
          <span className="sr-only">matches in</span>
        </>
      )}
      {formatCount(count)}
    </span>
  );
}
