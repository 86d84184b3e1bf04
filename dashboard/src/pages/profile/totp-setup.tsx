import { Suspense, lazy, useState } from 'react';
import { api, resultOf } from '../../api/client.ts';
import { atField } from '../../api/failure.ts';
import { refreshFactors } from '../../api/factors.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const QrCode = lazy(async () => {
  const { TotpQrCode: component } = await import('./totp-qr-code.tsx');
  return { default: component };
});

/** What the server gives for the app to begin with. */
export interface TotpBeginning {
  secret: string;
  provisioning_uri: string;
}

interface TotpSetupProps {
  beginning: TotpBeginning | undefined;
  onClose: () => void;
}

/** Takes an app from its QR code to the recovery codes. */
export function TotpSetup({ beginning, onClose }: TotpSetupProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const isDone = codes !== undefined;
  return (
    <Dialog
      isOpen={beginning !== undefined}
      isHeld={isDone}
      onClose={onClose}
      title={isDone ? labels.saveYourRecoveryCodes : labels.setUpAnAuthenticatorApp}
    >
      {isDone ? (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            setCodes(undefined);
            toast(labels.setUpTheAuthenticatorApp);
            onClose();
          }}
        />
      ) : (
        beginning !== undefined && (
          <SetupForm beginning={beginning} onClose={onClose} onDone={setCodes} />
        )
      )}
    </Dialog>
  );
}

interface SetupFormProps {
  beginning: TotpBeginning;
  onClose: () => void;
  onDone: (codes: readonly string[]) => void;
}

function SetupForm({ beginning, onClose, onDone }: SetupFormProps) {
  const form = useApiForm<{ code: string }>({
    values: { code: '' },
    isGuarded: false,
    save: async ({ code: typed }) => {
      const body = { code: typed.replaceAll(/\s/g, '') };
      const { recovery_codes: codes } = await resultOf(api.PUT('/user/totp', { body })).catch(
        (error: unknown) => {
          throw atField(error, { 3062: 'code' });
        },
      );
      onDone(codes);
      await refreshFactors();
    },
  });
  const { provisioning_uri: uri, secret } = beginning;
  return (
    <form onSubmit={form.submit} className="space-y-5">
      <ol className="list-decimal space-y-5 pl-5 text-[0.9375rem] marker:text-muted">
        <li className="space-y-3 pl-1">
          <p>{labels.scanThisCode}</p>
          <Suspense fallback={<div className="skeleton size-44" />}>
            <QrCode text={uri} />
          </Suspense>
          <div className="text-sm text-muted">
            <p>{labels.orEnterThisKeyManually}</p>
            <CopyText text={secret} label={labels.copyKey} />
          </div>
        </li>
        <li className="pl-1">
          <Field label={labels.codeFromTheApp} error={form.formState.errors.code?.message}>
            <Input
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={11}
              className="max-w-40 font-mono"
              {...form.register('code', { required: labels.enterTheSixDigits })}
            />
          </Field>
        </li>
      </ol>
      <p className="text-sm text-muted">{labels.ifThisIsYourFirst}</p>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.finish}
        </Button>
      </Actions>
    </form>
  );
}
