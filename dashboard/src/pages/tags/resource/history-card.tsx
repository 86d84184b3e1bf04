import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from '../../../ui/icons.tsx';
import { useEffect, useState } from 'react';
import type { Access } from '../../../api/accounts.ts';
import type { AuditRow } from '../../../api/audit-log.ts';
import { HISTORY_ROWS, type TaggedResource, tagHistoryQuery } from '../../../api/resource-tags.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { LoadFailure, LoadingRows } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { describeActor } from '../../audit-log/audit-words.ts';
import { ReadOnly } from '../../role-needed.tsx';
import { labels } from '../labels.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { changesBetween } from './tag-changes.ts';
import { TagDiff } from './tag-diff.tsx';
import { type HistoryStep, type StepKind, restorable, stepsOf } from './tag-history.ts';
import type { SavedTags } from './tags-panel.tsx';

type TagHistory = UseInfiniteQueryResult<
  InfiniteData<{ rows: AuditRow[]; next: string | undefined }>
>;

interface HistoryCardProps {
  access: Access;
  resource: TaggedResource;
  onRestored: (saved: SavedTags) => void;
}

/** Who changed what when, and the way back to how it was. */
export function HistoryCard(props: HistoryCardProps) {
  const { access } = props;
  return (
    <Card title={labels.history} lead={labels.changesOfTheseTags}>
      {access.can('audit-logs.read') ? (
        <Steps {...props} />
      ) : (
        <ReadOnly access={access} permission="audit-logs.read" deed={labels.viewHistory} />
      )}
    </Card>
  );
}

function Steps({ access, resource, onRestored }: HistoryCardProps) {
  const { accountId } = access;
  const log = useInfiniteQuery(tagHistoryQuery(accountId, resource));
  const [restoring, setRestoring] = useState<HistoryStep>();
  const { data, error, isPending, hasNextPage } = log;
  const isSearching = useFurtherSearch(log);
  if (isPending) return <LoadingSteps />;
  if (data === undefined) return <LoadFailure error={error} onRetry={() => void log.refetch()} />;
  const rows = data.pages.flatMap((page) => page.rows);
  const steps = stepsOf(rows, !hasNextPage, resource.tags);
  if (steps.length === 0) return <p className="text-muted">{labels.noChangesYet}</p>;
  return (
    <div className="space-y-4">
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <Step
            key={step.row.id}
            accountId={accountId}
            step={step}
            isCurrent={isCurrent(step, resource)}
            onRestore={access.can('tags.write') ? () => setRestoring(step) : undefined}
          />
        ))}
      </ol>
      {log.isFetchNextPageError && (
        <LoadFailure error={error} onRetry={() => void log.fetchNextPage()} />
      )}
      {isSearching && (
        <p role="status" className="text-center text-sm text-muted">
          {labels.loadingEarlierChanges}
        </p>
      )}
      {hasNextPage && !isSearching && (
        <div className="flex justify-center">
          <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {labels.loadMore}
          </Button>
        </div>
      )}
      {restoring !== undefined && (
        <RestoreDialog
          accountId={accountId}
          resource={resource}
          step={restoring}
          onClose={() => setRestoring(undefined)}
          onRestored={onRestored}
        />
      )}
    </div>
  );
}

// A large log is searched in parts. By then somebody may say whether to go on.
const MOST_PARTS = 20;

/** Goes on while less was found than a page holds: the log is long, and this resource has few entries in it. */
function useFurtherSearch(log: TagHistory): boolean {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = log;
  const pages = data?.pages ?? [];
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const isSearching = hasNextPage && !isError && rows < HISTORY_ROWS && pages.length < MOST_PARTS;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return isSearching;
}

/** Whether the tags are again, or still, as they were after a step. */
function isCurrent(step: HistoryStep, { tags }: TaggedResource): boolean {
  return changesBetween(tags, restorable(step, tags).tags).length === 0;
}

function LoadingSteps() {
  return <LoadingRows rows={3} />;
}

const KIND_WORDS: Readonly<Record<StepKind, string>> = {
  put: labels.setAllTags,
  patch: labels.changedTags,
  delete: labels.removedAllTags,
};

interface StepProps {
  accountId: string;
  step: HistoryStep;
  isCurrent: boolean;
  onRestore: (() => void) | undefined;
}

function Step({ accountId, step, isCurrent: isNow, onRestore }: StepProps) {
  const { row, kind, changes } = step;
  const { who, through } = describeActor(row);
  return (
    <li className="space-y-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-56">
          <span className="font-medium">{KIND_WORDS[kind]}</span>{' '}
          <Link
            to="/accounts/$accountId/audit-log"
            params={{ accountId }}
            search={{ row: row.id }}
            title={labels.auditLogEntry}
            className="text-muted underline decoration-line underline-offset-4 hover:decoration-current"
          >
            <Time value={row.action.time} isPast />
          </Link>
          <span className="block text-sm wrap-anywhere text-muted">
            {who}
            {through !== undefined && ` · ${through}`}
          </span>
        </p>
        {isNow ? (
          <span className="text-sm text-muted">{labels.currentTags}</span>
        ) : (
          onRestore !== undefined && (
            <Button isSmall icon={<RotateCcw aria-hidden className="size-4" />} onClick={onRestore}>
              {labels.restore}
            </Button>
          )
        )}
      </div>
      {changes.length > 0 ? (
        <TagDiff label={labels.whatChanged} changes={changes} />
      ) : (
        <p className="text-sm text-muted">{labels.thisChangeAffectedNoTags}</p>
      )}
    </li>
  );
}
