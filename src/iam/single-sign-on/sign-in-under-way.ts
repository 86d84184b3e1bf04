import { randomBytes } from 'node:crypto';
import type { RequestFacts } from '../../http/route.ts';
import { SealError, sealerFromSecret } from '../../lib/sealing.ts';
import type { IamServices } from '../iam-services.ts';
import { issueOneTimeSecret, redeemOneTimeSecret } from '../one-time-secrets.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { cookie } from '../sessions/start-session.ts';
import type { SignInUnderWay } from './openid-provider.ts';

/** Time to sign in at the other server. */
export const UNDER_WAY_MS = 10 * 60_000;

const PURPOSE = 'external_sign_in';
// Of the secret in the browser, and of what protects the code (RFC 7636 section 7.1).
const SECRET_BYTES = 32;
const BROWSER_SECRET = /^[A-Za-z0-9_-]{43}$/;

/** What is remembered while the browser is at the other server. */
export interface Remembered extends SignInUnderWay {
  /** A path of ours, see pages/return-to.ts. */
  returnTo: string;
}

type UnderWayServices = Pick<IamServices, 'clock' | 'cookies' | 'database'>;

/**
 * Remembers a sign-in that begins now. What is kept is sealed under a secret that the browser alone
 * has: nobody can finish in one browser what was begun in another, which is how people are made to
 * act in somebody else's name (RFC 6749 section 10.12).
 * @returns also the cookie with that secret, as a value of `set-cookie`
 */
export async function rememberSignIn(
  { clock, cookies, database }: UnderWayServices,
  returnTo: string,
): Promise<{ remembered: Remembered; cookie: string }> {
  const [browserSecret, nonce, codeVerifier] = [random(), random(), random()];
  const text = JSON.stringify({ nonce, codeVerifier, returnTo });
  const payload = sealerFromSecret(browserSecret, PURPOSE).seal(text, PURPOSE);
  const expiresAtMs = clock.now() + UNDER_WAY_MS;
  const state = await database.transaction((tx) =>
    issueOneTimeSecret(tx, PURPOSE, { payload, expiresAtMs }),
  );
  return {
    remembered: { state, nonce, codeVerifier, returnTo },
    cookie: cookie(cookies.external, browserSecret, true, UNDER_WAY_MS),
  };
}

/**
 * What was remembered, once.
 * @returns undefined when the state is unknown, used or too old, or of another browser
 */
export async function recallSignIn(
  { clock, cookies, database }: UnderWayServices,
  { headers }: RequestFacts,
  state: string | null,
): Promise<Remembered | undefined> {
  const browserSecret = readCookie(headers.cookie, cookies.external);
  if (state === null || browserSecret === undefined || !BROWSER_SECRET.test(browserSecret)) {
    return undefined;
  }
  const redeemed = await database.transaction((tx) =>
    redeemOneTimeSecret(tx, PURPOSE, state, clock.now()),
  );
  if (typeof redeemed?.payload !== 'string') return undefined;
  try {
    const text = sealerFromSecret(browserSecret, PURPOSE).open(redeemed.payload, PURPOSE);
    return { state, ...(JSON.parse(text) as Omit<Remembered, 'state'>) };
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Takes the secret from the browser again, as a value of `set-cookie`. */
export function forgottenCookie({ cookies }: Pick<IamServices, 'cookies'>): string {
  return cookie(cookies.external, '', true, 0);
}

function random(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
