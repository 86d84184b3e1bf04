import { safeReturnTo, withReturnTo } from './return-to.ts';

/** What a sign-in should be like, and lead to. It travels in addresses and in hidden fields. */
export interface SignInWishes {
  /** A path of ours, see return-to.ts. */
  returnTo: string;
  /** Whether the person proves anew who they are, even when somebody is signed in. */
  isAgain: boolean;
  /** The e-mail address of whom somebody expects. */
  loginHint: string;
}

// RFC 5321 section 4.5.3.1: no address is longer.
const MAX_HINT_LENGTH = 254;

/** The wishes in a query or in a form. */
export function readWishes(parameters: URLSearchParams): SignInWishes {
  const hint = parameters.get('login_hint') ?? '';
  return {
    returnTo: safeReturnTo(parameters.get('return_to')),
    isAgain: parameters.get('prompt') === 'login',
    loginHint: hint.length > MAX_HINT_LENGTH ? '' : hint,
  };
}

/** A path of ours with the wishes. */
export function withWishes(path: string, { returnTo, isAgain, loginHint }: SignInWishes): string {
  const wishes = [
    ...(isAgain ? ['prompt=login'] : []),
    ...(loginHint === '' ? [] : [`login_hint=${encodeURIComponent(loginHint)}`]),
  ];
  const separator = path.includes('?') ? '&' : '?';
  const wished = wishes.length === 0 ? path : path + separator + wishes.join('&');
  return withReturnTo(wished, returnTo);
}

/** The wishes as hidden fields. */
export function wishFields({ returnTo, isAgain, loginHint }: SignInWishes): Record<string, string> {
  return {
    return_to: returnTo,
    ...(isAgain && { prompt: 'login' }),
    ...(loginHint !== '' && { login_hint: loginHint }),
  };
}

/**
 * The way to the sign-in.
 * @param wishes `isAgain` for a new proof, or for another account
 */
export function signInPath(wishes: Partial<SignInWishes>): string {
  return withWishes('/login', { returnTo: '/', isAgain: false, loginHint: '', ...wishes });
}
