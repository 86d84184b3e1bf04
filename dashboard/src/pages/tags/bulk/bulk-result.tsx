import type { BulkItem } from '../../../api/bulk-tags.ts';
import { counted } from '../../../lib/counted.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import { BulkFailures } from './bulk-failures.tsx';
import { BulkFigures } from './bulk-figures.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { type BulkSelection, doneBy } from './bulk-parts.ts';
import type { BulkRun } from './use-bulk-run.ts';

interface BulkResultProps {
  run: BulkRun;
  /** The trial before it: how many there are. */
  total: BulkRun | undefined;
  onStop: () => void;
  onResume: () => void;
  onRetry: (selection: BulkSelection) => void;
  onDone: () => void;
}

/** How a change of many resources goes on, and what came of it. */
export function BulkResult({ run, total, onStop, onResume, onRetry, onDone }: BulkResultProps) {
  const { progress, status, error } = run;
  const { tally } = progress;
  const isRunning = status === 'running' || status === 'stopping';
  const isOver = status === 'finished';
  const expected = total?.status === 'finished' ? doneBy(total.progress.tally) : undefined;
  const failed = refsOf(tally.failures);
  return (
    <div className="space-y-5">
      {isRunning && (
        <Progress label={labels.resourcesWritten} done={doneBy(tally)} total={expected} />
      )}
      {isOver && (
        <Callout tone={tally.failures.length === 0 ? 'good' : 'warning'} isAlert>
          {tally.failures.length === 0
            ? labels.doneChanged(counted(tally.changed, 'resource was', 'resources were'))
            : labels.changedNot(
                counted(tally.changed, 'resource was', 'resources were'),
                tally.failures.length.toLocaleString('en'),
              )}
        </Callout>
      )}
      {status === 'stopped' && (
        <Callout tone="warning" isAlert title={labels.stoppedEarly}>
          {labels.theResourcesCountedBelow}
        </Callout>
      )}
      {status === 'failed' && (
        <>
          <SaveFailure error={error} />
          <p className="text-[0.9375rem]">{labels.theResourcesCountedBelowWere}</p>
        </>
      )}
      <BulkFigures tally={tally} isDone />
      <BulkFailures title={labels.reasonsForFailures} failures={tally.failures} />
      <Actions>
        {isRunning ? (
          <Button isBusy={status === 'stopping'} onClick={onStop}>
            {labels.stop}
          </Button>
        ) : (
          <>
            {isOver && failed.length > 0 && (
              <Button onClick={() => onRetry({ kind: 'resources', resources: failed })}>
                {labels.retryFailedResources}
              </Button>
            )}
            {!isOver && (
              <Button onClick={onResume}>
                {status === 'failed' ? labels.tryAgain : labels.continue}
              </Button>
            )}
            <Button look="primary" onClick={onDone}>
              {labels.done}
            </Button>
          </>
        )}
      </Actions>
    </div>
  );
}

function refsOf(failures: readonly BulkItem[]) {
  return failures.flatMap(({ resource_type: type, resource_id: id }) =>
    type === undefined || id === undefined ? [] : [{ type, id }],
  );
}
