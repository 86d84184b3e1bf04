import { clsx } from 'clsx';
import { Code, Download, Ellipsis, RefreshCw, Trash2 } from '../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import type { Access } from '../../api/accounts.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ApiCallDialog } from './api-call-dialog.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { labels } from './labels.ts';
import { type LogSearch, isNarrowed } from './log-search.ts';
import { countWords } from './count-words.ts';
import type { LogCount, LogList } from './use-log-list.ts';

interface LogToolbarProps {
  access: Access;
  place: GatewayPlace;
  search: LogSearch;
  names: CallerNames;
  list: LogList;
  onSearch: (search: LogSearch) => void;
  onDeleted: () => void;
  /** What else stands there. */
  children: ReactNode;
}

type Deed = 'export' | 'call' | 'delete';

/** How many logs there are, and what can be done with all of them. */
export function LogToolbar(props: LogToolbarProps) {
  const { access, search, list, children } = props;
  const [open, setOpen] = useState<Deed>();
  const close = (): void => setOpen(undefined);
  const isEmpty = list.count?.total === 0 && !isNarrowed(search) && search.range === undefined;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-sm text-muted">
        {list.count === undefined || list.isOld ? ' ' : matchWords(list.count, search)}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <IconButton
          label={labels.refresh}
          icon={
            <RefreshCw aria-hidden className={clsx('size-4', list.isReading && 'animate-spin')} />
          }
          onClick={list.refresh}
        />
        {!isEmpty && <Deeds onOpen={setOpen} />}
      </div>
      <ExportDialog isOpen={open === 'export'} onClose={close} {...props} />
      <ApiCallDialog isOpen={open === 'call'} onClose={close} {...props} />
      <DeleteDialog isOpen={open === 'delete'} onClose={close} {...props} access={access} />
    </div>
  );
}

interface DeedsProps {
  onOpen: (deed: Deed) => void;
}

function Deeds({ onOpen }: DeedsProps) {
  return (
    <>
      <Button
        isSmall
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => onOpen('export')}
      >
        {labels.export}
      </Button>
      <Menu
        trigger={
          <IconButton
            label={labels.moreActions}
            icon={<Ellipsis aria-hidden className="size-4" />}
          />
        }
      >
        <MenuItem icon={<Code aria-hidden className="size-4" />} onSelect={() => onOpen('call')}>
          {labels.showApiRequest}
        </MenuItem>
        <MenuItem
          isDangerous
          icon={<Trash2 aria-hidden className="size-4" />}
          onSelect={() => onOpen('delete')}
        >
          {labels.deleteTheseLogs}
        </MenuItem>
      </Menu>
    </>
  );
}

/** "About 3,200 logs match". */
function matchWords(count: LogCount, search: LogSearch): string {
  const isSome = isNarrowed(search) || search.range !== undefined;
  const matching = isSome ? (count.total === 1 ? ' matches' : ' match') : '';
  return `${countWords(count)}${matching}`;
}
