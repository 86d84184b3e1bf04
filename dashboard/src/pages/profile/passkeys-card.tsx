import { useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound } from '../../ui/icons.tsx';
import { useState } from 'react';
import { api, resultOf } from '../../api/client.ts';
import { type Passkey, passkeysQuery, refreshFactors, totpQuery } from '../../api/factors.ts';
import { hasPasskeys } from '../../session/passkey-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { MenuItem, RowMenu } from '../../ui/menu.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { LastFactorWarning } from './last-factor-warning.tsx';
import { AddPasskey } from './passkeys-add.tsx';
import { RenamePasskey } from './passkeys-rename.tsx';

/** The passkeys of the person. */
export function PasskeysCard() {
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <Card
      title={labels.passkeys}
      lead={labels.yourFingerprintFaceOrDevice}
      actions={
        hasPasskeys && (
          <Button isSmall onClick={() => setIsAdding(true)}>
            {labels.addPasskey}
          </Button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <p className="text-[0.9375rem] text-muted">{labels.noPasskeysYet}</p>
      ) : (
        <ul aria-label={labels.passkeys} className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      )}
      {!hasPasskeys && (
        <p className="mt-3 text-sm text-muted">{labels.thisBrowserCantCreatePasskeys}</p>
      )}
      <AddPasskey isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <RenamePasskey passkey={renamed} onClose={() => setRenamed(undefined)} />
      <RemovePasskey passkey={removed} onClose={() => setRemoved(undefined)} />
    </Card>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, created_on: createdOn, last_used_on: lastUsedOn } = passkey;
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <KeyRound aria-hidden className="size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="text-[0.9375rem] font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-muted">
          Added <Time value={createdOn} />,{' '}
          {lastUsedOn === undefined ? (
            labels.notUsedYet
          ) : (
            <>
              last used <Time value={lastUsedOn} />
            </>
          )}
        </p>
      </div>
      <RowMenu label={labels.passkey(name)}>
        <MenuItem onSelect={onRename}>{labels.rename}</MenuItem>
        <MenuItem isDangerous onSelect={onRemove}>
          {labels.remove}
        </MenuItem>
      </RowMenu>
    </li>
  );
}

function RemovePasskey({
  passkey,
  onClose,
}: {
  passkey: Passkey | undefined;
  onClose: () => void;
}) {
  const { data: totp } = useSuspenseQuery(totpQuery);
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const isLast = !totp.enabled && passkeys.length === 1;
  const remove = async (): Promise<void> => {
    const path = { passkey_id: passkey?.id ?? '' };
    await resultOf(api.DELETE('/user/passkeys/{passkey_id}', { params: { path } }));
    toast(labels.removedThePasskey);
    await refreshFactors();
  };
  return (
    <Confirm
      isOpen={passkey !== undefined}
      onClose={onClose}
      title={labels.removeThePasskey(passkey?.name ?? '')}
      label={labels.removePasskey}
      onConfirm={remove}
    >
      <p>{labels.youCanNoLongerSign}</p>
      {isLast && <LastFactorWarning />}
    </Confirm>
  );
}
