import { useNavigate } from '@tanstack/react-router';
import { createAccount } from '../../api/memberships.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

const MAX_NAME_LENGTH = 100;

interface CreateAccountProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for what a new account needs, and leads there. */
export function CreateAccount({ isOpen, onClose }: CreateAccountProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={labels.createAnAccount}
      lead={labels.eachAccountHasItsOwn}
    >
      <CreateAccountForm onClose={onClose} />
    </Dialog>
  );
}

function CreateAccountForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useApiForm<{ name: string }>({
    values: { name: '' },
    save: async ({ name }, idempotencyKey) => {
      const accountId = await createAccount(name.trim(), idempotencyKey);
      toast(labels.created(name.trim()));
      await navigate({ to: '/accounts/$accountId', params: { accountId } });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="space-y-4">
      {form.guard}
      <Field
        label={labels.name}
        hint={labels.forExampleYourTeam}
        error={form.formState.errors.name?.message}
      >
        <Input
          {...form.register('name', {
            validate: (name) => name.trim() !== '' || labels.enterAName,
          })}
          maxLength={MAX_NAME_LENGTH}
        />
      </Field>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.createAccount}
        </Button>
      </Actions>
    </form>
  );
}
