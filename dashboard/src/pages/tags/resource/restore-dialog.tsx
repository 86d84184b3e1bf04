import { useMutation } from '@tanstack/react-query';
import {
  type TaggedResource,
  changeTags,
  isConflict,
  readTagsAnew,
} from '../../../api/resource-tags.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { formatTime } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';
import { changesBetween, patchOf } from './tag-changes.ts';
import { TagDiff } from './tag-diff.tsx';
import { type HistoryStep, restorable } from './tag-history.ts';
import type { SavedTags } from './tags-panel.tsx';

interface RestoreDialogProps {
  accountId: string;
  /** As it is now. */
  resource: TaggedResource;
  step: HistoryStep;
  onClose: () => void;
  onRestored: (saved: SavedTags) => void;
}

/** Makes the tags again what they were after a step of their history. */
export function RestoreDialog({
  accountId,
  resource,
  step,
  onClose,
  onRestored,
}: RestoreDialogProps) {
  const { tags, unknown } = restorable(step, resource.tags);
  const changes = changesBetween(resource.tags, tags);
  const restore = useMutation({
    mutationFn: () => changeTags(accountId, resource, patchOf(changes)),
    onSuccess: (after) => {
      onRestored({ before: resource, after });
      onClose();
      toast(labels.restoredTheTags);
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      await readTagsAnew(accountId, resource);
    },
  });
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={labels.restoreTheseTags}
      lead={labels.setsTheTags(formatTime(step.row.action.time))}
    >
      <div className="space-y-4">
        {changes.length > 0 ? (
          <TagDiff label={labels.changes} changes={changes} />
        ) : (
          <p className="text-muted">{labels.theTagsAlready}</p>
        )}
        {unknown.length > 0 && (
          <Callout title={labels.someTagsCantBeRestored}>
            The log doesn't contain these values, so they stay unchanged:{' '}
            <span className="font-mono text-sm">{unknown.join(', ')}</span>
          </Callout>
        )}
        {isConflict(restore.error) ? (
          <Callout tone="warning" isAlert title={labels.theseTagsHaveChangedIn}>
            {labels.notRestoredYetTheList}
          </Callout>
        ) : (
          <SaveFailure error={restore.error} />
        )}
        <Actions>
          <Button onClick={onClose}>{labels.cancel}</Button>
          <Button
            look="primary"
            disabled={changes.length === 0}
            isBusy={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {labels.restoreTags}
          </Button>
        </Actions>
      </div>
    </Dialog>
  );
}
