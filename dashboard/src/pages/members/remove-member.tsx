import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type Member, membersQuery, removeMember } from '../../api/members.ts';
import { forgetMembership } from '../../api/memberships.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
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
  const remove = useRemoval(member, isSelf);
  const name = nameOf(member);
  if (isLastSuperAdministrator) return <LastOne name={name} isSelf={isSelf} onClose={onClose} />;
  if (member.status === 'pending') {
    return (
      <Confirm
        isOpen
        onClose={onClose}
        title={`Withdraw the invitation of ${name}?`}
        label="Withdraw invitation"
        onConfirm={remove}
      >
        <p>The link stops working at once. You can invite the same address again.</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={isSelf ? 'Leave this account?' : `Remove ${name} from this account?`}
      label={isSelf ? 'Leave account' : 'Remove member'}
      onConfirm={remove}
    >
      <p>
        {isSelf
          ? 'You lose your access at once, and so do your own API tokens and the applications that act for you here.'
          : 'They lose their access at once, and so do their own API tokens and the applications that act for them here.'}
      </p>
      <p>
        What belongs to the account stays: its OAuth clients, and its API tokens, also those that{' '}
        {isSelf ? 'you' : 'they'} created. Roll the tokens whose values {isSelf ? 'you' : 'they'}{' '}
        know.
      </p>
    </Confirm>
  );
}

/** Removes the member, and leads the person away from an account that is theirs no more. */
function useRemoval(member: Member, isSelf: boolean): () => Promise<void> {
  const { accountId, accountName } = useAccountOfPage();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await removeMember(accountId, member.id);
    if (!isSelf) {
      await queryClient.invalidateQueries({ queryKey: membersQuery(accountId).queryKey });
      toast(member.status === 'pending' ? 'Invitation withdrawn' : `${nameOf(member)} removed`);
      return;
    }
    await navigate({ to: '/profile/accounts' });
    forgetMembership(accountId);
    toast(`You have left ${accountName}`);
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
      title={isSelf ? 'You cannot leave yet' : `${name} cannot be removed yet`}
      lead={`${isSelf ? 'You are' : `${name} is`} the only Super Administrator, and an account always keeps one. Make somebody else Super Administrator first.`}
    >
      <Actions>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  );
}
