import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import {
  type TaggedResource,
  changeTags,
  isConflict,
  readTagsAnew,
  tagsRequest,
} from '../../../api/resource-tags.ts';
import { counted } from '../../../lib/counted.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import { UnsavedGuard } from '../../../ui/form.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import { isOwnType } from './resource-types.ts';
import { patchOf } from './tag-changes.ts';
import { TagMeanwhile } from './tag-meanwhile.tsx';
import { TagRequest } from './tag-request.tsx';
import { TagRows } from './tag-rows.tsx';
import { type TagEditorState, useTagEditor } from './use-tag-editor.ts';

const MAX_NAME_CHARACTERS = 1_024;

interface TagEditorProps {
  accountId: string;
  /** As it is now: it may change while somebody writes. */
  resource: TaggedResource;
  /** Whether the name of a resource that lives elsewhere can be changed too. */
  hasName?: boolean;
  /** Undefined where there is nothing to go back to. */
  onCancel?: (() => void) | undefined;
  onSaved: (before: TaggedResource, after: TaggedResource) => void;
}

/** Changes the tags of one resource. What somebody else changes meanwhile is not overwritten. */
export function TagEditor({
  accountId,
  resource,
  hasName = false,
  onCancel,
  onSaved,
}: TagEditorProps) {
  const editor = useTagEditor(resource);
  const { base, changes, newName, faults, isDirty } = editor;
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: () => changeTags(accountId, base, patchOf(changes), { name: newName }),
    onSuccess: (after) => onSaved(base, after),
    onError: async (error) => {
      if (!isConflict(error)) return;
      await readTagsAnew(accountId, base);
    },
  });
  useFollow(editor, resource, save.isPending);
  const hasChanges = changes.length > 0 || newName !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsChecked(true);
    if (faults.size > 0) focusFault(form);
    else if (hasChanges && !save.isPending) save.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="space-y-4">
      <UnsavedGuard isUnsaved={isDirty} isSaving={save.isPending} />
      {editor.meanwhile !== undefined && (
        <div className="px-3">
          <TagMeanwhile meanwhile={editor.meanwhile} editor={editor} />
        </div>
      )}
      {hasName && !isOwnType(base.type) && <NameField editor={editor} />}
      <TagRows accountId={accountId} editor={editor} isChecked={isChecked} />
      {hasChanges && faults.size === 0 && <Request accountId={accountId} editor={editor} />}
      <div className="px-3 empty:hidden">
        <Refusal
          error={save.isPending ? null : save.error}
          isFollowed={editor.meanwhile !== undefined || resource.etag !== base.etag}
          isNothingLeft={!hasChanges}
        />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 px-3">
        <p role="status" className="mr-auto text-sm text-muted">
          {changes.length > 0 ? labels.notSavedYet(counted(changes.length, 'change')) : ''}
        </p>
        {onCancel !== undefined && (
          <Button isSmall disabled={save.isPending} onClick={onCancel}>
            {labels.cancel}
          </Button>
        )}
        <Button
          isSmall
          type="submit"
          look="primary"
          isBusy={save.isPending}
          disabled={!hasChanges && faults.size === 0}
        >
          {labels.saveTags}
        </Button>
      </div>
    </form>
  );
}

interface RefusalProps {
  error: unknown;
  /** Whether it stands above what others have changed. */
  isFollowed: boolean;
  isNothingLeft: boolean;
}

function Refusal({ error, isFollowed, isNothingLeft }: RefusalProps) {
  if (!isConflict(error)) return <SaveFailure error={error} />;
  if (isFollowed) return null;
  if (!isNothingLeft) return <SaveFailure error={error} />;
  return (
    <Callout isAlert title={labels.theseTagsHaveChangedIn}>
      {labels.theCurrentTagsEqual}
    </Callout>
  );
}

function NameField({ editor }: { editor: TagEditorState }) {
  return (
    <Field label={labels.name} isOptional hint={labels.displayNameInListsWithout} className="px-3">
      <Input
        value={editor.name}
        maxLength={MAX_NAME_CHARACTERS}
        onChange={(event) => editor.dispatch({ do: 'name', text: event.target.value })}
      />
    </Field>
  );
}

/** Once the faults are drawn. */
function focusFault(form: RefObject<HTMLFormElement | null>): void {
  setTimeout(() => focusFirstFault(form.current));
}

/** Puts what is written onto what somebody else has saved. */
function useFollow(
  { base, dispatch }: TagEditorState,
  resource: TaggedResource,
  isSaving: boolean,
): void {
  useEffect(() => {
    // What is being saved is no change of somebody else.
    if (isSaving || resource.etag === base.etag) return;
    dispatch({ do: 'rebase', theirs: resource });
  }, [isSaving, resource, base, dispatch]);
}

function Request({ accountId, editor }: { accountId: string; editor: TagEditorState }) {
  const { base, changes, newName } = editor;
  const { body, ifMatch } = tagsRequest(base, patchOf(changes), { name: newName });
  return (
    <div className="px-3">
      <TagRequest
        accountId={accountId}
        method="PATCH"
        headers={{ 'If-Match': ifMatch }}
        body={body}
      />
    </div>
  );
}
