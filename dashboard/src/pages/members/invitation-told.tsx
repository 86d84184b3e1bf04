import { useState } from 'react';
import type { InvitedMember } from '../../api/members.ts';
import { Button } from '../../ui/button.tsx';
import { SecretOnce } from '../../ui/copy.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { OnceGuard } from '../../ui/shown-once.tsx';
import { labels } from './labels.ts';

interface InvitationToldProps {
  invited: InvitedMember;
  onClose: () => void;
}

const LEAVE_WITHOUT_LINK = {
  title: labels.closeWithoutCopyingTheLink,
  lead: labels.youHaveNotCopied,
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
          The invitation was sent to <strong className="wrap-anywhere">{email}</strong>. The link is
          valid for seven days.
        </p>
      ) : (
        <SecretOnce name={labels.invitationLink} value={link} onCopied={() => setIsCopied(true)}>
          {labels.thisServerSendsNoEmail(email)}
        </SecretOnce>
      )}
      <Actions>
        <Button
          look={link === undefined ? 'primary' : 'plain'}
          onClick={onClose}
          autoFocus={link === undefined}
        >
          {labels.done}
        </Button>
      </Actions>
    </div>
  );
}
