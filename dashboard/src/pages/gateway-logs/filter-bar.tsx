import { Plus } from '../../ui/icons.tsx';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { describeFilter } from './filter-words.ts';
import { labels } from './labels.ts';
import { LogSearchField } from './log-search-field.tsx';
import { type LogFilter, formatFilters, isTooMuch } from '../../lib/log-filters.ts';
import { type LogSearch, changed, filtersOf, isNarrowed, withFilters } from './log-search.ts';
import { CustomTime, TimeSelect } from './time-fields.tsx';
import type { SuggestionSource } from './value-suggestions.ts';

interface FilterBarProps {
  source: SuggestionSource;
  names: CallerNames;
  search: LogSearch;
  /** Leads to another search; in the place of this one, when it is no step to come back to. */
  onSearch: (search: LogSearch, isInPlace?: boolean) => void;
  /** What else stands beside the time. */
  children?: ReactNode;
}

/** What narrows the log; all of it stands in the address. */
export function FilterBar({ source, names, search, onSearch, children }: FilterBarProps) {
  const region = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={region}
      role="search"
      aria-label={labels.filters}
      tabIndex={-1}
      className="space-y-3 outline-none"
    >
      <div className="flex flex-wrap items-start gap-2">
        <LogSearchField search={search} onSearch={onSearch} />
        <TimeSelect search={search} onSearch={onSearch} />
        {children}
      </div>
      {search.range === 'custom' && (
        <CustomTime key={`${search.since}/${search.until}`} search={search} onSearch={onSearch} />
      )}
      <Chips
        source={source}
        names={names}
        search={search}
        // A button that goes with what it does leaves the keyboard here.
        onLost={() => region.current?.focus()}
        onSearch={onSearch}
      />
    </div>
  );
}

/** The filter that is made or changed: its place among the filters; `new`: a further one. */
type Edited = number | 'new' | undefined;

interface ChipsProps extends Omit<FilterBarProps, 'children'> {
  onLost: () => void;
}

function Chips({ source, names, search, onLost, onSearch }: ChipsProps) {
  const [edited, setEdited] = useState<Edited>();
  const filters = filtersOf(search);
  const set = (next: readonly LogFilter[]): void => onSearch(withFilters(search, next));
  const without = (index: number): LogFilter[] => filters.toSpliced(index, 1);
  const save = (filter: LogFilter): void => {
    setEdited(undefined);
    set(typeof edited === 'number' ? filters.with(edited, filter) : [...filters, filter]);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {filters.length > 0 && (
        <ul aria-label={labels.activeFilters} className="contents">
          {filters.map((filter, index) => {
            const words = describeFilter(filter, names);
            return (
              <li key={formatFilters([filter])} className="max-w-full min-w-0">
                <Chip
                  name={words}
                  onEdit={() => setEdited(index)}
                  onRemove={() => {
                    onLost();
                    set(without(index));
                  }}
                >
                  <bdi title={words}>{words}</bdi>
                </Chip>
              </li>
            );
          })}
        </ul>
      )}
      <Button
        isSmall
        look="quiet"
        icon={<Plus aria-hidden className="size-4" />}
        onClick={() => setEdited('new')}
      >
        {labels.addFilter}
      </Button>
      {isNarrowed(search) && (
        <Button
          isSmall
          look="quiet"
          onClick={() => {
            onLost();
            onSearch(changed(search, { f: undefined, q: undefined }));
          }}
        >
          {labels.clearAll}
        </Button>
      )}
      <FilterDialog
        isOpen={edited !== undefined}
        source={source}
        names={names}
        filter={typeof edited === 'number' ? filters[edited] : undefined}
        isTooMuch={(filter) =>
          isTooMuch([...(typeof edited === 'number' ? without(edited) : filters), filter])
        }
        onSave={save}
        onClose={() => setEdited(undefined)}
      />
    </div>
  );
}
