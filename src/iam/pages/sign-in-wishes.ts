import { safeReturnTo, withReturnTo } from './return-to.ts';

/**
 * Asks for a sign-in although somebody is signed in (OpenID Connect Core section 3.1.2.1):
 * - `login`: the person must authenticate now
 * - `select_account`: the person wants to sign in as somebody else
 */
export type SignInPrompt = 'login' | 'select_account';

const PROMPTS: readonly SignInPrompt[] = ['login', 'select_account'];

/** What a sign-in should be like, and lead to. It travels in addresses and in hidden fields. */
export interface SignInWishes {
  /** A path of ours, see return-to.ts. */
  returnTo: string;
  prompt: SignInPrompt | undefined;
  /** The email address of whom somebody expects. */
  loginHint: string;
}

// RFC 5321 section 4.5.3.1: no address is longer.
const MAX_HINT_LENGTH = 254;

/** The wishes in a query or in a form. */
export function readWishes(parameters: URLSearchParams): SignInWishes {
  const hint = parameters.get('login_hint') ?? '';
  return {
    returnTo: safeReturnTo(parameters.get('return_to')),
    prompt: PROMPTS.find((prompt) => prompt === parameters.get('prompt')),
    loginHint: hint.length > MAX_HINT_LENGTH ? '' : hint,
  };
}

/** A path of ours with the wishes. */
export function withWishes(path: string, { returnTo, prompt, loginHint }: SignInWishes): string {
  const wishes = [
    ...(prompt === undefined ? [] : [`prompt=${prompt}`]),
    ...(loginHint === '' ? [] : [`login_hint=${encodeURIComponent(loginHint)}`]),
  ];
  const separator = path.includes('?') ? '&' : '?';
  const wished = wishes.length === 0 ? path : path + separator + wishes.join('&');
  return withReturnTo(wished, returnTo);
}

/** The wishes as hidden fields. */
export function wishFields({ returnTo, prompt, loginHint }: SignInWishes): Record<string, string> {
  return {
    return_to: returnTo,
    ...(prompt !== undefined && { prompt }),
    ...(loginHint !== '' && { login_hint: loginHint }),
  };
}

/**
 * The path of the sign-in page.
 */
export function signInPath(wishes: Partial<SignInWishes>): string {
  return withWishes('/login', { returnTo: '/', prompt: undefined, loginHint: '', ...wishes });
}
