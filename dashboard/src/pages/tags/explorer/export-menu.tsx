import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Copy, Download } from 'lucide-react';
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
      () => toast(`${counted(resources.length, 'resource')} copied as ${format}`),
      () => toast({ tone: 'danger', text: 'The browser did not let us copy: download it.' }),
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
      toast(isWhole ? `${count} downloaded` : `The first ${count} downloaded: there are more`);
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
      <MenuLabel>This page</MenuLabel>
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => copy('CSV')}>
        Copy as CSV
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => copy('JSON')}>
        Copy as JSON
      </MenuItem>
      <MenuLine />
      <MenuLabel>All that match, up to {formatCount(MOST_EXPORTED)}</MenuLabel>
      <MenuItem icon={<Download aria-hidden />} onSelect={() => file.mutate('CSV')}>
        Download as CSV
      </MenuItem>
      <MenuItem icon={<Download aria-hidden />} onSelect={() => file.mutate('JSON')}>
        Download as JSON
      </MenuItem>
    </Menu>
  );
}
