import { useState } from 'react';
import type { InvitedMember } from '../../api/members.ts';
import { Button } from '../../ui/button.tsx';
import { SecretOnce } from '../../ui/copy.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { OnceGuard } from '../../ui/shown-once.tsx';

interface InvitationToldProps {
  invited: InvitedMember;
  onClose: () => void;
}

const LEAVE_WITHOUT_LINK = {
  title: 'Leave without the link?',
  lead: 'You have not copied it, and it cannot be shown again. You can renew the invitation later, which makes another one.',
};

/** How an invitation reaches the person: by mail, or by whoever has invited. */
export function InvitationTold({ invited, onClose }: InvitationToldProps) {
  const { email, invitation_url: link } = invited;
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div role="status">
      <OnceGuard isKept={link === undefined || isCopied} question={LEAVE_WITHOUT_LINK} />
      {link === undefined ? (
        <p>
          The invitation is mailed to <strong className="wrap-anywhere">{email}</strong>. Its link
          works for seven days.
        </p>
      ) : (
        <SecretOnce name="Invitation link" value={link} onCopied={() => setIsCopied(true)}>
          This server sends no mail: pass the link on to {email} yourself, in a way that nobody else
          reads. It works once, for seven days.
        </SecretOnce>
      )}
      <Actions>
        <Button
          look={link === undefined ? 'primary' : 'plain'}
          onClick={onClose}
          autoFocus={link === undefined}
        >
          Done
        </Button>
      </Actions>
    </div>
  );
}
