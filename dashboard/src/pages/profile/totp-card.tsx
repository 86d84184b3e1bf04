import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, resultOf } from '../../api/client.ts';
import { passkeysQuery, refreshFactors, totpQuery } from '../../api/factors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { LastFactorWarning } from './last-factor-warning.tsx';
import { type TotpBeginning, TotpSetup } from './totp-setup.tsx';

/** The authenticator app: set it up, or remove it. */
export function TotpCard() {
  const { data: totp } = useSuspenseQuery(totpQuery);
  const [isRemoving, setIsRemoving] = useState(false);
  const [beginning, setBeginning] = useState<TotpBeginning>();
  const begin = useMutation({
    mutationFn: () => resultOf(api.POST('/user/totp')),
    onSuccess: setBeginning,
  });
  const end = (): void => {
    setBeginning(undefined);
    // Its answer holds the key.
    begin.reset();
  };
  return (
    <Card
      title="Authenticator app"
      lead="An app on your phone shows a new code every 30 seconds, which you enter after your password."
      actions={
        totp.enabled ? (
          <Button isSmall onClick={() => setIsRemoving(true)}>
            Remove app
          </Button>
        ) : (
          <Button isSmall isBusy={begin.isPending} onClick={() => begin.mutate()}>
            Set up an app
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2 text-[0.9375rem]">
        {totp.enabled ? (
          <Badge tone="good">Set up</Badge>
        ) : (
          <span className="text-muted">You have no app yet.</span>
        )}
        {totp.created_on !== undefined && (
          <span className="text-sm text-muted">
            <Time value={totp.created_on} />
          </span>
        )}
      </div>
      {begin.error !== null && (
        <div className="mt-3">
          <SaveFailure error={begin.error} />
        </div>
      )}
      <TotpSetup beginning={beginning} onClose={end} />
      <RemoveTotp isOpen={isRemoving} onClose={() => setIsRemoving(false)} />
    </Card>
  );
}

function RemoveTotp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const remove = async (): Promise<void> => {
    await resultOf(api.DELETE('/user/totp'));
    toast('The authenticator app is removed.');
    await refreshFactors();
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title="Remove the authenticator app?"
      label="Remove app"
      onConfirm={remove}
    >
      <p>Its codes stop working. Delete the entry in the app afterwards.</p>
      {passkeys.length === 0 && <LastFactorWarning />}
    </Confirm>
  );
}
