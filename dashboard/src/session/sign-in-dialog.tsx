import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { plainApi, resultOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { Callout } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { SaveFailure } from '../ui/states.tsx';
import { useFocusOnFault } from './focus-on-fault.ts';
import { leaveForGood } from './leaving.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { type Person, presence } from './presence.ts';
import { type SecondFactor, SecondFactorStep } from './second-factor-step.tsx';
import { signInAddress } from './sign-in-page.ts';
import { SignInElsewhere } from './sign-in-elsewhere.tsx';
import { Username } from './username.tsx';

const WRONG_SIGN_IN = 3040;

interface SignInDialogProps {
  user: Person;
  /** Of whom another tab has signed in meanwhile. */
  otherEmail: string | undefined;
}

/** The session has ended, in mid-work: it waits until the same person is signed in again. */
export function SignInDialog({ user, otherEmail }: SignInDialogProps) {
  // What the person can complete the sign-in with, once the password was right.
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  const [beginAgain, setBeginAgain] = useState<string>();
  const [hasGoneOn, setHasGoneOn] = useState(false);
  const [shownOther, setShownOther] = useState(otherEmail);
  if (shownOther !== otherEmail) {
    setShownOther(otherEmail);
    // Whoever has come between has ended the sign-in that was begun here.
    if (otherEmail !== undefined) setFactors(undefined);
  }
  return (
    <Dialog
      isOpen
      isHeld
      isAbove
      // Whoever sits there now may be somebody else.
      isCovering
      onClose={() => undefined}
      title={otherEmail === undefined ? 'Your session has ended' : 'Another user has signed in'}
      lead={
        <>
          {otherEmail !== undefined && (
            <>
              This browser is now signed in as <Email>{otherEmail}</Email>.{' '}
            </>
          )}
          Sign in again as <Email>{user.email}</Email> to continue. Your input is kept.
        </>
      }
    >
      {factors === undefined ? (
        <PasswordStep
          user={user}
          beginAgain={beginAgain}
          isBackHere={hasGoneOn}
          onSecondFactor={(missing) => {
            setBeginAgain(undefined);
            setHasGoneOn(true);
            setFactors(missing);
          }}
        />
      ) : (
        <SecondFactorStep
          user={user}
          factors={factors}
          onBeginAgain={(reason) => {
            setFactors(undefined);
            setBeginAgain(reason);
          }}
        />
      )}
      <WaysOut user={user} otherEmail={otherEmail} />
    </Dialog>
  );
}

interface PasswordStepProps {
  user: Person;
  beginAgain: string | undefined;
  /** Whether it comes after another step, which had the focus. */
  isBackHere: boolean;
  onSecondFactor: (missing: readonly SecondFactor[]) => void;
}

function PasswordStep({ user, beginAgain, isBackHere, onSecondFactor }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: async () => {
      const body = { email: user.email, password };
      const { status, second_factors: missing } = await resultOf(
        plainApi.POST('/user/sessions', { body }),
      );
      if (status === 'complete') await presence.lookAgain();
      else onSecondFactor(missing);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!signIn.isPending && password !== '') signIn.mutate();
  };
  const isWrong = signIn.error instanceof ApiFailure && signIn.error.code === WRONG_SIGN_IN;
  const field = useFocusOnFault(isWrong);
  useEffect(() => {
    if (isBackHere) field.current?.focus();
  }, [isBackHere, field]);
  return (
    <form onSubmit={submit} className="space-y-4">
      {beginAgain !== undefined && <Callout tone="warning">{beginAgain}</Callout>}
      <Username email={user.email} />
      <Field label="Password" error={isWrong ? 'Incorrect password. Try again.' : undefined}>
        <PasswordInput
          ref={field}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <SaveFailure error={isWrong ? null : signIn.error} />
      <Actions>
        <PasskeyButton user={user} />
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </Actions>
    </form>
  );
}

function Email({ children }: { children: string }) {
  return <strong className="text-text wrap-anywhere">{children}</strong>;
}

interface WaysOutProps {
  user: Person;
  otherEmail: string | undefined;
}

/** For who cannot, or will not, sign in here. */
function WaysOut({ user, otherEmail }: WaysOutProps) {
  const isOther = otherEmail !== undefined;
  const go = (): void => {
    if (isOther) location.reload();
    else location.assign(signInAddress());
  };
  return (
    <div className="mt-5 space-y-1.5 border-t border-line pt-4 text-sm text-muted">
      <SignInElsewhere email={user.email} />
      <p>
        Or{' '}
        <button
          type="button"
          onClick={() => leaveForGood(go)}
          className="min-h-6 text-left text-accent underline underline-offset-2"
        >
          {isOther ? `continue as ${otherEmail}` : 'leave for the sign-in page'}
        </button>
        . Unsaved changes are lost.
      </p>
    </div>
  );
}
