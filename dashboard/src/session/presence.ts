import { failureOf, noAnswer } from '../api/failure.ts';
import { queryClient } from '../api/query-client.ts';
import { csrfToken } from './csrf-token.ts';
import { interruptions } from './interruptions.ts';
import { leaveForGood } from './leaving.ts';
import { clearTab, keepTabFor } from './tab-storage.ts';

/** Somebody who is signed in. */
export interface Person {
  id: string;
  email: string;
}

const TIMEOUT_MS = 30_000;
/** What a token gets that does not belong to the session cookie. */
const FORBIDDEN = 403;

/** Who is signed in in this browser; undefined for nobody. @throws ApiFailure when it cannot be told */
async function readPerson(token: string): Promise<Person | undefined> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch('/client/v4/user', { headers: { 'x-csrf-token': token }, signal });
  } catch (error) {
    throw noAnswer(error);
  }
  if (response.status === 401 || response.status === FORBIDDEN) return undefined;
  if (!response.ok) throw await failureOf(response);
  const { result } = (await response.json()) as { result: Person };
  return result;
}

/**
 * Sees to it that all that this page shows and sends is of one person, whatever other tabs do: they share
 * the session with this one, and may end it or sign somebody else in.
 */
class Presence {
  #person: Person | undefined;
  /** Of the session that is known to be the person's. */
  #trustedToken = '';
  /** The person is signing out here, which asks for nothing. */
  isSigningOut = false;

  /**
   * Tells whose page this is.
   * @param token of the session in which the server has told it
   */
  know(person: Person, token: string): void {
    if (this.#person !== undefined) return;
    this.#person = person;
    this.#trustedToken = token;
    interruptions.isAskable = true;
    keepTabFor(person.id);
  }

  /** Whether it is known whose page this is. */
  get isKnown(): boolean {
    return this.#person !== undefined;
  }

  /** Whether a token is that of the session of the person whose page this is. */
  trusts(token: string): boolean {
    return token !== '' && token === this.#trustedToken;
  }

  /**
   * Before a request: waits while the session is one of somebody else.
   * @returns the token to send it with: should the session be replaced now, the server refuses that token
   */
  async vouch(): Promise<string> {
    for (;;) {
      const token = csrfToken();
      if (this.#person === undefined || token === '' || this.trusts(token)) return token;
      if ((await this.#compare(token)) !== 'other-person') return token;
      await interruptions.ask({ kind: 'other-person', email: this.#otherEmail });
    }
  }

  /** When another tab may have changed something: asks the person at once, or stops asking. */
  async lookAgain(): Promise<void> {
    const asked = interruptions.current;
    if (this.#person === undefined) return;
    const isAsExpected = this.isSigningOut || csrfToken() === this.#trustedToken;
    if (asked === undefined && isAsExpected) return;
    const token = csrfToken();
    const found = token === '' ? 'nobody' : await this.#compare(token);
    if (found === 'nobody') void interruptions.ask({ kind: 'sign-in' });
    else if (found === 'other-person') {
      void interruptions.ask({ kind: 'other-person', email: this.#otherEmail });
    } else if (asked?.kind !== 'confirmation' || asked.token !== csrfToken()) {
      // The session, or a new one of the same person, is there.
      interruptions.settle(true);
    }
  }

  #otherEmail = '';

  /** Whose session a token belongs to, in comparison with whose page this is. */
  async #compare(token: string): Promise<'nobody' | 'same-person' | 'other-person'> {
    const there = await readPerson(token);
    if (there === undefined) return 'nobody';
    if (there.id === this.#person?.id) {
      this.#trustedToken = token;
      return 'same-person';
    }
    this.#otherEmail = there.email;
    return 'other-person';
  }
}

/** That of this page. */
export const presence = new Presence();

/** Leaves nothing of the person in the page: browsers keep it, for who goes back. */
function clearPage(): void {
  queryClient.clear();
  clearTab();
  document.body.replaceChildren();
}

/** Notices what other tabs do to the session, as soon as the browser tells. Returns what stops it. */
export function watchSession(): () => void {
  const look = (): void => {
    // Without an answer, the next request finds out.
    if (document.visibilityState === 'visible') presence.lookAgain().catch(() => undefined);
  };
  const leave = (): void => {
    if (presence.isSigningOut) clearPage();
  };
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    presence.isSigningOut = false;
    if (!persisted || presence.trusts(csrfToken())) {
      look();
      return;
    }
    // The browser shows it as it was left, and the user no longer exists.
    clearPage();
    leaveForGood(() => location.reload());
  };
  const cookies = (globalThis as { cookieStore?: EventTarget }).cookieStore;
  window.addEventListener('focus', look);
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  document.addEventListener('visibilitychange', look);
  cookies?.addEventListener('change', look);
  return () => {
    window.removeEventListener('focus', look);
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', comeBack);
    document.removeEventListener('visibilitychange', look);
    cookies?.removeEventListener('change', look);
  };
}
