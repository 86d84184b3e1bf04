import { clsx } from 'clsx';
import { Link } from '@tanstack/react-router';
import type { ListedResource } from '../../../api/tags.ts';
import { labels } from '../labels.ts';
import { shownValue } from './filter-words.ts';

interface TagLabelsProps {
  accountId: string;
  resource: ListedResource;
  /** Keys that the query asks for: their tags come first and stand out. */
  wantedKeys: ReadonlySet<string>;
  /** Asks for a tag too. */
  onTag: (key: string, value: string) => void;
}

const MOST_SHOWN = 4;

/** The tags of a resource, the first few of them. */
export function TagLabels({ accountId, resource, wantedKeys, onTag }: TagLabelsProps) {
  const { tags, type, id } = resource;
  const entries = Object.entries(tags);
  // Sorting moves nothing when few of very many are wanted.
  const wanted = entries.filter(([key]) => wantedKeys.has(key));
  const others = entries.filter(([key]) => !wantedKeys.has(key)).slice(0, MOST_SHOWN);
  const shown = [...wanted, ...others].slice(0, MOST_SHOWN);
  const left = entries.length - shown.length;
  return (
    <span className="flex flex-wrap gap-1">
      {shown.map(([key, value]) => (
        <button
          key={key}
          type="button"
          title={`${key}: ${shownValue(value)}`}
          onClick={() => onTag(key, value)}
          className={clsx(
            'flex max-w-full min-h-6 sm:max-w-64 items-center gap-1 rounded-md border px-1.5 text-xs hover:border-edge hover:bg-hover',
            wantedKeys.has(key) ? 'border-accent-line bg-accent-soft' : 'border-line bg-sunken',
          )}
        >
          <span className="sr-only">{labels.showOnly}</span>
          <bdi className="max-w-24 shrink-0 sm:max-w-32 truncate text-muted">{key}</bdi>
          <bdi className="min-w-0 truncate">
            {value === '' ? <em className="text-muted">(empty)</em> : value}
          </bdi>
        </button>
      ))}
      {left > 0 && (
        <Link
          to="/accounts/$accountId/tags/$resourceType/$resourceId"
          params={{ accountId, resourceType: type, resourceId: id }}
          className="flex min-h-6 items-center rounded-md px-1.5 text-xs text-muted underline decoration-line underline-offset-2 hover:text-text"
        >
          +{left}
          <span className="sr-only"> more tags</span>
        </Link>
      )}
    </span>
  );
}
