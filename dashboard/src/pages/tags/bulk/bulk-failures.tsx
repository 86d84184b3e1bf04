import { Download } from '../../../ui/icons.tsx';
import type { BulkItem } from '../../../api/bulk-tags.ts';
import { download } from '../../../lib/download.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import { typeWords } from '../resource/resource-types.ts';
import { reasonOf } from './bulk-words.ts';

const SHOWN = 20;

interface BulkFailuresProps {
  title: string;
  failures: readonly BulkItem[];
}

/** Which resources are not changed, and why. */
export function BulkFailures({ title, failures }: BulkFailuresProps) {
  if (failures.length === 0) return null;
  const save = (): void => {
    download('tags-not-changed.json', 'application/json', JSON.stringify(failures, null, 2));
  };
  return (
    <section className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{title}</h3>
        <Button isSmall icon={<Download aria-hidden className="size-4" />} onClick={save}>
          {labels.downloadJson}
        </Button>
      </div>
      <ul
        aria-label={title}
        className="divide-y divide-line overflow-hidden rounded-lg border border-line"
      >
        {failures.slice(0, SHOWN).map((item) => (
          <li
            key={`${item.resource_type}/${item.resource_id}`}
            className="grid gap-x-4 gap-y-0.5 px-3 py-1.5 text-sm sm:grid-cols-2"
          >
            <span className="min-w-0">
              <span className="text-muted">{typeWords(item.resource_type ?? '')}</span>{' '}
              <bdi className="font-mono wrap-anywhere">{item.resource_id}</bdi>
            </span>
            <span className="wrap-anywhere text-danger">{reasonOf(item)}</span>
          </li>
        ))}
      </ul>
      {failures.length > SHOWN && (
        <p className="text-sm text-muted">
          {labels.andMoreAllListed(formatCount(failures.length - SHOWN))}
        </p>
      )}
    </section>
  );
}
