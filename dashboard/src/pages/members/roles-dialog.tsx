import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { useAccountOfPage } from '../../api/accounts.ts';
import {
  type Member,
  changeRoles,
  membersQuery,
  readMember,
  rolesQuery,
} from '../../api/members.ts';
import { membershipsQuery } from '../../api/people.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { labels } from './labels.ts';
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
    <Dialog isOpen onClose={onClose} title={labels.rolesOf(nameOf(member))}>
      <RolesForm {...props} />
    </Dialog>
  );
}

const LAST_ONE = labels.anAccountNeedsAtLeast;

function RolesForm({ member, isSelf, isLastSuperAdministrator, onClose }: RolesDialogProps) {
  const { accountId } = useAccountOfPage();
  const queryClient = useQueryClient();
  const held = member.roles.map(({ id }) => id);
  const edit = useEdit(member, () => readMember(accountId, member.id));
  const form = useApiForm<{ roles: string[] }>({
    values: { roles: held },
    fieldOf: (path) => (path.startsWith('roles') ? 'roles' : path),
    isGuarded: false,
    save: async ({ roles }) => {
      await edit.save(['roles'], (headers) => changeRoles(accountId, member.id, roles, headers));
      const { queryKey } = membersQuery(accountId);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        isSelf && queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
      ]);
      toast(labels.changedTheRolesOf(nameOf(member)));
      onClose();
    },
  });
  const {
    field: { value, onChange, ref },
  } = useController({
    control: form.control,
    name: 'roles',
    rules: {
      validate: (roles) => roles.length > 0 || labels.chooseAtLeastOneRoleOr,
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
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.saveRoles}
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
    <Callout tone="warning" title={labels.youAreAboutToRemove}>
      {loss !== '' && <p>{labels.youLose(loss)}</p>}
      <p>
        {isManager
          ? labels.youGiveUp(given.map(({ name }) => name).join(' and '))
          : labels.onlyAnotherMemberWhoManages}
      </p>
    </Callout>
  );
}

/** Whoever holds a link that was shown could take what is added now. */
function LinkNote({ held, chosen }: { held: readonly string[]; chosen: readonly string[] }) {
  if (chosen.every((id) => held.includes(id))) return null;
  return <Callout tone="info">{labels.anInvitationLinkThatYou}</Callout>;
}
