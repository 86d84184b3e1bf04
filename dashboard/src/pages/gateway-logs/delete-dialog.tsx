import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Access } from '../../api/accounts.ts';
import { refreshLogs } from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import { counted } from '../../lib/counted.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { LoadFailure, SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReadOnly } from '../role-needed.tsx';
import type { CallerNames } from '../../api/caller-names.ts';
import { countWords } from './count-words.ts';
import { type Doomed, countDoomed, deleteDoomed } from './delete-logs.ts';
import { describeSearch } from './filter-words.ts';
import { labels } from './labels.ts';
import { type LogSearch, changed, listKeyOf } from './log-search.ts';
import { Progress } from '../../ui/progress.tsx';

interface DeleteDialogProps {
  isOpen: boolean;
  onClose: () => void;
  access: Access;
  place: GatewayPlace;
  search: LogSearch;
  names: CallerNames;
  onSearch: (search: LogSearch) => void;
  onDeleted: () => void;
}

/** Deletes what the filters show, after it has said how much that is. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { isOpen, onClose } = props;
  const [isUnderWay, setIsUnderWay] = useState(false);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} isHeld={isUnderWay} title={labels.deleteTheseLogs}>
      <DeleteContent {...props} onUnderWay={setIsUnderWay} />
    </Dialog>
  );
}

interface DeleteContentProps extends DeleteDialogProps {
  onUnderWay: (isUnderWay: boolean) => void;
}

function DeleteContent(props: DeleteContentProps) {
  const { access, place, search, onClose, onSearch } = props;
  const isPossible = access.can('ai-gateway.write') && search.q === undefined;
  const count = useQuery({
    // Not among the logs: what was counted holds until all of it is deleted.
    queryKey: ['accounts', place.accountId, 'doomed-logs', place.gatewayId, listKeyOf(search)],
    queryFn: ({ signal }) => countDoomed(place, search, signal),
    enabled: isPossible,
    // It names the logs that there are at the moment.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!access.can('ai-gateway.write')) {
    return <ReadOnly access={access} permission="ai-gateway.write" deed={labels.readOnlyAction} />;
  }
  if (search.q !== undefined) {
    return (
      <>
        <p className="text-[0.9375rem]">{labels.youDeleteLogsByFilter}</p>
        <Actions>
          <Button onClick={onClose}>{labels.cancel}</Button>
          <Button
            onClick={() => {
              onClose();
              onSearch(changed(search, { q: undefined }));
            }}
          >
            {labels.removeSearch}
          </Button>
        </Actions>
      </>
    );
  }
  if (count.isError) {
    return <LoadFailure error={count.error} isUntitled onRetry={() => void count.refetch()} />;
  }
  if (count.data === undefined) return <p role="status">{labels.countingTheLogs}</p>;
  return <DeleteForm {...props} doomed={count.data} />;
}

/** From here on a click is too little. */
const MANY = 100;

interface DeleteFormProps extends DeleteContentProps {
  doomed: Doomed;
}

function useDeletion({ place, doomed, onUnderWay, onDeleted, onClose }: DeleteFormProps) {
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  // The rest stays when the page is left.
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const deed = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      onUnderWay(true);
      const before = done;
      let count = before;
      const note = (more: number): void => {
        count = before + more;
        setDone(count);
      };
      try {
        await deleteDoomed(place, doomed, note, () => isStopped.current);
      } finally {
        onUnderWay(false);
        if (count > 0) void refreshLogs(place);
      }
      return count;
    },
    onSuccess: (count) => {
      toast(labels.deleted(counted(count, 'log')));
      onDeleted();
      onClose();
    },
  });
  const stop = (): void => {
    isStopped.current = true;
  };
  return { deed, done, stop };
}

function DeleteForm(props: DeleteFormProps) {
  const { place, search, names, doomed, onClose } = props;
  const { total, isEstimated } = doomed;
  const [typed, setTyped] = useState('');
  const { deed, done, stop } = useDeletion(props);
  const phrase = total > MANY || isEstimated ? place.gatewayId : undefined;
  const isConfirmed = phrase === undefined || typed.trim() === phrase;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed && !deed.isPending) deed.mutate();
  };
  if (total === 0) return <Nothing onClose={onClose} />;
  return (
    <form onSubmit={submit} className="space-y-4">
      <Rule doomed={doomed} words={describeSearch(search, names)} gatewayId={place.gatewayId} />
      {phrase !== undefined && (
        <Field
          label={
            <>
              Type <strong className="wrap-anywhere">{phrase}</strong> to confirm
            </>
          }
        >
          <Input
            // It comes when the logs are counted.
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      )}
      {deed.isPending && <Progress label={labels.deletedTitle} done={done} total={total} />}
      {deed.isError && done > 0 && (
        <Callout tone="warning">
          {labels.deletedTheOtherLogsStill(counted(done, 'log is', 'logs are'))}
        </Callout>
      )}
      <SaveFailure error={deed.error} />
      <Actions>
        <Button onClick={deed.isPending ? stop : onClose}>
          {deed.isPending ? labels.stop : labels.cancel}
        </Button>
        <Button type="submit" look="danger" disabled={!isConfirmed} isBusy={deed.isPending}>
          {isEstimated ? labels.deleteLogs : labels.delete(counted(total, 'log'))}
        </Button>
      </Actions>
    </form>
  );
}

function Nothing({ onClose }: Pick<DeleteFormProps, 'onClose'>) {
  return (
    <>
      <p className="text-[0.9375rem]">{labels.noLogsMatchTheFilters}</p>
      <Actions>
        <Button onClick={onClose}>{labels.close}</Button>
      </Actions>
    </>
  );
}

interface RuleProps {
  doomed: Doomed;
  words: readonly string[];
  gatewayId: string;
}

/** What will be gone, in words. */
function Rule({ doomed, words, gatewayId }: RuleProps): ReactNode {
  const logs = countWords(doomed).replace(/^About/, 'about');
  return (
    <div className="space-y-2 text-[0.9375rem]">
      {words.length === 0 ? (
        <p>
          Deletes <strong>all {logs}</strong> of{' '}
          <span className="font-medium wrap-anywhere">{gatewayId}</span> with their requests and
          responses.
        </p>
      ) : (
        <>
          <p>
            Deletes <strong>{logs}</strong> of{' '}
            <span className="font-medium wrap-anywhere">{gatewayId}</span> with their requests and
            responses, if they match all of these filters:
          </p>
          <ul className="list-disc space-y-0.5 pl-5">
            {words.map((word) => (
              <li key={word} className="wrap-anywhere">
                <bdi>{word}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="text-muted">{labels.deletedLogsCantBeRestored}</p>
    </div>
  );
}
