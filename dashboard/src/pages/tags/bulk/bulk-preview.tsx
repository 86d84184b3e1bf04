import { useQuery } from '@tanstack/react-query';
import type { ResourceRef } from '../../../api/resource-tags.ts';
import { readTagged } from '../../../api/bulk-tags.ts';
import { tagsKey } from '../../../api/tags.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import { typeWords } from '../resource/resource-types.ts';
import { changesBetween } from '../resource/tag-changes.ts';
import { TagDiff } from '../resource/tag-diff.tsx';
import { type BulkEdit, editedTags } from './bulk-draft.ts';
import { BulkFailures } from './bulk-failures.tsx';
import { BulkFigures } from './bulk-figures.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { doneBy } from './bulk-parts.ts';
import { BulkRequest } from './bulk-request.tsx';
import type { BulkRun } from './use-bulk-run.ts';

interface BulkPreviewProps {
  /** The trial. */
  run: BulkRun;
  onStop: () => void;
  onResume: () => void;
  onBack: () => void;
  onClose: () => void;
  onApply: (run: BulkRun) => void;
}

/** What a change of many resources comes to, before it is made. */
export function BulkPreview(props: BulkPreviewProps) {
  const { run, onStop, onResume } = props;
  const { job, progress, status, error } = run;
  const { tally } = progress;
  const { selection } = job;
  const isRunning = status === 'running' || status === 'stopping';
  const total = selection.kind === 'resources' ? selection.resources.length : undefined;
  return (
    <div className="space-y-5">
      {isRunning && (
        <div className="space-y-3">
          <Progress label={labels.resourcesChecked} done={doneBy(tally)} total={total} />
          <Button isSmall isBusy={status === 'stopping'} onClick={onStop}>
            {labels.stopCounting}
          </Button>
        </div>
      )}
      {status === 'failed' && <LoadFailure error={error} onRetry={onResume} />}
      {status === 'stopped' && (
        <Callout
          title={labels.countIncomplete}
          actions={
            <Button isSmall onClick={onResume}>
              {labels.continueCounting}
            </Button>
          }
        >
          {labels.theChangeStillApplies(selection.kind === 'filter' ? 'match' : 'are chosen')}
        </Callout>
      )}
      <BulkFigures tally={tally} isDone={false} />
      <BulkFailures title={labels.reasonsForFailures} failures={tally.failures} />
      {status === 'finished' && tally.changed === 0 && (
        <p className="text-muted">{labels.noResourceWouldChange}</p>
      )}
      {!isRunning && tally.samples.length > 0 && (
        <Samples
          accountId={job.accountId}
          edit={job.edit}
          samples={tally.samples}
          changed={tally.changed}
        />
      )}
      {!isRunning && <BulkRequest job={job} />}
      <PreviewActions {...props} />
    </div>
  );
}

function PreviewActions({ run, onBack, onClose, onApply }: BulkPreviewProps) {
  const { job, progress, status } = run;
  const { changed } = progress.tally;
  const isRunning = status === 'running' || status === 'stopping';
  const isPartly = status === 'stopped';
  const isRemoval = job.edit.mode === 'replace' && Object.keys(job.edit.tags).length === 0;
  const count = isPartly ? 'all of them' : counted(changed, 'resource');
  return (
    <Actions>
      <Button onClick={onClose}>{labels.cancel}</Button>
      <Button onClick={onBack}>{labels.back}</Button>
      <Button
        look={isRemoval ? 'danger' : 'primary'}
        disabled={isRunning || status === 'failed' || (changed === 0 && !isPartly)}
        onClick={() => onApply(run)}
      >
        {isRemoval ? labels.removeAllTagsOf(count) : labels.change(count)}
      </Button>
    </Actions>
  );
}

interface SamplesProps {
  accountId: string;
  edit: BulkEdit;
  samples: readonly ResourceRef[];
  /** How many change in all. */
  changed: number;
}

/** The first few that change, with what becomes of their tags. */
function Samples({ accountId, edit, samples, changed }: SamplesProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...tagsKey(accountId), 'samples', samples],
    queryFn: ({ signal }) => readTagged(accountId, samples, signal),
    staleTime: 0,
  });
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className="skeleton h-20" />;
  const title =
    changed > samples.length
      ? labels.theFirstOf(samples.length, formatCount(changed))
      : labels.changes;
  return (
    <section className="space-y-3">
      <h3 className="font-semibold">{title}</h3>
      {data.map((resource) => (
        <div key={`${resource.type}/${resource.id}`} className="space-y-1.5">
          <p className="text-sm">
            <span className="text-muted">{typeWords(resource.type)}</span>{' '}
            <bdi className="font-medium wrap-anywhere">{resource.name}</bdi>
          </p>
          <TagDiff
            label={labels.changesOf(resource.name)}
            changes={changesBetween(resource.tags, editedTags(resource.tags, edit))}
          />
        </div>
      ))}
    </section>
  );
}
