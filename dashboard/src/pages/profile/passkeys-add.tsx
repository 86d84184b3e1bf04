import { useState } from 'react';
import { createPasskey } from '../../../../src/iam/pages/assets/webauthn.js';
import { api, resultOf } from '../../api/client.ts';
import { refreshFactors } from '../../api/factors.ts';
import { noPasskey } from '../../session/passkey-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Has the browser make a passkey; answers the recovery codes that come with the first second factor. */
async function registerPasskey(name: string): Promise<readonly string[] | undefined> {
  const { state, options } = await resultOf(api.POST('/user/passkeys/options'));
  const response = await createPasskey(options).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw noPasskey(isKnown ? labels.thisDeviceAlready : labels.theBrowserCreatedNoPasskey);
  });
  const { recovery_codes: codes } = await resultOf(
    api.POST('/user/passkeys', { body: { state, name, response } }),
  );
  return codes;
}

interface AddPasskeyProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Makes a passkey, and shows the recovery codes when there are any. */
export function AddPasskey({ isOpen, onClose }: AddPasskeyProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const hasCodes = codes !== undefined;
  const finish = (): void => {
    toast(labels.addedThePasskey);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      isHeld={hasCodes}
      onClose={onClose}
      title={hasCodes ? labels.saveYourRecoveryCodes : labels.addAPasskey}
      lead={hasCodes ? undefined : labels.yourBrowserAsksYou}
    >
      {hasCodes ? (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            setCodes(undefined);
            finish();
          }}
        />
      ) : (
        <AddForm onClose={onClose} onDone={finish} onCodes={setCodes} />
      )}
    </Dialog>
  );
}

interface AddFormProps {
  onClose: () => void;
  onDone: () => void;
  onCodes: (codes: readonly string[]) => void;
}

function AddForm({ onClose, onDone, onCodes }: AddFormProps) {
  const form = useApiForm<{ name: string }>({
    values: { name: '' },
    isGuarded: false,
    save: async ({ name }) => {
      const codes = await registerPasskey(name.trim());
      if (codes === undefined) onDone();
      else onCodes(codes);
      await refreshFactors();
    },
  });
  return (
    <form onSubmit={form.submit} className="space-y-4">
      <Field
        label={labels.name}
        hint={labels.aNameToRecognize}
        error={form.formState.errors.name?.message}
      >
        <Input {...form.register('name', { required: labels.enterAName })} />
      </Field>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.addPasskey}
        </Button>
      </Actions>
    </form>
  );
}
