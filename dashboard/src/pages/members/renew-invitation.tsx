import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type Member, membersQuery, renewInvitation } from '../../api/members.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { InvitationTold } from './invitation-told.tsx';
import { labels } from './labels.ts';

const LEAD = labels.createsANewLink;

/** Makes a new link for somebody who has not accepted yet. */
export function RenewInvitation({ member, onClose }: { member: Member; onClose: () => void }) {
  const { accountId } = useAccountOfPage();
  const queryClient = useQueryClient();
  const renewal = useMutation({
    mutationFn: () => renewInvitation(accountId, member.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(accountId).queryKey }),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        renewal.data === undefined
          ? labels.renewTheInvitationOf(member.email)
          : labels.renewedTheInvitationOf(member.email)
      }
      lead={renewal.data === undefined ? LEAD : undefined}
      isHeld={renewal.data?.invitation_url !== undefined}
    >
      {renewal.data === undefined ? (
        <>
          <SaveFailure error={renewal.error} />
          <Actions>
            <Button onClick={onClose}>{labels.cancel}</Button>
            <Button look="primary" isBusy={renewal.isPending} onClick={() => renewal.mutate()}>
              {labels.renewInvitation}
            </Button>
          </Actions>
        </>
      ) : (
        <InvitationTold invited={renewal.data} onClose={onClose} />
      )}
    </Dialog>
  );
}
