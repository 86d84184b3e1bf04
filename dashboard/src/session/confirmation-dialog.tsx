import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { plainApi, resultOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { passkeysQuery, totpQuery } from '../api/factors.ts';
import { Callout } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { SaveFailure } from '../ui/states.tsx';
import { CodeField, type TypedCode, codeBody, codeFault } from './code-field.tsx';
import { useFocusOnFault } from './focus-on-fault.ts';
import { UNAUTHENTICATED, interruptions } from './interruptions.ts';
import { PasskeyButton } from './passkey-button.tsx';
import type { Person } from './presence.ts';
import { SignInElsewhere } from './sign-in-elsewhere.tsx';
import { Username } from './username.tsx';

const WRONG_PASSWORD = 3042;
const NO_PASSWORD = 3046;
const CODE_NEEDED = 3070;

interface ConfirmationDialogProps {
  user: Person & { two_factor_authentication_enabled: boolean };
}

/** Somebody may sit at a browser that another person has left open: asks for a fresh proof of who it is. */
export function ConfirmationDialog({ user }: ConfirmationDialogProps) {
  return (
    <Dialog
      isOpen
      isAbove
      onClose={() => interruptions.settle(false)}
      title="Confirm your identity"
      lead="This action changes the protection of your account. Confirm your identity to continue. The confirmation is valid for 15 minutes."
    >
      <ConfirmationForm user={user} />
      <div className="mt-5 border-t border-line pt-4 text-sm text-muted">
        <SignInElsewhere email={user.email} />
      </div>
    </Dialog>
  );
}

function ConfirmationForm({ user }: ConfirmationDialogProps) {
  const [password, setPassword] = useState('');
  const { has, hasPasskey } = useFactors();
  // The server knows better, when a factor was added in another browser.
  const [isCodeDemanded, setIsCodeDemanded] = useState(user.two_factor_authentication_enabled);
  const [typed, setTyped] = useState<TypedCode>();
  const code = typed ?? { kind: has.totp ? 'totp' : 'recovery', text: '' };
  const confirm = useConfirmation(password, isCodeDemanded ? code : undefined, () =>
    setIsCodeDemanded(true),
  );
  const refusal = confirm.error instanceof ApiFailure ? confirm.error.code : undefined;
  const field = useFocusOnFault(refusal === WRONG_PASSWORD);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!confirm.isPending && password !== '') confirm.mutate();
  };
  if (refusal === NO_PASSWORD) return <NoPassword user={user} hasPasskey={hasPasskey} />;
  const isPasskeyEasier = isCodeDemanded && !has.totp && hasPasskey;
  const fault = codeFault(confirm.error, code);
  const isElsewhere = refusal === WRONG_PASSWORD || fault !== undefined;
  return (
    <form onSubmit={submit} className="space-y-4">
      <Username email={user.email} />
      <Field
        label="Password"
        error={refusal === WRONG_PASSWORD ? 'Incorrect password. Try again.' : undefined}
      >
        <PasswordInput
          ref={field}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {isCodeDemanded && <CodeField code={code} onChange={setTyped} has={has} error={fault} />}
      <SaveFailure error={isElsewhere ? null : confirm.error} />
      <Actions>
        <Button look="quiet" onClick={() => interruptions.settle(false)}>
          Cancel
        </Button>
        {hasPasskey && <PasskeyButton user={user} isMain={isPasskeyEasier} />}
        <Button
          type="submit"
          look={isPasskeyEasier ? 'plain' : 'primary'}
          isBusy={confirm.isPending}
        >
          Confirm
        </Button>
      </Actions>
    </form>
  );
}

/** What the person can show; as long as that is not known, everything is offered. */
function useFactors() {
  const { data: totp } = useQuery(totpQuery);
  const { data: passkeys } = useQuery(passkeysQuery);
  return {
    has: { totp: totp?.enabled ?? true, recovery: (totp?.recovery_codes_left ?? 1) > 0 },
    hasPasskey: (passkeys?.length ?? 1) > 0,
  };
}

function useConfirmation(
  password: string,
  code: TypedCode | undefined,
  onCodeDemanded: () => void,
) {
  return useMutation({
    mutationFn: () => {
      const body = { password, ...(code && codeBody(code)) };
      return resultOf(plainApi.POST('/user/sessions/current/confirmation', { body }));
    },
    onSuccess: () => interruptions.settle(true),
    onError: (error) => {
      if (!(error instanceof ApiFailure)) return;
      if (error.code === CODE_NEEDED) onCodeDemanded();
      const isOver = error.status === 401 && error.code === UNAUTHENTICATED;
      if (isOver) void interruptions.ask({ kind: 'sign-in' });
    },
  });
}

/** For who came through their organisation, and has never chosen a password. */
function NoPassword({ user, hasPasskey }: { user: Person; hasPasskey: boolean }) {
  return (
    <div className="space-y-4">
      <Callout tone="info" isAlert title="You have no password here">
        Sign in with your usual method. The link below opens a new tab.
      </Callout>
      <Actions>
        <Button look="quiet" onClick={() => interruptions.settle(false)}>
          Cancel
        </Button>
        {hasPasskey && <PasskeyButton user={user} isMain />}
      </Actions>
    </div>
  );
}
