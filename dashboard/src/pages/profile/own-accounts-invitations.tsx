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

const EMAIL_NOT_VERIFIED = 3033;

/** What the person is invited to; nothing when there is none. */
export function Invitations({ invitations }: { invitations: readonly Membership[] }) {
  const [declined, setDeclined] = useState<Membership>();
  return (
    <>
      {invitations.length > 0 && (
        <Card
          title={invitations.length === 1 ? 'An invitation waits' : 'Invitations wait'}
          lead="Until you accept, nobody in the account sees more of you than your address."
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
      toast(`You are a member of ${account.name} now.`);
      // The button goes with the invitation.
      focusPage();
    },
  });
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-medium wrap-anywhere">{account.name}</h3>
          <p className="text-sm text-muted">As {roles.join(', ')}</p>
        </div>
        <div className="flex gap-2">
          <Button isSmall aria-label={`Decline ${account.name}`} onClick={onDecline}>
            Decline
          </Button>
          <Button
            isSmall
            look="primary"
            aria-label={`Accept ${account.name}`}
            isBusy={accept.isPending}
            onClick={() => accept.mutate()}
          >
            Accept
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
    <Callout tone="warning" isAlert title="Your email address is not verified yet">
      Open the link in the invitation that was sent to {user.email}, and accept there: it shows that
      the address is yours. Without the mail, ask whoever invited you for a new invitation.
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
      title={`Decline the invitation to ${name}?`}
      label="Decline invitation"
      onConfirm={async () => {
        if (invitation !== undefined) await answerInvitation(invitation, 'rejected');
        toast('The invitation is declined.');
      }}
    >
      <p>The invitation is gone then. {name} would have to invite you again.</p>
    </Confirm>
  );
}
