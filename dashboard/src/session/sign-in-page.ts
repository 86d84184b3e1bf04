/** Where people sign in, with the way back here. */
export function signInAddress(): string {
  const here = location.pathname + location.search + location.hash;
  return here === '/' ? '/login' : `/login?return_to=${encodeURIComponent(here)}`;
}

/** Leaves for the page where people sign in, which leads back here afterwards. */
export function goToSignIn(): void {
  location.assign(signInAddress());
}

/** The same for who has a session that is of no use: without being asked, the page would lead straight back. */
export function goToSignInAgain(): void {
  const address = signInAddress();
  location.assign(`${address}${address.includes('?') ? '&' : '?'}prompt=login`);
}

/**
 * The same page for another tab, while this one waits. It asks whoever is signed in again, and ends on a page
 * that sends the person back here.
 */
export function signInElsewhereAddress(email: string): string {
  const query = new URLSearchParams({
    prompt: 'login',
    login_hint: email,
    return_to: '/signed-in?tab=yes',
  });
  return `/login?${query.toString()}`;
}
