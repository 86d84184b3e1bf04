import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeySummary, VALUES_OF_SUMMARY, tagTypesQuery } from '../../../api/tags.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { FacetButton } from './facet-button.tsx';
import { addFilter, toggleType, toggleValue } from './query-edit.ts';
import { useKeySummary } from './use-key-summary.ts';

/** What is tagged in the account, before anything of it is asked for. */
export function Overview({ explorer }: { explorer: Explorer }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <Types explorer={explorer} />
      <Keys explorer={explorer} />
    </div>
  );
}

const FEW_TYPES = 8;

function Types({ explorer }: { explorer: Explorer }) {
  const [isWhole, setIsWhole] = useState(false);
  const { access, query, onQuery } = explorer;
  const { data } = useSuspenseQuery(tagTypesQuery(access.accountId));
  const used = data.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  const shown = isWhole ? used : used.slice(0, FEW_TYPES);
  return (
    <Card title={labels.types} lead={labels.numberOfTaggedResources}>
      <ul className="-mx-2 -my-2">
        {shown.map(({ type, count }) => (
          <li key={type}>
            <FacetButton
              about={labels.type}
              isChosen={false}
              count={count}
              found={undefined}
              onClick={() => onQuery(toggleType(query, type))}
            >
              {type}
            </FacetButton>
          </li>
        ))}
      </ul>
      {shown.length < used.length && (
        <Button isSmall look="quiet" className="mt-3" onClick={() => setIsWhole(true)}>
          {labels.showAll(used.length)}
        </Button>
      )}
    </Card>
  );
}

const FEW_KEYS = 6;

function Keys({ explorer }: { explorer: Explorer }) {
  const summary = useKeySummary(explorer.access.accountId, [], FEW_KEYS);
  const { keys, typed, setTyped } = summary;
  if (summary.error !== undefined) {
    return <LoadFailure error={summary.error} onRetry={summary.retry} />;
  }
  return (
    <Card
      isFlush
      title={labels.keysInUse}
      lead={labels.chooseAKeyOrValue}
      actions={
        <SearchInput
          label={labels.findAKey}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      }
      {...(summary.hasMore && {
        footer: (
          <Button isSmall isBusy={summary.isLoadingMore} onClick={summary.showMore}>
            {labels.moreKeys}
          </Button>
        ),
      })}
    >
      {keys.length === 0 && summary.isReady ? (
        <p className="px-5 py-4 text-sm text-muted">{labels.noMatchingKeys}</p>
      ) : (
        <Table
          caption={labels.keysInUse}
          columns={columnsOf(explorer)}
          rows={keys}
          keyOf={({ key }) => key}
        />
      )}
    </Card>
  );
}

function columnsOf({ query, onQuery }: Explorer): Column<KeySummary>[] {
  return [
    {
      title: labels.keyField,
      cell: ({ key }) => (
        <button
          type="button"
          title={key}
          onClick={() => onQuery(addFilter(query, { key, values: undefined, isNegated: false }))}
          className="min-h-6 max-w-full truncate font-medium underline decoration-line underline-offset-4 hover:decoration-current md:max-w-56"
        >
          <bdi>{key}</bdi>
        </button>
      ),
    },
    {
      title: labels.values,
      cell: (summary) => (
        <CommonValues
          summary={summary}
          onValue={(value) => onQuery(toggleValue(query, summary.key, value))}
        />
      ),
    },
    {
      title: labels.resources,
      isAtEnd: true,
      cell: ({ count }) => <span className="tabular-nums">{formatCount(count)}</span>,
    },
  ];
}

const FEW_VALUES = 4;

interface CommonValuesProps {
  summary: KeySummary;
  onValue: (value: string) => void;
}

/** The values that most resources have, of those that the summary tells. */
function CommonValues({ summary: { key, facets }, onValue }: CommonValuesProps) {
  const common = facets.toSorted((a, b) => b.count - a.count).slice(0, FEW_VALUES);
  const left = facets.length - common.length;
  const hasMore = facets.length >= VALUES_OF_SUMMARY;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {common.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          title={value}
          onClick={() => onValue(value)}
          className="flex min-h-7 max-w-56 items-center gap-1.5 rounded-md border border-line bg-sunken px-2 text-sm hover:border-edge hover:bg-hover"
        >
          <span className="sr-only">{labels.is(key)}</span>
          <bdi className="min-w-0 truncate">
            {value === '' ? <em className="text-muted">(empty)</em> : value}
          </bdi>
          <span className="text-xs text-muted tabular-nums">{formatCount(count)}</span>
        </button>
      ))}
      {left > 0 && (
        <span className="text-sm text-muted">
          {hasMore ? `and at least ${left} others` : `and ${left} more`}
        </span>
      )}
    </span>
  );
}
