import {
  type TaggedResource,
  isConflict,
  readTagsAnew,
  removeAllTags,
} from '../../../api/resource-tags.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { counted } from '../../../lib/counted.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';
import { isOwnType } from './resource-types.ts';
import type { SavedTags } from './tags-panel.tsx';

interface DeleteTagsProps {
  accountId: string;
  resource: TaggedResource;
  isOpen: boolean;
  onClose: () => void;
  onDeleted: (saved: SavedTags) => void;
}

/** Asks before all tags of a resource are taken away. */
export function DeleteTags({ accountId, resource, isOpen, onClose, onDeleted }: DeleteTagsProps) {
  const remove = async (): Promise<void> => {
    try {
      const after = await removeAllTags(accountId, resource);
      onDeleted({ before: resource, after });
      toast(labels.removedAllTags);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await readTagsAnew(accountId, resource);
      const message = labels.theseTagsHaveChanged;
      throw new ApiFailure(0, [{ code: 0, message }]);
    }
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={labels.removeAllTagsQuestion(resource.name)}
      label={labels.removeAllTags}
      onConfirm={remove}
    >
      <p>
        {counted(resource.tags.size, 'tag')} will be deleted, and tag searches no longer find this
        resource. {!isOwnType(resource.type) && labels.itsDisplayNameIsDeleted}You can undo this
        while this page is open.
      </p>
    </Confirm>
  );
}
