import { RefreshCw } from '../../../ui/icons.tsx';
import { useRef, useState } from 'react';
import { rotateSecret } from '../../../api/oauth-client-changes.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SecretOnce } from '../../../ui/copy.tsx';
import { OnceDialog } from '../../../ui/shown-once.tsx';
import type { ClientOfPage } from './client-of-page.ts';
import { labels } from './labels.ts';

interface RotateSecretProps extends Pick<ClientOfPage, 'client' | 'place'> {
  /** Without a second secret. What was made is shown all the same. */
  isPossible: boolean;
}

const LEAVE_WITHOUT_SECRET = {
  title: labels.closeWithoutCopyingTheSecret,
  lead: labels.youHaveNotCopied,
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
          {labels.rotateSecret}
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={labels.rotateTheSecretOf(client.client_name)}
        label={labels.createNewSecret}
        isDangerous={false}
        onConfirm={async () => setSecret(await rotateSecret(place, key.current))}
      >
        <p>{labels.youGetASecondSecret}</p>
        <ol className="list-decimal space-y-1 pl-5">
          <li>{labels.copyTheNewSecret}</li>
          <li>{labels.configureItEverywhereYourApplication}</li>
          <li>{labels.waitUntilTheOldSecret}</li>
          <li>{labels.deleteTheOldSecret}</li>
        </ol>
      </Confirm>
      {secret !== undefined && (
        <OnceDialog
          title={labels.theNewSecret}
          question={LEAVE_WITHOUT_SECRET}
          onClose={() => setSecret(undefined)}
        >
          {(keep) => (
            <SecretOnce name={labels.clientSecret} value={secret} onCopied={keep}>
              {labels.copyTheSecret}
            </SecretOnce>
          )}
        </OnceDialog>
      )}
    </>
  );
}
