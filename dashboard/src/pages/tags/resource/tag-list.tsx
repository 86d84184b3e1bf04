import { searchable } from '../../../lib/searchable.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TagMap } from '../../../api/resource-tags.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/field.tsx';
import { labels } from '../labels.ts';
import { compareKeys } from './tag-changes.ts';
import { writeTagFilter } from '../explorer/tag-filter.ts';

const FEW = 25;
const SHOWN = 50;
const LONG_CHARACTERS = 200;

/** The tags of a resource, each with a way to all that have it. */
export function TagList({ accountId, tags }: { accountId: string; tags: TagMap }) {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const wanted = searchable(search);
  const found = [...tags]
    .filter(([key, value]) => searchable(`${key}=${value}`).includes(wanted))
    .toSorted(([a], [b]) => compareKeys(a, b));
  return (
    <div className="@container space-y-3">
      {tags.size > FEW && (
        <SearchInput
          label={labels.searchTheseTags}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <dl className="divide-y divide-line">
        {found.slice(0, limit).map(([key, value]) => (
          <div
            key={key}
            className="grid items-start gap-x-4 gap-y-0.5 py-2 first:pt-0 last:pb-0 sm:grid-cols-[minmax(6rem,2fr)_3fr] @xl:grid-cols-[14rem_1fr]"
          >
            <dt className="min-w-0 text-muted">
              <bdi className="font-mono text-sm wrap-anywhere">{key}</bdi>
            </dt>
            <dd className="min-w-0">
              <EverythingWith accountId={accountId} tagKey={key} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {found.length === 0 && <p className="text-muted">{labels.noMatchingTags}</p>}
      {found.length > limit && (
        <Button isSmall look="quiet" onClick={() => setLimit(limit + SHOWN)}>
          {labels.showMoreOf(found.length.toLocaleString('en'))}
        </Button>
      )}
    </div>
  );
}

interface EverythingWithProps {
  accountId: string;
  tagKey: string;
  value: string;
}

function EverythingWith({ accountId, tagKey, value }: EverythingWithProps) {
  const isLong = value.length > LONG_CHARACTERS;
  return (
    <Link
      to="/accounts/$accountId/tags"
      params={{ accountId }}
      search={{ tag: [writeTagFilter({ key: tagKey, values: [value], isNegated: false })] }}
      title={isLong ? value : labels.allResourcesWith(tagKey, value)}
      className="inline-block min-h-6 min-w-6 underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {value === '' ? (
        <span className="text-muted italic">empty</span>
      ) : (
        <bdi className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">
          {isLong ? `${value.slice(0, LONG_CHARACTERS).toWellFormed()}…` : value}
        </bdi>
      )}
    </Link>
  );
}
