import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type InvitedMember, inviteMember, membersQuery } from '../../api/members.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { InvitationTold } from './invitation-told.tsx';
import { labels } from './labels.ts';
import { RoleChoices } from './role-choices.tsx';

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

const LEAD = labels.theInviteeGetsALink + 'the sign-in that they have.';

/** Invites somebody, and then shows the link where it is not mailed. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const [invited, setInvited] = useState<InvitedMember>();
  const close = (): void => {
    setInvited(undefined);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={invited === undefined ? labels.inviteAMember : labels.invited(invited.email)}
      lead={invited === undefined ? LEAD : undefined}
      // The link cannot be shown again.
      isHeld={invited?.invitation_url !== undefined}
    >
      {invited === undefined ? (
        <InviteForm onInvited={setInvited} onClose={close} />
      ) : (
        <InvitationTold invited={invited} onClose={close} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  onInvited: (member: InvitedMember) => void;
  onClose: () => void;
}

interface Invitation {
  email: string;
  roles: string[];
}

function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const { accountId } = useAccountOfPage();
  const queryClient = useQueryClient();
  const form = useApiForm<Invitation>({
    values: { email: '', roles: [] },
    fieldOf: (path) => (path.startsWith('roles') ? 'roles' : path),
    isGuarded: false,
    save: async ({ email, roles }, idempotencyKey) => {
      const invited = await inviteMember(accountId, { email: email.trim(), roles }, idempotencyKey);
      onInvited(invited);
      void queryClient.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
    },
  });
  const { errors } = form.formState;
  const {
    field: { value, onChange, ref },
  } = useController({
    control: form.control,
    name: 'roles',
    rules: { validate: (roles) => roles.length > 0 || labels.chooseAtLeastOneRole },
  });
  return (
    <form onSubmit={form.submit} noValidate className="space-y-5">
      <Field label={labels.emailAddress} error={errors.email?.message}>
        <Input
          type="email"
          inputMode="email"
          {...form.register('email', { required: labels.enterAnEmailAddress })}
        />
      </Field>
      <RoleChoices value={value} onChange={onChange} ref={ref} error={errors.roles?.message} />
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.invite}
        </Button>
      </Actions>
    </form>
  );
}
