import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock } from '../../ui/icons.tsx';
import { useEffect, useRef } from 'react';
import { useAccountOfPage } from '../../api/accounts.ts';
import { tagSummaryQuery, tagTypesQuery, taggedResourcesQuery } from '../../api/tags.ts';
import { Page } from '../../ui/page.tsx';
import { LoadFailure, Loading } from '../../ui/states.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import type { Explorer } from './explorer/explorer.ts';
import { Facets } from './explorer/facets.tsx';
import { FilterCard } from './explorer/filter-card.tsx';
import { FirstTags } from './explorer/first-tags.tsx';
import { Overview } from './explorer/overview.tsx';
import { RequestCard } from './explorer/request-card.tsx';
import { Results } from './explorer/results.tsx';
import { TagResourceButton } from './explorer/tag-resource-dialog.tsx';
import { faultOfQuery, isOfAll, queryOf } from './explorer/tag-search.ts';
import { labels } from './labels.ts';

/** Finds resources by their tags. */
export function TagExplorer() {
  const access = useAccountOfPage();
  const search = useSearch({ from: '/accounts/$accountId/tags' });
  const navigate = useNavigate({ from: '/accounts/$accountId/tags' });
  const explorer: Explorer = {
    access,
    search,
    query: queryOf(search),
    onQuery: (query, isInPlace = false) =>
      void navigate({ search: query, replace: isInPlace, resetScroll: false }),
  };
  const canRead = access.can('tags.read');
  const { data: types } = useQuery({ ...tagTypesQuery(access.accountId), enabled: canRead });
  const isAnythingTagged = types?.some(({ count }) => count > 0) === true;
  return (
    <Page
      title={labels.tags}
      isWide
      lead={labels.findResourcesByTheirTags}
      actions={
        isAnythingTagged && access.can('tags.write') && <TagResourceButton access={access} />
      }
    >
      {canRead ? (
        <TaggedThings explorer={explorer} />
      ) : (
        <Unseen
          access={access}
          permission="tags.read"
          icon={<Lock />}
          what={labels.hiddenSubject}
        />
      )}
    </Page>
  );
}

function TaggedThings({ explorer }: { explorer: Explorer }) {
  const { access, query } = explorer;
  useHeadStart(explorer);
  const types = useQuery(tagTypesQuery(access.accountId));
  if (types.isLoadingError) {
    return <LoadFailure error={types.error} onRetry={() => void types.refetch()} />;
  }
  if (types.data === undefined) return <Loading />;
  const isNothingTagged = types.data.every(({ count }) => count === 0);
  if (isNothingTagged && isOfAll(query)) return <FirstTags access={access} />;
  const fault = faultOfQuery(query, new Set(types.data.map(({ type }) => type)));
  return (
    <>
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_28rem]">
        <FilterCard explorer={explorer} fault={fault} />
        <RequestCard accountId={access.accountId} search={explorer.search} />
      </div>
      <Found explorer={explorer} isFaulty={fault !== undefined} />
      <ReadOnly access={access} permission="tags.write" deed={labels.changeTagsAction} />
    </>
  );
}

/** Begins to read what the page will show, while what types there are is still being read. */
function useHeadStart({ access: { accountId }, search, query }: Explorer): void {
  const client = useQueryClient();
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current || faultOfQuery(query, undefined) !== undefined) return;
    isFirst.current = false;
    void client.prefetchQuery(taggedResourcesQuery(accountId, query, search.cursor));
    void client.prefetchInfiniteQuery(tagSummaryQuery(accountId, query.type ?? [], ''));
  });
}

function Found({ explorer, isFaulty }: { explorer: Explorer; isFaulty: boolean }) {
  // What the API would refuse is not asked for.
  if (isFaulty) return null;
  if (isOfAll(explorer.query)) {
    return (
      <>
        <Overview explorer={explorer} />
        <Results explorer={explorer} />
      </>
    );
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <Facets explorer={explorer} />
      <Results explorer={explorer} />
    </div>
  );
}
