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
      toast('All tags are removed');
    } catch (error) {
      if (!isConflict(error)) throw error;
      await readTagsAnew(accountId, resource);
      const message = 'These tags were changed meanwhile. Look at them, then decide again.';
      throw new ApiFailure(0, [{ code: 0, message }]);
    }
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove all tags of ${resource.name}?`}
      label="Remove all tags"
      onConfirm={remove}
    >
      <p>
        {counted(resource.tags.size, 'tag')} will be gone, and searches by tag find this resource no
        more. {!isOwnType(resource.type) && 'Its name here goes too. '}
        You can undo it as long as this page is open.
      </p>
    </Confirm>
  );
}
