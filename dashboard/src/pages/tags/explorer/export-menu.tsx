import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Copy, Download } from '../../../ui/icons.tsx';
import { useEffect, useRef } from 'react';
import type { ListedResource } from '../../../api/tags.ts';
import { describeFailure } from '../../../api/failure.ts';
import { writeToClipboard } from '../../../lib/clipboard.ts';
import { counted } from '../../../lib/counted.ts';
import { download } from '../../../lib/download.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { resourcesCsv, resourcesJson } from './resource-text.ts';
import { MOST_EXPORTED, readAll } from './result-export.ts';

interface ExportMenuProps {
  explorer: Explorer;
  /** Of the page that is shown. */
  resources: readonly ListedResource[];
}

const FORMATS = {
  CSV: { write: resourcesCsv, type: 'text/csv', name: 'tagged-resources.csv' },
  JSON: { write: resourcesJson, type: 'application/json', name: 'tagged-resources.json' },
} as const;

type Format = keyof typeof FORMATS;

/** The resources for other programs: this page, or as many as a file may have. */
export function ExportMenu({ explorer, resources }: ExportMenuProps) {
  const { access, query } = explorer;
  const copy = (format: Format): void => {
    void writeToClipboard(FORMATS[format].write(resources)).then(
      () => toast(labels.copiedAs(counted(resources.length, 'resource'), format)),
      () => toast({ tone: 'danger', text: labels.theBrowserBlockedCopyingDownload }),
    );
  };
  const stop = useRef<AbortController>(undefined);
  // Nobody waits for a file of a page that was left.
  useEffect(() => () => stop.current?.abort(), []);
  const file = useMutation({
    mutationFn: async (format: Format) => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      const { resources: all, isWhole } = await readAll(access.accountId, query, signal);
      const { name, type, write } = FORMATS[format];
      download(name, type, write(all));
      const count = counted(all.length, 'resource');
      toast(isWhole ? labels.downloaded(count) : labels.downloadedTheFirstResourcesMore(count));
    },
    onError: (error) => {
      if (stop.current?.signal.aborted === true) return;
      toast({ tone: 'danger', text: describeFailure(error) });
    },
  });
  return (
    <Menu
      trigger={
        <Button isSmall isBusy={file.isPending} icon={<Download aria-hidden className="size-4" />}>
          Export
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuLabel>{labels.thisPage}</MenuLabel>
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => copy('CSV')}>
        {labels.copyAsCsv}
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => copy('JSON')}>
        {labels.copyAsJson}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{labels.allMatchesUpTo(formatCount(MOST_EXPORTED))}</MenuLabel>
      <MenuItem icon={<Download aria-hidden />} onSelect={() => file.mutate('CSV')}>
        {labels.downloadAsCsv}
      </MenuItem>
      <MenuItem icon={<Download aria-hidden />} onSelect={() => file.mutate('JSON')}>
        {labels.downloadAsJson}
      </MenuItem>
    </Menu>
  );
}
