import { useNavigate } from '@tanstack/react-router';
import { createAccount } from '../../api/memberships.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

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
      title="Create an account"
      lead="A separate place with its own members, applications, tokens and audit log. You become its Super Administrator."
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
      toast(`${name.trim()} is created.`);
      await navigate({ to: '/accounts/$accountId', params: { accountId } });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="space-y-4">
      {form.guard}
      <Field
        label="Name"
        hint="Your team or company, for example. It can be changed later."
        error={form.formState.errors.name?.message}
      >
        <Input
          {...form.register('name', {
            validate: (name) => name.trim() !== '' || 'Give it a name.',
          })}
          maxLength={MAX_NAME_LENGTH}
        />
      </Field>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          Create account
        </Button>
      </Actions>
    </form>
  );
}
