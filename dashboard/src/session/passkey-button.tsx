import { useMutation } from '@tanstack/react-query';
import { KeyRound } from '../ui/icons.tsx';
import { describeFailure } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { hasPasskeys, signInWithPasskey } from './passkey-sign-in.ts';
import { type Person, presence } from './presence.ts';

/** Signs in by a passkey alone; what goes wrong is said below it. */
export function PasskeyButton({ user, isMain = false }: { user: Person; isMain?: boolean }) {
  const signIn = useMutation({
    mutationFn: async () => {
      await signInWithPasskey(user);
      await presence.lookAgain();
    },
  });
  if (!hasPasskeys) return null;
  return (
    <>
      {signIn.error !== null && (
        <p role="alert" className="self-center text-sm text-danger sm:mr-auto">
          {describeFailure(signIn.error)}
        </p>
      )}
      <Button
        look={isMain ? 'primary' : 'plain'}
        icon={<KeyRound aria-hidden className="size-4" />}
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        Use a passkey
      </Button>
    </>
  );
}
