import { Link } from '@tanstack/react-router';
import type { ListedResource } from '../../../api/tags.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { addFilter } from './query-edit.ts';
import { type Selection, nameOfResource } from './selection.ts';
import { readTagFilter } from './tag-filter.ts';
import { TagLabels } from './tag-labels.tsx';

interface ResultTableProps {
  explorer: Explorer;
  resources: readonly ListedResource[];
  /** Undefined when the person may change nothing. */
  selection: Selection | undefined;
}

/** The resources of one page. */
export function ResultTable({ explorer, resources, selection }: ResultTableProps) {
  return (
    <Table
      caption={labels.resources}
      columns={columnsOf(explorer, selection)}
      rows={resources}
      keyOf={nameOfResource}
    />
  );
}

function columnsOf(
  { access: { accountId }, query, onQuery }: Explorer,
  selection: Selection | undefined,
): Column<ListedResource>[] {
  const filters = (query.tag ?? []).map(readTagFilter);
  const wantedKeys = new Set(filters.filter((one) => !one.isNegated).map(({ key }) => key));
  const want = (key: string, value: string): void => {
    onQuery(addFilter(query, { key, values: [value], isNegated: false }));
  };
  return [
    {
      title: labels.resource,
      cell: (resource) => (
        <NameCell accountId={accountId} resource={resource} selection={selection} />
      ),
    },
    {
      title: labels.tags,
      cell: (resource) => (
        <TagLabels accountId={accountId} resource={resource} wantedKeys={wantedKeys} onTag={want} />
      ),
    },
    {
      title: labels.changed,
      cell: ({ tags_updated_at: time }) => (
        <span className="text-sm whitespace-nowrap text-muted">
          <Time value={time} />
        </span>
      ),
    },
  ];
}

interface NameCellProps {
  accountId: string;
  resource: ListedResource;
  selection: Selection | undefined;
}

function NameCell({ accountId, resource, selection }: NameCellProps) {
  const { type, id, name } = resource;
  return (
    <span className="flex items-start gap-3">
      {selection !== undefined && (
        <input
          type="checkbox"
          aria-label={labels.select(name)}
          checked={selection.has(resource)}
          onChange={({ target }) => selection.set([resource], target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-accent md:size-4"
        />
      )}
      <span className="block min-w-0 md:max-w-72">
        <Link
          to="/accounts/$accountId/tags/$resourceType/$resourceId"
          params={{ accountId, resourceType: type, resourceId: id }}
          title={name}
          className="line-clamp-2 font-medium wrap-anywhere underline decoration-line underline-offset-4 hover:decoration-current"
        >
          <bdi>{name}</bdi>
        </Link>
        <span className="mt-0.5 line-clamp-1 text-xs wrap-anywhere text-muted" title={id}>
          {type}
          {id !== name && (
            <>
              {/* Unbroken, so that what there is room for of the ID is seen. */}
              {'\u00a0·\u00a0'}
              <bdi className="font-mono">{id}</bdi>
            </>
          )}
        </span>
      </span>
    </span>
  );
}
