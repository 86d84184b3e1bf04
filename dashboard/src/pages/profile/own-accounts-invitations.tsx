import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { type Membership, answerInvitation } from '../../api/memberships.ts';
import { userQuery } from '../../api/people.ts';
import { focusPage } from '../../lib/focus-page.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

const EMAIL_NOT_VERIFIED = 3033;

/** What the person is invited to; nothing when there is none. */
export function Invitations({ invitations }: { invitations: readonly Membership[] }) {
  const [declined, setDeclined] = useState<Membership>();
  return (
    <>
      {invitations.length > 0 && (
        <Card
          title={invitations.length === 1 ? labels.invitation : labels.invitations}
          lead={labels.membersSeeOnlyYourEmail}
        >
          <ul className="divide-y divide-line">
            {invitations.map((invitation) => (
              <li key={invitation.id} className="py-3 first:pt-0 last:pb-0">
                <Invitation invitation={invitation} onDecline={() => setDeclined(invitation)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Decline invitation={declined} onClose={() => setDeclined(undefined)} />
    </>
  );
}

interface InvitationProps {
  invitation: Membership;
  onDecline: () => void;
}

function Invitation({ invitation, onDecline }: InvitationProps) {
  const { account, roles } = invitation;
  const accept = useMutation({
    mutationFn: () => answerInvitation(invitation, 'accepted'),
    onSuccess: () => {
      toast(labels.youAreNowAMember(account.name));
      // The button goes with the invitation.
      focusPage();
    },
  });
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-medium wrap-anywhere">{account.name}</h3>
          <p className="text-sm text-muted">{labels.roles(roles.join(', '))}</p>
        </div>
        <div className="flex gap-2">
          <Button isSmall aria-label={labels.declineAccount(account.name)} onClick={onDecline}>
            {labels.decline}
          </Button>
          <Button
            isSmall
            look="primary"
            aria-label={labels.acceptAccount(account.name)}
            isBusy={accept.isPending}
            onClick={() => accept.mutate()}
          >
            {labels.accept}
          </Button>
        </div>
      </div>
      <AcceptFailure error={accept.error} />
    </div>
  );
}

function AcceptFailure({ error }: { error: unknown }) {
  const { data: user } = useSuspenseQuery(userQuery);
  if (!(error instanceof ApiFailure) || error.code !== EMAIL_NOT_VERIFIED) {
    return <SaveFailure error={error} />;
  }
  return (
    <Callout tone="warning" isAlert title={labels.yourEmailAddressIsNot}>
      {labels.toAcceptOpenTheLink(user.email)}
    </Callout>
  );
}

function Decline({
  invitation,
  onClose,
}: {
  invitation: Membership | undefined;
  onClose: () => void;
}) {
  const name = invitation?.account.name ?? '';
  return (
    <Confirm
      isOpen={invitation !== undefined}
      onClose={onClose}
      title={labels.declineTheInvitationTo(name)}
      label={labels.declineInvitation}
      onConfirm={async () => {
        if (invitation !== undefined) await answerInvitation(invitation, 'rejected');
        toast(labels.declinedTheInvitation);
      }}
    >
      <p>{labels.thisDeletesTheInvitation(name)}</p>
    </Confirm>
  );
}
