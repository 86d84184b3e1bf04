import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Server } from '../../ui/icons.tsx';
import { useDeferredValue, useEffect } from 'react';
import { type CustomProvider, customProvidersQuery } from '../../api/custom-providers.ts';
import { counted } from '../../lib/counted.ts';
import { useFollowedText } from '../../lib/use-followed-text.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import type { ProviderSearch } from './provider-search.ts';
import { type ProviderDeed, ProviderTable } from './provider-table.tsx';

interface ProviderListProps {
  accountId: string;
  mayWrite: boolean;
  onDeed: (provider: CustomProvider, deed: ProviderDeed) => void;
}

/** The part of the list that the address names, and what changes it. */
export function ProviderList({ accountId, mayWrite, onDeed }: ProviderListProps) {
  const [search, change] = useProviderSearch(accountId);
  // What was found before stays until the next answer is there.
  const page = useDeferredValue(search.page ?? 1);
  const text = useDeferredValue(search.search ?? '');
  const show = useDeferredValue(search.show);
  const isEnabled = show === undefined ? undefined : show === 'on';
  const { data } = useSuspenseQuery(
    customProvidersQuery(accountId, { page, search: text, isEnabled }),
  );
  const { result: providers, result_info: info } = data;
  const isNarrowed = text !== '' || show !== undefined;
  const isPastEnd = page > 1 && providers.length === 0;
  useEffect(() => {
    // The last provider of the last page was deleted.
    if (isPastEnd) change({ ...search, page: Math.max(1, info.total_pages) });
  });
  if (providers.length === 0 && !isNarrowed && page === 1) return <NoProviders />;
  return (
    <>
      <Filters search={search} onChange={change} />
      <Card isFlush>
        {providers.length === 0 ? (
          <Empty
            title={labels.noMatchingProviders}
            actions={<Button onClick={() => change({})}>{labels.showAllProviders}</Button>}
          />
        ) : (
          <ProviderTable providers={providers} mayWrite={mayWrite} onDeed={onDeed} />
        )}
      </Card>
      <Pager
        page={info.page}
        totalPages={info.total_pages}
        count={counted(info.total_count, 'provider')}
        onPage={(next) => change({ ...search, page: next })}
      />
    </>
  );
}

function useProviderSearch(accountId: string): [ProviderSearch, (search: ProviderSearch) => void] {
  const search: ProviderSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = ({ page = 1, search: text = '', show }: ProviderSearch): void =>
    void navigate({
      to: '/accounts/$accountId/ai-gateway/custom-providers',
      params: { accountId },
      search: {
        ...(page > 1 && { page }),
        ...(text !== '' && { search: text }),
        ...(show !== undefined && { show }),
      },
      replace: true,
      resetScroll: false,
    });
  return [search, change];
}

interface FiltersProps {
  search: ProviderSearch;
  onChange: (search: ProviderSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const { search: text = '', show } = search;
  const [typed, setTyped] = useFollowedText(text, (wanted) =>
    onChange({ search: wanted, ...(show !== undefined && { show }) }),
  );
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchInput
        label={labels.searchByNameSlug}
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Select
        aria-label={labels.status}
        className="w-40"
        value={show ?? ''}
        onChange={({ target: { value } }) =>
          onChange({ search: text, ...((value === 'on' || value === 'off') && { show: value }) })
        }
      >
        <option value="">{labels.all}</option>
        <option value="on">{labels.enabled}</option>
        <option value="off">{labels.disabled}</option>
      </Select>
    </div>
  );
}

function NoProviders() {
  return (
    <Card>
      <Empty icon={<Server />} title={labels.noCustomProvidersYet}>
        <p>
          Many model servers offer an OpenAI-compatible API, for example vLLM, Ollama and llama.cpp.
          Add one here and call it through any gateway as
          <code className="mx-1 font-mono text-sm whitespace-nowrap">custom-slug/model</code>with
          the usual limits, logs and keys.
        </p>
        <p className="mt-2">{labels.anthropicClientsCanUse}</p>
      </Empty>
    </Card>
  );
}
