import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { SearchX } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { type ListedResource, taggedResourcesQuery } from '../../../api/tags.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty, LoadFailure, LoadingRows } from '../../../ui/states.tsx';
import { BulkEditDialog, type BulkSelection } from '../bulk/bulk-edit-dialog.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { ExportMenu } from './export-menu.tsx';
import { bulkFilterOf, writeRawQuery } from './raw-query.ts';
import { RESULTS, ResultPager } from './result-pager.tsx';
import { ResultTable } from './result-table.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { isOfAll } from './tag-search.ts';
import { describeCount, useKnownCount } from './known-count.ts';

/** The resources that match, a page at a time, and what can be done with them. */
export function Results({ explorer }: { explorer: Explorer }) {
  const { access, search, query, onQuery } = explorer;
  const found = useQuery(taggedResourcesQuery(access.accountId, query, search.cursor));
  const known = useKnownCount(explorer);
  // What is changed may cease to match: the dialog does not go with the last of its resources.
  const [bulk, setBulk] = useState<BulkSelection>();
  const selection = useSelection(writeRawQuery(query));
  const { data, error, isPending, isRefetchError, isPlaceholderData } = found;
  const failure = <LoadFailure error={error} onRetry={() => void found.refetch()} />;
  if (isPending)
    return (
      <Card>
        <LoadingRows rows={8} />
      </Card>
    );
  if (data === undefined) {
    return (
      <div className="space-y-4">
        {failure}
        {search.cursor !== undefined && (
          <Button onClick={() => onQuery(query, true)}>{labels.firstPage}</Button>
        )}
      </div>
    );
  }
  const isFirst = search.cursor === undefined;
  const count = isFirst && data.next === undefined ? data.resources.length : known;
  const title = describeCount(count, data, isFirst);
  return (
    <div
      id={RESULTS}
      tabIndex={-1}
      aria-busy={found.isPlaceholderData}
      className="min-w-0 scroll-mt-20 space-y-4"
    >
      {isRefetchError && failure}
      {data.resources.length === 0 && isFirst ? (
        <Nothing explorer={explorer} />
      ) : (
        <ResultCard
          explorer={explorer}
          title={title}
          count={count}
          resources={data.resources}
          isFading={isPlaceholderData}
          selection={selection}
          onBulk={setBulk}
        />
      )}
      {/* A heading whose words come and go would have no name. */}
      <p role="status" className="sr-only">
        {title}
      </p>
      <ResultPager explorer={explorer} page={data} isBusy={isPlaceholderData} />
      {bulk !== undefined && (
        <BulkEditDialog
          accountId={access.accountId}
          selection={bulk}
          onClose={() => setBulk(undefined)}
          onDone={() => {
            setBulk(undefined);
            selection.clear();
          }}
        />
      )}
    </div>
  );
}

interface ResultCardProps {
  explorer: Explorer;
  title: string;
  /** How many match at all; undefined when nobody has counted them. */
  count: number | undefined;
  resources: readonly ListedResource[];
  /** Whether other ones are asked for already. */
  isFading: boolean;
  selection: Selection;
  /** Changes the tags of these together. */
  onBulk: (chosen: BulkSelection) => void;
}

function ResultCard(props: ResultCardProps) {
  const { explorer, title, count, resources, isFading, selection, onBulk } = props;
  const { access, query } = explorer;
  const canWrite = access.can('tags.write');
  return (
    <Card isFlush className={clsx(isFading && 'opacity-60')}>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-5 py-3">
        <h2 className="text-base font-semibold">{title}</h2>
        <ExportMenu explorer={explorer} resources={resources} />
      </div>
      {canWrite && (
        <SelectionBar
          selection={selection}
          resources={resources}
          count={count}
          isOfAll={isOfAll(query)}
          onSelected={() => onBulk(selectedOf(selection))}
          onMatching={() => onBulk({ kind: 'filter', parameters: bulkFilterOf(query) })}
        />
      )}
      <ResultTable
        explorer={explorer}
        resources={resources}
        selection={canWrite ? selection : undefined}
      />
    </Card>
  );
}

function selectedOf({ resources }: Selection): BulkSelection {
  return {
    kind: 'resources',
    resources: resources.map(({ type, id, worker_id: workerId }) => ({
      type,
      id,
      ...(workerId !== undefined && { workerId }),
    })),
  };
}

function Nothing({ explorer }: { explorer: Explorer }) {
  const { query, onQuery } = explorer;
  const isExact = query.case_insensitive !== true && (query.tag ?? []).length > 0;
  return (
    <Card>
      <Empty
        icon={<SearchX />}
        title={labels.noMatchingResources}
        actions={
          <>
            {isExact && (
              <Button onClick={() => onQuery({ ...query, case_insensitive: true })}>
                {labels.ignoreCaseInTags}
              </Button>
            )}
            <Button onClick={() => onQuery({})}>{labels.removeFilter}</Button>
          </>
        }
      >
        {labels.resourcesMustMeetAllConditions(isExact)}
      </Empty>
    </Card>
  );
}
