import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChevronDown, ListFilter } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { tagTypesQuery, taggedResourcesQuery } from '../../../api/tags.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { FacetButton } from './facet-button.tsx';
import { type FoundCounts, countFound } from './found-counts.ts';
import { KeyFacet } from './key-facet.tsx';
import { toggleType } from './query-edit.ts';
import { isOfAll } from './tag-search.ts';
import { useKeySummary } from './use-key-summary.ts';

/** What the results can be narrowed to: types, keys and values, with how many resources have them. */
export function Facets({ explorer }: { explorer: Explorer }) {
  const [isOpen, setIsOpen] = useState(false);
  const found = useFoundCounts(explorer);
  return (
    <aside aria-label={labels.narrowResults} className="min-w-0">
      <Button
        className="w-full lg:hidden"
        aria-expanded={isOpen}
        icon={<ListFilter aria-hidden className="size-4" />}
        onClick={() => setIsOpen(!isOpen)}
      >
        Narrow by type or tag
        <ChevronDown aria-hidden className={clsx('size-4', isOpen && 'rotate-180')} />
      </Button>
      <Card className={clsx('max-lg:mt-3 lg:block', !isOpen && 'hidden')}>
        <div className="-mx-2 -my-1 space-y-5">
          <p className="px-2 text-xs text-muted">{captionOf(explorer, found !== undefined)}</p>
          <TypeFacets explorer={explorer} found={found} />
          <KeyFacets explorer={explorer} found={found} />
        </div>
      </Card>
    </aside>
  );
}

/** What the counts are of: those of the API know of types, and of no other conditions. */
function captionOf({ query }: Explorer, areFound: boolean): string {
  const { type: types = [], ...others } = query;
  const whole = types.length === 0 ? 'in the whole account' : 'of these types in the whole account';
  if (areFound) return labels.matchesOfThisFilter(whole);
  return isOfAll(others) ? labels.counts(whole) : labels.countsNotOnlyMatches(whole);
}

/** Counts of the results, when one page has all of them. */
function useFoundCounts({ access, search, query }: Explorer): FoundCounts | undefined {
  const { data, isPlaceholderData } = useQuery(
    taggedResourcesQuery(access.accountId, query, search.cursor),
  );
  const isWhole = search.cursor === undefined && data !== undefined && data.next === undefined;
  return isWhole && !isPlaceholderData ? countFound(data.resources) : undefined;
}

interface FacetProps {
  explorer: Explorer;
  found: FoundCounts | undefined;
}

const FEW_TYPES = 6;

function TypeFacets({ explorer, found }: FacetProps) {
  const [isWhole, setIsWhole] = useState(false);
  const { access, query, onQuery } = explorer;
  const { data = [] } = useQuery(tagTypesQuery(access.accountId));
  const { type: chosen = [] } = query;
  const used = data
    .filter(({ type, count }) => count > 0 || chosen.includes(type))
    .toSorted((a, b) => b.count - a.count);
  const shown = used.filter(
    ({ type }, index) => isWhole || index < FEW_TYPES || chosen.includes(type),
  );
  return (
    <section>
      <h2 className="mb-1 px-2 text-sm font-semibold">{labels.types}</h2>
      <ul>
        {shown.map(({ type, count }) => (
          <li key={type}>
            <FacetButton
              about={labels.type}
              isChosen={chosen.includes(type)}
              count={count}
              found={found?.type(type)}
              onClick={() => onQuery(toggleType(query, type))}
            >
              {type}
            </FacetButton>
          </li>
        ))}
      </ul>
      {shown.length < used.length && (
        <Button isSmall look="quiet" onClick={() => setIsWhole(true)}>
          {labels.showAll(used.length)}
        </Button>
      )}
    </section>
  );
}

const FEW_KEYS = 12;

function KeyFacets({ explorer, found }: FacetProps) {
  const { access, query } = explorer;
  const summary = useKeySummary(access.accountId, query.type ?? [], FEW_KEYS);
  const { keys, typed, setTyped } = summary;
  return (
    <section>
      <h2 className="mb-1 px-2 text-sm font-semibold">{labels.tags}</h2>
      <div className="mb-2 px-2">
        <SearchInput
          label={labels.findAKey}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      {summary.error !== undefined && <LoadFailure error={summary.error} onRetry={summary.retry} />}
      <ul>
        {keys.map((key) => (
          <li key={key.key}>
            <KeyFacet explorer={explorer} summary={key} found={found} />
          </li>
        ))}
      </ul>
      {keys.length === 0 && summary.isReady && (
        <p className="px-2 text-sm text-muted">
          {typed === '' ? labels.noTags : labels.noMatchingKeys}
        </p>
      )}
      {summary.hasMore && (
        <Button isSmall look="quiet" isBusy={summary.isLoadingMore} onClick={summary.showMore}>
          {labels.moreKeys}
        </Button>
      )}
    </section>
  );
}
