import { clsx } from 'clsx';
import { ChevronRight } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { type KeySummary, VALUES_OF_SUMMARY } from '../../../api/tags.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { FacetButton, FacetCount } from './facet-button.tsx';
import type { FoundCounts } from './found-counts.ts';
import { addFilter, removeFilter, toggleValue, wantedValues } from './query-edit.ts';
import { writeTagFilter } from './tag-filter.ts';

interface KeyFacetProps {
  explorer: Explorer;
  summary: KeySummary;
  found: FoundCounts | undefined;
}

const FEW_VALUES = 8;

/** A key that opens to its values, each of which narrows the results. */
export function KeyFacet({ explorer, summary, found }: KeyFacetProps) {
  const { key, count } = summary;
  const wanted = wantedValues(explorer.query, key);
  const [chosen, setChosen] = useState<boolean>();
  // One that is asked for is open from the beginning.
  const isOpen = chosen ?? wanted.length > 0;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex min-h-8 w-full items-center gap-1.5 rounded-md px-2 py-1 text-left text-sm hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={clsx('size-3.5 shrink-0 text-muted', isOpen && 'rotate-90')}
        />
        <bdi className="min-w-0 flex-1 truncate" title={key}>
          {key}
        </bdi>
        <FacetCount count={count} found={found?.key(key)} />
      </button>
      {isOpen && (
        <div className="mb-2 ml-3.5 border-l border-line pl-1.5">
          <Values explorer={explorer} summary={summary} found={found} wanted={wanted} />
          <PresenceButtons explorer={explorer} tagKey={key} />
        </div>
      )}
    </>
  );
}

function Values({
  explorer,
  summary,
  found,
  wanted,
}: KeyFacetProps & { wanted: readonly string[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const { query, onQuery } = explorer;
  const { key, facets } = summary;
  const ordered = facets.toSorted((a, b) => b.count - a.count);
  const told = new Set(facets.map(({ value }) => value));
  const others = wanted.filter((value) => !told.has(value));
  const shown = isWhole ? ordered : ordered.slice(0, FEW_VALUES);
  return (
    <>
      <ul>
        {[...others.map((value) => ({ value, count: undefined })), ...shown].map(
          ({ value, count }) => (
            <li key={value}>
              <FacetButton
                about={labels.is(key)}
                isChosen={wanted.includes(value)}
                count={count}
                found={found?.value(key, value)}
                onClick={() => onQuery(toggleValue(query, key, value))}
              >
                <bdi title={value}>
                  {value === '' ? <em className="text-muted">(empty)</em> : value}
                </bdi>
              </FacetButton>
            </li>
          ),
        )}
      </ul>
      {shown.length < ordered.length && (
        <Button isSmall look="quiet" onClick={() => setIsWhole(true)}>
          {labels.showMore(formatCount(ordered.length - shown.length))}
        </Button>
      )}
      {facets.length >= VALUES_OF_SUMMARY && (isWhole || ordered.length <= FEW_VALUES) && (
        <p className="px-2 py-1 text-xs text-muted">
          {labels.theFirstValuesUse(VALUES_OF_SUMMARY)}
        </p>
      )}
    </>
  );
}

/** The key whatever its value, or resources without it. */
function PresenceButtons({ explorer, tagKey }: { explorer: Explorer; tagKey: string }) {
  const { query, onQuery } = explorer;
  const { tag = [] } = query;
  return [false, true].map((isNegated) => {
    const filter = { key: tagKey, values: undefined, isNegated };
    const index = tag.indexOf(writeTagFilter(filter));
    return (
      <FacetButton
        key={String(isNegated)}
        about={`${tagKey}:`}
        isChosen={index !== -1}
        count={undefined}
        found={undefined}
        onClick={() =>
          onQuery(index === -1 ? addFilter(query, filter) : removeFilter(query, index))
        }
      >
        <span className="text-muted">{isNegated ? labels.withoutThisKey : labels.anyValue}</span>
      </FacetButton>
    );
  });
}
