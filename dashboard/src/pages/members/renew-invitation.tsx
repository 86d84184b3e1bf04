import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccountOfPage } from '../../api/accounts.ts';
import { type Member, membersQuery, renewInvitation } from '../../api/members.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { InvitationTold } from './invitation-told.tsx';

const LEAD = 'A new link is made, which works for seven days. The one before stops working.';

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
          ? `Renew the invitation of ${member.email}?`
          : `${member.email} is invited anew`
      }
      lead={renewal.data === undefined ? LEAD : undefined}
      isHeld={renewal.data?.invitation_url !== undefined}
    >
      {renewal.data === undefined ? (
        <>
          <SaveFailure error={renewal.error} />
          <Actions>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" isBusy={renewal.isPending} onClick={() => renewal.mutate()}>
              Renew invitation
            </Button>
          </Actions>
        </>
      ) : (
        <InvitationTold invited={renewal.data} onClose={onClose} />
      )}
    </Dialog>
  );
}
