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
        Use another sign-in method
      </a>{' '}
      in a new tab. This tab then continues automatically.
    </p>
  );
}
