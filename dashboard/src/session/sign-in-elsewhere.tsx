import { signInElsewhereAddress } from './sign-in-page.ts';

/** The other ways to sign in, in a tab of their own; this page notices when it is done. */
export function SignInElsewhere({ email }: { email: string }) {
  return (
    <p>
      <a
        href={signInElsewhereAddress(email)}
        target="_blank"
        rel="noreferrer"
        className="inline-block min-h-6 text-accent underline underline-offset-2"
      >
        Sign in in another way
      </a>{' '}
      in a new tab. This one goes on by itself afterwards.
    </p>
  );
}
