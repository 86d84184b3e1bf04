import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, resultOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { totpQuery } from '../../api/factors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { labels } from './labels.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { FEW_CODES } from './security-summary.tsx';

/** How many recovery codes are left, and new ones. */
export function RecoveryCodesCard() {
  const { data: totp } = useSuspenseQuery(totpQuery);
  const [isAsked, setIsAsked] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const left = totp.recovery_codes_left;
  const renew = async (): Promise<void> => {
    const { recovery_codes: made } = await resultOf(api.POST('/user/recovery_codes'));
    setCodes(made);
    await queryClient.invalidateQueries({ queryKey: totpQuery.queryKey });
  };
  return (
    <Card
      title={labels.recoveryCodes}
      lead={labels.recoveryCodesHint}
      actions={
        <Button isSmall onClick={() => setIsAsked(true)}>
          {labels.generateNewCodes}
        </Button>
      }
    >
      <Badge tone={left <= FEW_CODES ? 'warning' : 'neutral'}>
        {left === 0 ? labels.noneLeft : labels.left(left)}
      </Badge>
      {left <= FEW_CODES && (
        <p className="mt-2 text-sm text-muted">{labels.generateNewCodesBeforeYou}</p>
      )}
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={labels.generateNewRecoveryCodes}
        label={labels.generateNewCodes}
        isDangerous={false}
        onConfirm={renew}
      >
        <p>{labels.yourCurrentCodesStopWorking}</p>
      </Confirm>
      <Dialog
        isOpen={codes !== undefined && !isAsked}
        isHeld
        onClose={() => undefined}
        title={labels.yourNewRecoveryCodes}
      >
        <RecoveryCodes codes={codes ?? []} onSaved={() => setCodes(undefined)} />
      </Dialog>
    </Card>
  );
}
