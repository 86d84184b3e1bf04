import { searchable } from '../../../lib/searchable.ts';
import { useQuery } from '@tanstack/react-query';
import {
  VALUES_OF_SUMMARY,
  keySummaryQuery,
  tagKeysQuery,
  tagValuesQuery,
} from '../../../api/tags.ts';
import { formatCount } from '../../../lib/figures.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import type { Option } from '../../../ui/option-list.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { labels } from '../labels.ts';
import { MAX_VALUES, faultOfKey } from './tag-filter.ts';

interface ValuesFieldProps {
  accountId: string;
  tagKey: string;
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
  text: string;
  onText: (text: string) => void;
  error: string | undefined;
  autoFocus: boolean;
}

const MOST_SUGGESTIONS = 50;

/** Values of a key: those in use with how many resources have them, or any others. */
export function ValuesField({ accountId, tagKey, ...picked }: ValuesFieldProps) {
  const options = useValueOptions(accountId, tagKey, picked.text);
  return (
    <PickList
      {...picked}
      label={labels.values}
      hint={labels.upToPressEnter(MAX_VALUES)}
      listLabel={labels.valuesInUse}
      canAdd
      options={options}
    />
  );
}

function useValueOptions(accountId: string, typedKey: string, text: string): Option[] {
  const key = useSettled(typedKey);
  const prefix = useSettled(text);
  const isWritten = faultOfKey(key) === undefined;
  const { data: keys } = useQuery({ ...tagKeysQuery(accountId, key), enabled: isWritten });
  // Of all that begin with it, the key itself is the first: what is no key yet is not looked into.
  const isKey = isWritten && keys?.[0] === key;
  const { data: summary } = useQuery({ ...keySummaryQuery(accountId, key, []), enabled: isKey });
  const facets = isKey ? (summary?.facets ?? []) : [];
  // The summary has but the first values: when there may be others, those that begin so are asked for.
  const isWhole = facets.length < VALUES_OF_SUMMARY;
  const { data: found = [] } = useQuery({
    ...tagValuesQuery(accountId, key, prefix),
    enabled: isKey && !isWhole && prefix !== '',
  });
  const counts = new Map(facets.map(({ value, count }) => [value, count]));
  const known = isWhole || text === '' ? [...counts.keys()] : found;
  const fitting = known.filter((value) => fits(value, text)).slice(0, MOST_SUGGESTIONS);
  const options = fitting.map((value) => optionOf(value, counts.get(value)));
  // It cannot be typed.
  if (text === '' && key !== '' && !counts.has('')) options.push(optionOf('', undefined));
  return options;
}

function fits(value: string, text: string): boolean {
  return searchable(value).includes(searchable(text));
}

function optionOf(value: string, count: number | undefined): Option {
  return {
    value,
    ...(value === '' && { label: <em className="text-muted">(empty)</em> }),
    ...(count !== undefined && { detail: formatCount(count) }),
  };
}
