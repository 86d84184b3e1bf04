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
      title={isDone ? 'Save your recovery codes' : 'Set up an authenticator app'}
    >
      {isDone ? (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            setCodes(undefined);
            toast('The authenticator app is set up.');
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
          <p>Scan this with an authenticator app, such as the one in your password manager.</p>
          <Suspense fallback={<div className="skeleton size-44" />}>
            <QrCode text={uri} />
          </Suspense>
          <div className="text-sm text-muted">
            <p>Or enter this key by hand:</p>
            <CopyText text={secret} label="Copy key" />
          </div>
        </li>
        <li className="pl-1">
          <Field
            label="Enter the code that the app shows"
            error={form.formState.errors.code?.message}
          >
            <Input
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={11}
              className="max-w-40 font-mono"
              {...form.register('code', { required: 'Enter the six digits.' })}
            />
          </Field>
        </li>
      </ol>
      <p className="text-sm text-muted">
        If this is your first second factor, your other sessions end: they began without it.
      </p>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          Finish
        </Button>
      </Actions>
    </form>
  );
}
