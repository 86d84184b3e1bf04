/** Tells password managers whose password the field after it is. */
export function Username({ email }: { email: string }) {
  return (
    <input type="text" autoComplete="username" value={email} readOnly hidden aria-label="Email" />
  );
}
