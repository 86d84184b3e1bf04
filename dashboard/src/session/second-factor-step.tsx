import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { plainApi, resultOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Actions } from '../ui/dialog.tsx';
import { SaveFailure } from '../ui/states.tsx';
import { CodeField, type TypedCode, codeBody, codeFault } from './code-field.tsx';
import { UNAUTHENTICATED } from './interruptions.ts';
import { type Person, presence } from './presence.ts';
import { PasskeyButton } from './passkey-button.tsx';

/** What completes a sign-in. */
export type SecondFactor = 'totp' | 'passkey' | 'recovery_code';

interface SecondFactorStepProps {
  user: Person;
  factors: readonly SecondFactor[];
  /** It took too long, or too many codes were wrong. */
  onBeginAgain: (reason: string) => void;
}

/** What a person with two factors shows after the password. */
export function SecondFactorStep({ user, factors, onBeginAgain }: SecondFactorStepProps) {
  const has = { totp: factors.includes('totp'), recovery: factors.includes('recovery_code') };
  const [code, setCode] = useState<TypedCode>({ kind: has.totp ? 'totp' : 'recovery', text: '' });
  // Whoever has passkeys alone has recovery codes for when they are lost.
  const [isCodeAsked, setIsCodeAsked] = useState(has.totp);
  const show = useMutation({
    mutationFn: async () => {
      const body = codeBody(code);
      if (body === undefined) return;
      await resultOf(plainApi.POST('/user/sessions/current/second_factor', { body }));
      await presence.lookAgain();
    },
    onError: (error) => {
      const isOver = error instanceof ApiFailure && error.code === UNAUTHENTICATED;
      if (isOver)
        onBeginAgain('Your code expired, or you entered too many incorrect codes. Start over.');
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!show.isPending) show.mutate();
  };
  const fault = codeFault(show.error, code);
  return (
    <form onSubmit={submit} className="space-y-4">
      {isCodeAsked && <CodeField code={code} onChange={setCode} has={has} isFirst error={fault} />}
      <SaveFailure error={fault === undefined ? show.error : null} />
      <Actions>
        {factors.includes('passkey') && <PasskeyButton user={user} isMain={!isCodeAsked} />}
        {isCodeAsked ? (
          <Button type="submit" look="primary" isBusy={show.isPending}>
            Continue
          </Button>
        ) : (
          has.recovery && <Button onClick={() => setIsCodeAsked(true)}>Use a recovery code</Button>
        )}
      </Actions>
    </form>
  );
}
