import { RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { rotateSecret } from '../../../api/oauth-client-changes.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SecretOnce } from '../../../ui/copy.tsx';
import { OnceDialog } from '../../../ui/shown-once.tsx';
import type { ClientOfPage } from './client-of-page.ts';

interface RotateSecretProps extends Pick<ClientOfPage, 'client' | 'place'> {
  /** Without a second secret. What was made is shown all the same. */
  isPossible: boolean;
}

const LEAVE_WITHOUT_SECRET = {
  title: 'Leave without the secret?',
  lead: 'You have not copied it, and it cannot be shown again. You would have to delete the old secret and rotate again.',
};

/** Gives a client a second secret, and shows it this once. */
export function RotateSecret({ client, place, isPossible }: RotateSecretProps) {
  const [isAsking, setIsAsking] = useState(false);
  const key = useRef('');
  const [secret, setSecret] = useState<string>();
  const ask = (): void => {
    key.current = randomKey();
    setIsAsking(true);
  };
  return (
    <>
      {isPossible && (
        <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={ask}>
          Rotate secret
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Rotate the secret of ${client.client_name}?`}
        label="Create new secret"
        isDangerous={false}
        onConfirm={async () => setSecret(await rotateSecret(place, key.current))}
      >
        <p>You get a second secret, and the one of today goes on working:</p>
        <ol className="list-decimal space-y-1 pl-5">
          <li>Copy the new secret. It is shown once.</li>
          <li>Give it to your application, everywhere it runs.</li>
          <li>Wait until the old one is out of use. This page shows when that was last used.</li>
          <li>Delete the old one.</li>
        </ol>
      </Confirm>
      {secret !== undefined && (
        <OnceDialog
          title="The new secret"
          question={LEAVE_WITHOUT_SECRET}
          onClose={() => setSecret(undefined)}
        >
          {(keep) => (
            <SecretOnce name="Client secret" value={secret} onCopied={keep}>
              Copy it to where your application runs. It cannot be read again.
            </SecretOnce>
          )}
        </OnceDialog>
      )}
    </>
  );
}
