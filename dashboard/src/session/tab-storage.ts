const OWNER = 'latchkey:person';

/**
 * Sees to it that what pages keep in this tab, such as drafts, is of one person: it outlives the page, the
 * session and the sign-in of somebody else.
 */
export function keepTabFor(personId: string): void {
  try {
    if (sessionStorage.getItem(OWNER) === personId) return;
    sessionStorage.clear();
    sessionStorage.setItem(OWNER, personId);
  } catch {
    // Without storage there is nothing of anybody.
  }
}

/** Takes away what pages keep in this tab. */
export function clearTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Without storage there is nothing.
  }
}
