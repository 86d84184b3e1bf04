import { useQuery } from '@tanstack/react-query';
import { Plus, X } from '../../ui/icons.tsx';
import { type FormEvent, useRef, useState } from 'react';
import { type AuditSource, productCategoriesQuery } from '../../api/audit-log.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { TimeRangeForm } from '../../ui/time-range-form.tsx';
import {
  type AuditSearch,
  DEFAULT_RANGE,
  FILTER_FIELDS,
  type FilterField,
  type FilterName,
  type TimeRange,
  filtersOf,
} from './audit-search.ts';
import { actionsOf, describeFilter, fieldWords } from './audit-words.ts';
import { labels } from './labels.ts';
import { RANGE_WORDS, windowOf } from './time-window.ts';

interface AuditFiltersProps {
  source: AuditSource;
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

/** Narrows the log; what is set stands in the address. */
export function AuditFilters({ source, search, onSearch }: AuditFiltersProps) {
  const [isAdding, setIsAdding] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const set = (name: FilterName, value: string): void => onSearch(withValue(search, name, value));
  // A button that goes with what it does leaves the keyboard here.
  const keepFocus = (): void => region.current?.focus();
  const stopAdding = (): void => {
    keepFocus();
    setIsAdding(false);
  };
  return (
    <div
      ref={region}
      role="search"
      aria-label={labels.filters}
      tabIndex={-1}
      className="space-y-4 outline-none"
    >
      <Choices source={source} search={search} onSearch={onSearch} />
      {search.range === 'custom' && (
        <CustomRange key={`${search.since}/${search.before}`} search={search} onSearch={onSearch} />
      )}
      <Chips
        search={search}
        onRemove={(name) => {
          keepFocus();
          set(name, '');
        }}
      />
      {isAdding ? (
        <AddFilter
          onAdd={(name, value) => {
            stopAdding();
            set(name, value);
          }}
          onCancel={stopAdding}
        />
      ) : (
        <Button
          isSmall
          look="quiet"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setIsAdding(true)}
        >
          {labels.addFilter}
        </Button>
      )}
    </div>
  );
}

const RESULTS = [
  ['success', labels.done],
  ['failure', labels.deniedOrFailed],
] as const;

/** What most people look for. */
function Choices({ source, search, onSearch }: AuditFiltersProps) {
  const choose = (name: FilterName) => (value: string) => onSearch(withValue(search, name, value));
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <RangeSelect search={search} onSearch={onSearch} />
      <Choice
        label={labels.action}
        options={actionsOf(source === 'own')}
        value={search.action_type}
        onChoose={choose('action_type')}
      />
      <Choice
        label={labels.result}
        options={RESULTS}
        value={search.action_result}
        onChoose={choose('action_result')}
      />
      {source !== 'own' && (
        <CategoryChoice
          accountId={source.accountId}
          value={search.product_category}
          onChoose={choose('product_category')}
        />
      )}
    </div>
  );
}

interface ChoiceProps extends OptionsProps {
  label: string;
  /** With an empty text: any will do. */
  onChoose: (value: string) => void;
}

function Choice({ label, options, value, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      <Select value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{labels.all}</option>
        <Options options={options} value={value} />
      </Select>
    </Field>
  );
}

interface CategoryChoiceProps extends Omit<ChoiceProps, 'label' | 'options'> {
  accountId: string;
}

function CategoryChoice({ accountId, ...rest }: CategoryChoiceProps) {
  const { data = [] } = useQuery(productCategoriesQuery(accountId));
  const options = data.map((category) => [category.value, category.label] as const);
  return <Choice label={labels.area} options={options} {...rest} />;
}

/** The search with a value in its place; an empty one takes it away. */
function withValue(search: AuditSearch, name: string, value: string): AuditSearch {
  const { [name]: _old, row: _row, ...others } = search as Record<string, string>;
  return value === '' ? others : { ...others, [name]: value };
}

interface OptionsProps {
  options: readonly (readonly [value: string, words: string])[];
  value: string | undefined;
}

/** The options, and what is chosen though it is none of them. */
function Options({ options, value }: OptionsProps) {
  const isOther = value !== undefined && options.every(([option]) => option !== value);
  return (
    <>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
      {isOther && <option value={value}>{value}</option>}
    </>
  );
}

function RangeSelect({ search, onSearch }: Omit<AuditFiltersProps, 'source'>) {
  const choose = (range: TimeRange): void => {
    const { since: _since, before: _before, ...others } = search;
    // It begins with what was shown, so that the fields are filled in.
    onSearch(range === 'custom' ? { ...others, ...windowOf(search), range } : { ...others, range });
  };
  return (
    <Field label={labels.time}>
      <Select
        value={search.range ?? DEFAULT_RANGE}
        onChange={(event) => choose(event.target.value as TimeRange)}
      >
        <Options options={Object.entries(RANGE_WORDS)} value={undefined} />
      </Select>
    </Field>
  );
}

function CustomRange({ search, onSearch }: Omit<AuditFiltersProps, 'source'>) {
  const { since: shownSince, before: shownBefore } = windowOf(search);
  return (
    <TimeRangeForm
      isClosed
      shown={{ since: shownSince, until: shownBefore }}
      onShow={({ since, until }) =>
        onSearch({ ...search, ...(since && { since }), ...(until && { before: until }) })
      }
    />
  );
}

interface ChipsProps {
  search: AuditSearch;
  onRemove: (name: FilterName) => void;
}

function Chips({ search, onRemove }: ChipsProps) {
  const filters = filtersOf(search);
  if (filters.length === 0) return null;
  return (
    <ul aria-label={labels.activeFilters} className="flex flex-wrap gap-2">
      {filters.map(([name, value]) => (
        <li
          key={name}
          className="inline-flex max-w-full items-center rounded-full border border-line bg-sunken py-0.5 pr-1 pl-3 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">{describeFilter(name, value)}</span>
          <button
            type="button"
            aria-label={labels.removeFilter(describeFilter(name, value))}
            className="ml-1 inline-flex size-6 shrink-0 items-center justify-center rounded-full text-muted hover:bg-line hover:text-text"
            onClick={() => onRemove(name)}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface AddFilterProps {
  onAdd: (name: FilterName, value: string) => void;
  onCancel: () => void;
}

function AddFilter({ onAdd, onCancel }: AddFilterProps) {
  const [field, setField] = useState<FilterField>(FILTER_FIELDS[0]);
  const [isNegated, setIsNegated] = useState(false);
  const [value, setValue] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = value.trim();
    if (text !== '') onAdd(isNegated ? `${field}.not` : field, text);
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Field label={labels.compare} className="min-w-0 max-sm:w-full">
        <Select
          // It was asked for with a button that is gone now.
          autoFocus
          value={field}
          onChange={(event) => setField(event.target.value as FilterField)}
        >
          <Options options={FILTER_FIELDS.map((name) => [name, fieldWords(name)])} value={field} />
        </Select>
      </Field>
      <Field label={labels.comparison}>
        <Select
          value={isNegated ? 'not' : ''}
          onChange={(event) => setIsNegated(event.target.value === 'not')}
        >
          <option value="">is</option>
          <option value="not">is not</option>
        </Select>
      </Field>
      <Field label={labels.value} className="min-w-0 flex-1 basis-48">
        <Input required value={value} onChange={(event) => setValue(event.target.value)} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit">{labels.addFilter}</Button>
        <Button look="quiet" onClick={onCancel}>
          {labels.cancel}
        </Button>
      </div>
    </form>
  );
}
