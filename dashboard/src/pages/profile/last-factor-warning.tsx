/** What else goes with the last second factor. */
export function LastFactorWarning() {
  return (
    <p>
      It is your last second factor: your recovery codes go with it, and accounts that demand one
      grant you nothing until you set up another.
    </p>
  );
}
