import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAccountOfPage } from '../../api/accounts.ts';
import type { IfMatch } from '../../api/edit.ts';
import { type Member, membersQuery, readMember, removeMember } from '../../api/members.ts';
import { forgetMembership } from '../../api/memberships.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDeletion } from '../../ui/confirm.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { nameOf } from './member-words.ts';

interface RemoveMemberProps {
  member: Member;
  isSelf: boolean;
  /** Whether nobody else could decide over the account. */
  isLastSuperAdministrator: boolean;
  onClose: () => void;
}

/** Asks whether somebody shall really go. */
export function RemoveMember(props: RemoveMemberProps) {
  const { member, isSelf, isLastSuperAdministrator, onClose } = props;
  const { accountId } = useAccountOfPage();
  const deletion = {
    record: member,
    read: () => readMember(accountId, member.id),
    onConfirm: useRemoval(member, isSelf),
  };
  const name = nameOf(member);
  if (isLastSuperAdministrator) return <LastOne name={name} isSelf={isSelf} onClose={onClose} />;
  if (member.status === 'pending') {
    return (
      <ConfirmDeletion
        {...deletion}
        isOpen
        onClose={onClose}
        title={labels.withdrawTheInvitationOf(name)}
        label={labels.withdrawInvitation}
      >
        <p>{labels.theLinkStopsWorkingImmediately}</p>
      </ConfirmDeletion>
    );
  }
  return (
    <ConfirmDeletion
      {...deletion}
      isOpen
      onClose={onClose}
      title={isSelf ? labels.leaveThisAccount : labels.removeFromThisAccount(name)}
      label={isSelf ? labels.leaveAccount : labels.removeMember}
    >
      <p>{isSelf ? labels.youLoseAccessImmediately : labels.thisMemberLosesAccessImmediately}</p>
      <p>{labels.removalKeeps(isSelf)}</p>
    </ConfirmDeletion>
  );
}

/** Removes the member, and leads the person away from an account that is theirs no more. */
function useRemoval(member: Member, isSelf: boolean): (headers: IfMatch) => Promise<void> {
  const { accountId, accountName } = useAccountOfPage();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (headers) => {
    await removeMember(accountId, member.id, headers);
    if (!isSelf) {
      await queryClient.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
      toast(
        member.status === 'pending' ? labels.invitationWithdrawn : labels.removed(nameOf(member)),
      );
      return;
    }
    await navigate({ to: '/profile/accounts' });
    forgetMembership(accountId);
    toast(labels.youLeft(accountName));
  };
}

interface LastOneProps {
  name: string;
  isSelf: boolean;
  onClose: () => void;
}

function LastOne({ name, isSelf, onClose }: LastOneProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isSelf ? labels.youCantLeaveYet : labels.cantBeRemovedYet(name)}
      lead={labels.lastSuperAdministrator(isSelf ? 'You are' : `${name} is`)}
    >
      <Actions>
        <Button look="primary" onClick={onClose}>
          {labels.close}
        </Button>
      </Actions>
    </Dialog>
  );
}
