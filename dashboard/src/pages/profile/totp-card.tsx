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
import { labels } from './labels.ts';
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
      title={labels.authenticatorApp}
      lead={labels.aPhoneAppThatShows}
      actions={
        totp.enabled ? (
          <Button isSmall onClick={() => setIsRemoving(true)}>
            {labels.removeApp}
          </Button>
        ) : (
          <Button isSmall isBusy={begin.isPending} onClick={() => begin.mutate()}>
            {labels.setUpApp}
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2 text-[0.9375rem]">
        {totp.enabled ? (
          <Badge tone="good">{labels.setUp}</Badge>
        ) : (
          <span className="text-muted">{labels.noAuthenticatorAppYet}</span>
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
    toast(labels.removedTheAuthenticatorApp);
    await refreshFactors();
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={labels.removeTheAuthenticatorApp}
      label={labels.removeApp}
      onConfirm={remove}
    >
      <p>{labels.itsCodesStopWorkingDelete}</p>
      {passkeys.length === 0 && <LastFactorWarning />}
    </Confirm>
  );
}
