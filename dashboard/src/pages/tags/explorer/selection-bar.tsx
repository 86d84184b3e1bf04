import { Tags } from '../../../ui/icons.tsx';
import { useEffect, useRef } from 'react';
import type { ListedResource } from '../../../api/tags.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import { MOST_SELECTED, type Selection } from './selection.ts';

interface SelectionBarProps {
  selection: Selection;
  /** Of the page that is shown. */
  resources: readonly ListedResource[];
  /** How many match; undefined when nobody has counted them. */
  count: number | undefined;
  /** Whether there is no filter. */
  isOfAll: boolean;
  /** Changes those that are ticked. */
  onSelected: () => void;
  /** Changes all that match. */
  onMatching: () => void;
}

/** Ticks a whole page, and leads on to changing what is ticked, or all that match. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, resources, count, isOfAll, onSelected, onMatching } = props;
  const chosen = selection.resources.length;
  const onPage = resources.filter((resource) => selection.has(resource)).length;
  const isFull = chosen >= MOST_SELECTED;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-sunken px-5 py-2">
      <label className="flex min-h-8 items-center gap-3 text-sm">
        <PageBox
          checked={onPage > 0 && onPage === resources.length}
          isPartly={onPage > 0 && onPage < resources.length}
          onChange={(isWanted) => selection.set(resources, isWanted)}
        />
        {chosen === 0 ? labels.selectThisPage : labels.selected(formatCount(chosen))}
        {isFull && <span className="text-muted">{labels.maximumReached}</span>}
      </label>
      <div className="flex flex-wrap gap-2">
        {chosen > 0 ? (
          <>
            <Button isSmall look="quiet" onClick={selection.clear}>
              {labels.clear}
            </Button>
            <Button
              isSmall
              look="primary"
              icon={<Tags aria-hidden className="size-4" />}
              onClick={onSelected}
            >
              {labels.editTagsOfSelected(formatCount(chosen))}
            </Button>
          </>
        ) : (
          <Button isSmall icon={<Tags aria-hidden className="size-4" />} onClick={onMatching}>
            {matchingLabel(count, isOfAll)}
          </Button>
        )}
      </div>
    </div>
  );
}

function matchingLabel(count: number | undefined, isOfAll: boolean): string {
  if (count === 1 && !isOfAll) return labels.editTagsOfTheMatching;
  const number = count === undefined ? '' : ` ${formatCount(count)}`;
  return isOfAll ? labels.editTagsOfAll(number) : labels.editTagsOfAllMatching(number);
}

interface PageBoxProps {
  checked: boolean;
  isPartly: boolean;
  onChange: (isWanted: boolean) => void;
}

function PageBox({ checked, isPartly, onChange }: PageBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // No attribute says it.
    if (box.current !== null) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={labels.selectThisPage}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
      className="size-5 shrink-0 accent-accent md:size-4"
    />
  );
}
