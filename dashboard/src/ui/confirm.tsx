import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { IfMatch, RecordAnswer } from '../api/edit.ts';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { Field, Input } from './field.tsx';
import { SaveFailure } from './states.tsx';
import { useEdit } from './use-edit.ts';

interface ConfirmProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  /** What the button says: the deed itself, such as "Delete client". */
  label: string;
  /** Has to be typed first: for what takes much away for ever. */
  phrase?: string;
  isDangerous?: boolean;
  /** Does it; the dialog closes when it is done, and says why when it fails. */
  onConfirm: () => Promise<unknown>;
}

/** Asks whether something is really meant. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, onClose, title } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

interface DeletionProps<R extends object> extends Omit<ConfirmProps, 'onConfirm'> {
  /** The record as the page shows it. */
  record: R;
  /** Reads the record from the server. */
  read: () => RecordAnswer<R>;
  /** Deletes the record. */
  onConfirm: (headers: IfMatch) => Promise<unknown>;
}

/** Asks before it deletes a record. If another user has changed the record, the dialog shows the change first. */
export function ConfirmDeletion<R extends object>(props: DeletionProps<R>) {
  const { isOpen, onClose, title } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <DeletionForm {...props} />
    </Dialog>
  );
}

function DeletionForm<R extends object>({ record, read, onConfirm, ...rest }: DeletionProps<R>) {
  const edit = useEdit(record, read);
  return <ConfirmForm {...rest} onConfirm={() => edit.remove(onConfirm)} />;
}

/** By itself, so that what was typed and refused is gone with the dialog. */
function ConfirmForm({
  onClose,
  children,
  label,
  phrase,
  isDangerous = true,
  onConfirm,
}: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const deed = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isConfirmed = phrase === undefined || typed.trim() === phrase.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // It may have been opened from within another form.
    event.stopPropagation();
    if (isConfirmed && !deed.isPending) deed.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="space-y-2 text-[0.9375rem]">{children}</div>
      {phrase !== undefined && (
        <Field
          label={
            <>
              Type <strong className="wrap-anywhere">{phrase}</strong> to confirm
            </>
          }
        >
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
      <SaveFailure error={deed.error} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look={isDangerous ? 'danger' : 'primary'}
          disabled={!isConfirmed}
          isBusy={deed.isPending}
        >
          {label}
        </Button>
      </Actions>
    </form>
  );
}
