import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { safeReturnTo } from './return-to.ts';
import { signInPath } from './sign-in-wishes.ts';

/**
 * The way to the sign-in and back for a request that presents no session; undefined for one that does.
 * Whether the session still works is not looked at.
 */
export function askToSignIn(
  { cookies }: Pick<IamServices, 'cookies'>,
  { headers, path, query }: RequestFacts,
): string | undefined {
  const session = readCookie(headers.cookie, cookies.session) ?? '';
  if (session !== '') return undefined;
  return signInPath({ returnTo: safeReturnTo(query === '' ? path : `${path}?${query}`) });
}
