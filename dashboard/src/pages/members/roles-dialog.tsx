import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type Member, changeRoles, membersQuery, rolesQuery } from '../../api/members.ts';
import { membershipsQuery } from '../../api/people.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { nameOf } from './member-words.ts';
import { RoleChoices } from './role-choices.tsx';
import { grantsInWords, lossOf } from './role-words.ts';

interface RolesDialogProps {
  member: Member;
  isSelf: boolean;
  /** Whether nobody else could decide over the account. */
  isLastSuperAdministrator: boolean;
  onClose: () => void;
}

/** Changes what a member may do. */
export function RolesDialog(props: RolesDialogProps) {
  const { member, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={`Roles of ${nameOf(member)}`}>
      <RolesForm {...props} />
    </Dialog>
  );
}

const LAST_ONE = 'An account keeps at least one Super Administrator: make somebody else one first.';

function RolesForm({ member, isSelf, isLastSuperAdministrator, onClose }: RolesDialogProps) {
  const { accountId } = useAccountOfPage();
  const queryClient = useQueryClient();
  const held = member.roles.map(({ id }) => id);
  const form = useApiForm<{ roles: string[] }>({
    values: { roles: held },
    fieldOf: (path) => (path.startsWith('roles') ? 'roles' : path),
    isGuarded: false,
    save: async ({ roles }) => {
      await changeRoles(accountId, member.id, roles);
      const { queryKey } = membersQuery(accountId);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        isSelf && queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
      ]);
      toast(`Roles of ${nameOf(member)} changed`);
      onClose();
    },
  });
  const {
    field: { value, onChange, ref },
  } = useController({
    control: form.control,
    name: 'roles',
    rules: {
      validate: (roles) => roles.length > 0 || 'Choose at least one role, or remove the member',
    },
  });
  return (
    <form onSubmit={form.submit} className="space-y-5">
      <RoleChoices
        value={value}
        onChange={onChange}
        ref={ref}
        error={form.formState.errors.roles?.message}
        held={held}
        whyKept={isLastSuperAdministrator ? LAST_ONE : undefined}
      />
      <div role="status" className="space-y-3">
        {isSelf && <OwnLoss member={member} chosen={value} />}
        {member.status === 'pending' && <LinkNote held={held} chosen={value} />}
      </div>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          Save roles
        </Button>
      </Actions>
    </form>
  );
}

/** What the person is about to take from themselves. */
function OwnLoss({ member, chosen }: { member: Member; chosen: readonly string[] }) {
  const { accountId } = useAccountOfPage();
  const { data: roles } = useSuspenseQuery(rolesQuery(accountId));
  const after = roles.filter(({ id }) => chosen.includes(id));
  const given = member.roles.filter((role) => !after.some(({ id }) => id === role.id));
  if (given.length === 0) return null;
  const isManager = after.some(({ permissions }) => permissions.members?.write === true);
  const loss = grantsInWords(lossOf(member.roles, after));
  return (
    <Callout tone="warning" title="You are about to take rights from yourself">
      {loss !== '' && <p>What you lose: {loss}</p>}
      <p>
        {isManager
          ? `You give up ${given.map(({ name }) => name).join(' and ')}: whoever holds that can give it back.`
          : 'Only somebody else who manages members can give them back to you.'}
      </p>
    </Callout>
  );
}

/** Whoever holds a link that was shown could take what is added now. */
function LinkNote({ held, chosen }: { held: readonly string[]; chosen: readonly string[] }) {
  if (chosen.every((id) => held.includes(id))) return null;
  return (
    <Callout tone="info">
      If the invitation link was shown to you rather than mailed, it works no more once a role is
      added. Renew the invitation afterwards.
    </Callout>
  );
}
