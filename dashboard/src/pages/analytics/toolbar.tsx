import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Access } from '../../api/accounts.ts';
import { tagKeysQuery } from '../../api/tags.ts';
import { serverNow } from '../../lib/server-time.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { Button } from '../../ui/button.tsx';
import { Check, Field, Select } from '../../ui/field.tsx';
import { SuggestInput } from '../../ui/suggest-input.tsx';
import { TimeRangeForm } from '../../ui/time-range-form.tsx';
import {
  type AnalyticsSearch,
  DEFAULT_BY,
  DEFAULT_RANGE,
  type TimeRange,
} from './analytics-search.ts';
import {
  KEYED_GROUPS,
  KEYED_LABELS,
  type KeyedGroup,
  PLAIN_GROUPS,
  keyedGroup,
  wordsOf,
} from './group-words.ts';
import { labels } from './labels.ts';
import { RANGE_WORDS, windowOf } from './time-range.ts';

interface ToolbarProps {
  search: AnalyticsSearch;
  onSearch: (search: AnalyticsSearch) => void;
  /** Whether it is about all gateways, which can be told apart. */
  isOfAccount: boolean;
  access: Access;
}

/** What is shown: which time, and by what it is broken down. */
export function Toolbar({ search, onSearch, isOfAccount, access }: ToolbarProps) {
  const { split, by = DEFAULT_BY } = search;
  return (
    <div
      role="search"
      aria-label={labels.view}
      className="flex flex-wrap items-end gap-x-4 gap-y-3"
    >
      <TimeChoice search={search} onSearch={onSearch} />
      <GroupChoice
        key={by}
        search={search}
        onSearch={onSearch}
        isOfAccount={isOfAccount}
        access={access}
      />
      <Check
        className="pb-2.5"
        label={labels.showEachInTheCharts(wordsOf(by).each)}
        checked={split === 'yes'}
        onChange={({ target }) => {
          const { split: _split, ...others } = search;
          onSearch(target.checked ? { ...others, split: 'yes' } : others);
        }}
      />
    </div>
  );
}

type ChoiceProps = Pick<ToolbarProps, 'search' | 'onSearch'>;

function TimeChoice({ search, onSearch }: ChoiceProps) {
  const { range = DEFAULT_RANGE, since, until } = search;
  const choose = (chosen: TimeRange): void => {
    const { range: _range, since: _since, until: _until, ...others } = search;
    if (chosen === DEFAULT_RANGE) return onSearch(others);
    if (chosen !== 'custom') return onSearch({ ...others, range: chosen });
    // It begins with what was shown, so that the fields are filled in.
    const now = new Date(serverNow()).toISOString();
    onSearch({ ...others, until: now, ...windowOf(search), range: chosen });
  };
  return (
    <>
      <Field label={labels.time} className="min-w-40 max-sm:w-full">
        <Select value={range} onChange={({ target }) => choose(target.value as TimeRange)}>
          {Object.entries(RANGE_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {range === 'custom' && (
        <TimeRangeForm
          key={`${since}/${until}`}
          isClosed
          shown={{ until: new Date(serverNow()).toISOString(), ...windowOf(search) }}
          onShow={(wanted) => onSearch({ ...search, ...wanted })}
        />
      )}
    </>
  );
}

/** By what the figures are broken down; of metadata and tags, by which key. */
function GroupChoice({ search, onSearch, isOfAccount, access }: ToolbarProps) {
  const { by: _by, ...others } = search;
  const by = search.by ?? DEFAULT_BY;
  const keyed = keyedGroup(by);
  const [kind, setKind] = useState<string>(keyed?.kind ?? by);
  const choose = (chosen: string): void => {
    setKind(chosen);
    if (!isKeyed(chosen)) onSearch(chosen === DEFAULT_BY ? others : { ...others, by: chosen });
  };
  const plain = isOfAccount ? ['gateway', ...PLAIN_GROUPS] : PLAIN_GROUPS;
  return (
    <>
      <Field label={labels.breakDownBy} className="min-w-40 max-sm:w-full">
        <Select value={kind} onChange={({ target }) => choose(target.value)}>
          {plain.map((name) => (
            <option key={name} value={name}>
              {wordsOf(name).label}
            </option>
          ))}
          {KEYED_GROUPS.filter((name) => name !== 'tag' || access.can('tags.read')).map((name) => (
            <option key={name} value={name}>
              {KEYED_LABELS[name]}
            </option>
          ))}
        </Select>
      </Field>
      {isKeyed(kind) && (
        <KeyChoice
          kind={kind}
          value={keyed?.kind === kind ? keyed.key : ''}
          accountId={access.accountId}
          onChoose={(key) => onSearch({ ...others, by: `${kind}.${key}` })}
        />
      )}
    </>
  );
}

function isKeyed(kind: string): kind is KeyedGroup {
  return KEYED_GROUPS.some((name) => name === kind);
}

interface KeyChoiceProps {
  kind: KeyedGroup;
  value: string;
  accountId: string;
  onChoose: (key: string) => void;
}

function KeyChoice({ kind, value, accountId, onChoose }: KeyChoiceProps) {
  const [key, setKey] = useState(value);
  const typed = useSettled(key);
  const tags = useQuery({ ...tagKeysQuery(accountId, typed), enabled: kind === 'tag' });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (key !== '') onChoose(key);
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2 max-sm:w-full">
      <Field
        label={kind === 'metadata' ? labels.metadataKey : labels.tagKey}
        className="min-w-0 flex-1"
      >
        <SuggestInput
          required
          maxLength={500}
          placeholder="team"
          value={key}
          onChange={setKey}
          suggestions={kind === 'tag' ? (tags.data ?? []) : []}
        />
      </Field>
      <Button type="submit">{labels.show}</Button>
    </form>
  );
}
