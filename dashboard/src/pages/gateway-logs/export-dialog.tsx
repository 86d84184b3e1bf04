import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { GatewayPlace } from '../../api/gateways.ts';
import { counted } from '../../lib/counted.ts';
import { download } from '../../lib/download.ts';
import { formatCount } from '../../lib/figures.ts';
import { serverNow } from '../../lib/server-time.ts';
import { shellWord } from '../../lib/shell-command.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Check, Fieldset } from '../../ui/field.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import { countWords } from './count-words.ts';
import { type ExportFormat, MOST_EXPORTED, formatLogs, readForExport } from './export-logs.ts';
import { describeSearch } from './filter-words.ts';
import { labels } from './labels.ts';
import { type LogSearch, queryAt } from './log-search.ts';
import { Progress } from '../../ui/progress.tsx';
import type { LogList } from './use-log-list.ts';

interface ExportDialogProps {
  isOpen: boolean;
  onClose: () => void;
  place: GatewayPlace;
  search: LogSearch;
  names: CallerNames;
  list: LogList;
}

/** Keeps what the filters show as a file. */
export function ExportDialog(props: ExportDialogProps) {
  const { isOpen, onClose, search, names, list } = props;
  const words = describeSearch(search, names);
  const total = list.count?.total ?? 0;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={labels.exportLogs}
      lead={
        <bdi className="wrap-anywhere">
          {labels.requestsAndResponsesAreNot(
            [list.count === undefined ? 'Logs' : countWords(list.count), ...words].join(' · '),
          )}
        </bdi>
      }
    >
      <ExportForm {...props} total={total} />
    </Dialog>
  );
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
};

function useExport({ place, search, onClose }: ExportDialogProps) {
  const [done, setDone] = useState(0);
  const stop = useRef<AbortController>(undefined);
  // What nobody waits for any more is not read.
  useEffect(() => () => stop.current?.abort(), []);
  const deed = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const controller = new AbortController();
      stop.current = controller;
      setDone(0);
      const { signal } = controller;
      const logs = await readForExport(place, queryAt(search, serverNow()), signal, setDone);
      if (signal.aborted) return undefined;
      const name = `${place.gatewayId}-logs.${format}`;
      download(name, TYPES[format], formatLogs(logs, format));
      return { name, count: logs.length };
    },
    onSuccess: (saved) => {
      if (saved === undefined) return;
      toast(labels.savedAs(counted(saved.count, 'log'), saved.name));
      onClose();
    },
  });
  const cancel = (): void => {
    stop.current?.abort();
    deed.reset();
  };
  return { deed, done, cancel };
}

function ExportForm(props: ExportDialogProps & { total: number }) {
  const { place, total, onClose } = props;
  const [format, setFormat] = useState<ExportFormat>('jsonl');
  const { deed, done, cancel } = useExport(props);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!deed.isPending) deed.mutate(format);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Fieldset legend={labels.format}>
        <div className="space-y-2">
          <Check
            type="radio"
            name="format"
            label={labels.jsonLines}
            hint={labels.oneJsonObjectPerLine}
            checked={format === 'jsonl'}
            onChange={() => setFormat('jsonl')}
          />
          <Check
            type="radio"
            name="format"
            label={labels.csv}
            hint={labels.aTableForSpreadsheetsValues}
            checked={format === 'csv'}
            onChange={() => setFormat('csv')}
          />
        </div>
      </Fieldset>
      {total > MOST_EXPORTED && <Beyond place={place} />}
      {deed.isPending && (
        <Progress label={labels.loadingLogs} done={done} total={Math.min(total, MOST_EXPORTED)} />
      )}
      <SaveFailure error={deed.error} />
      <Actions>
        <Button onClick={deed.isPending ? cancel : onClose}>
          {deed.isPending ? labels.stop : labels.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={deed.isPending} disabled={total === 0}>
          {labels.export}
        </Button>
      </Actions>
    </form>
  );
}

function Beyond({ place: { accountId, gatewayId } }: Pick<ExportDialogProps, 'place'>) {
  const command = `npm start -- logs export --account ${accountId} --gateway ${shellWord(gatewayId)} --output logs.ndjson`;
  return (
    <div className="space-y-2 text-[0.9375rem]">
      <p>
        The file contains the first {formatCount(MOST_EXPORTED)} logs, in list order. The server
        operator can export all logs of the gateway with{' '}
        <code className="font-mono text-sm">latchkey logs export</code>:
      </p>
      <CodeBlock label="command" text={command} />
    </div>
  );
}
