import { useMutation } from '@tanstack/react-query';
import { Pencil, Plus, Undo2 } from '../../../ui/icons.tsx';
import { type ReactNode, useRef, useState } from 'react';
import { type TaggedResource, changeTags, isConflict } from '../../../api/resource-tags.ts';
import { describeFailure } from '../../../api/failure.ts';
import { counted } from '../../../lib/counted.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';
import { isOwnType } from './resource-types.ts';
import { changesBetween, patchOf } from './tag-changes.ts';
import { TagEditor } from './tag-editor.tsx';
import { TagList } from './tag-list.tsx';

/** What was saved last, and how it was before. */
export interface SavedTags {
  before: TaggedResource;
  after: TaggedResource;
}

interface TagsPanelProps {
  accountId: string;
  resource: TaggedResource;
  mayWrite: boolean;
  hasName?: boolean;
  /** Whether a resource without tags is at once ready to be given some. */
  beginsEditing?: boolean;
  /** What was saved last on this page; undefined when there is nothing to undo. */
  saved: SavedTags | undefined;
  onSaved: (saved: SavedTags | undefined) => void;
  /** Beside the button that edits. */
  actions?: ReactNode;
}

/** The tags of one resource: to look at, and to change where they stand. */
export function TagsPanel(props: TagsPanelProps) {
  const { accountId, resource, mayWrite, hasName = false, beginsEditing = false } = props;
  const { actions, onSaved } = props;
  const isEmpty = resource.tags.size === 0;
  const [isEditing, setIsEditing] = useState(beginsEditing && isEmpty && mayWrite);
  const region = useRef<HTMLDivElement>(null);
  const stop = (): void => {
    setIsEditing(false);
    // The form is gone with all that could have had the focus.
    region.current?.focus();
  };
  const finish = (before: TaggedResource, after: TaggedResource): void => {
    stop();
    onSaved({ before, after });
    toast(labels.savedTheTags);
  };
  return (
    <Card
      title={labels.tags}
      // Suggestions come over what is below.
      className="overflow-visible!"
      lead={isEmpty || isEditing ? undefined : counted(resource.tags.size, 'tag')}
      actions={
        <>
          {actions}
          {mayWrite && !isEditing && (
            <EditButton isEmpty={isEmpty} onClick={() => setIsEditing(true)} />
          )}
        </>
      }
    >
      <div ref={region} tabIndex={-1} className="space-y-3 outline-none">
        {isEditing ? (
          <div className="-mx-3">
            <TagEditor
              accountId={accountId}
              resource={resource}
              hasName={hasName}
              onCancel={stop}
              onSaved={finish}
            />
          </div>
        ) : (
          <Seen {...props} />
        )}
      </div>
    </Card>
  );
}

function EditButton({ isEmpty, onClick }: { isEmpty: boolean; onClick: () => void }) {
  const Icon = isEmpty ? Plus : Pencil;
  return (
    <Button isSmall icon={<Icon aria-hidden className="size-4" />} onClick={onClick}>
      {isEmpty ? labels.addTags : labels.editTags}
    </Button>
  );
}

function Seen({ accountId, resource, saved, onSaved }: TagsPanelProps) {
  return (
    <>
      {resource.tags.size === 0 ? (
        <p className="text-muted">{labels.noTagsYetText}</p>
      ) : (
        <TagList accountId={accountId} tags={resource.tags} />
      )}
      {saved !== undefined && (
        <Undo accountId={accountId} saved={saved} onDone={() => onSaved(undefined)} />
      )}
    </>
  );
}

interface UndoProps {
  accountId: string;
  saved: SavedTags;
  onDone: () => void;
}

/** Takes back what was saved last, as long as nobody else has changed the tags since. */
function Undo({ accountId, saved, onDone }: UndoProps) {
  const { before, after } = saved;
  const { type, name, zoneId, accessApplicationId } = before;
  const changes = changesBetween(after.tags, before.tags);
  const undo = useMutation({
    // What else was known of it went with its last tag.
    mutationFn: () =>
      changeTags(
        accountId,
        after,
        patchOf(changes),
        isOwnType(type) ? {} : { name, zoneId, accessApplicationId },
      ),
    onSuccess: () => {
      onDone();
      toast(labels.restoredThePreviousTags);
    },
    onError: (error) => {
      const text = isConflict(error) ? labels.theTagsHaveChangedSince : describeFailure(error);
      toast({ tone: 'danger', text });
    },
  });
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted"
    >
      {changes.length === 0 ? labels.saved : labels.savedChanges(counted(changes.length, 'change'))}
      <Button
        isSmall
        isBusy={undo.isPending}
        icon={<Undo2 aria-hidden className="size-4" />}
        onClick={() => undo.mutate()}
      >
        {labels.undo}
      </Button>
    </p>
  );
}
