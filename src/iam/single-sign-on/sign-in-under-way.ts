import { randomBytes } from 'node:crypto';
import type { RequestFacts } from '../../http/route.ts';
import { SealError } from '../../lib/sealing.ts';
import type { IamServices } from '../iam-services.ts';
import { LOST_WAY_PATH } from '../pages/lost-way-page.ts';
import type { SignInPrompt, SignInWishes } from '../pages/sign-in-wishes.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { cookie } from '../sessions/start-session.ts';
import type { SignInUnderWay } from './openid-provider.ts';

// Time to sign in at the other server.
const UNDER_WAY_MS = 10 * 60_000;

const PURPOSE = 'external_sign_in';
// Of what ties the answer to the question, and of what protects the code (RFC 7636 section 7.1).
const RANDOM_BYTES = 32;

// Browsers drop a cookie of more than 4,096 bytes (RFC 6265 section 6.1); sealed, this is 3,700.
const MAX_RETURN_TO_LENGTH = 2_500;

/** What is remembered while the browser is at the other server. */
export interface Remembered extends SignInUnderWay {
  /** A path of ours, see pages/return-to.ts. */
  returnTo: string;
  prompt: SignInPrompt | undefined;
  startedAtMs: number;
}

interface Sealed extends Remembered {
  expiresAtMs: number;
}

type UnderWayServices = Pick<IamServices, 'clock' | 'cookies' | 'masterKey'>;

/**
 * Has the browser remember a sign-in that begins now, in a cookie that only this server can read:
 * nobody can finish in one browser what was begun in another, which is how people are made to act in
 * somebody else's name (RFC 6749 section 10.12). Nothing is kept here, so nobody can fill anything.
 * @param wishes instead of a very long place to return to, the person comes to a page that says so
 * @returns also the cookie, as a value of `set-cookie`
 */
export function rememberSignIn(
  { clock, cookies, masterKey }: UnderWayServices,
  { returnTo, prompt }: Pick<SignInWishes, 'returnTo' | 'prompt'>,
): { remembered: Remembered; cookie: string } {
  const remembered: Remembered = {
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    returnTo: returnTo.length > MAX_RETURN_TO_LENGTH ? LOST_WAY_PATH : returnTo,
    prompt,
    startedAtMs: clock.now(),
  };
  const content: Sealed = { ...remembered, expiresAtMs: remembered.startedAtMs + UNDER_WAY_MS };
  const sealed = masterKey.sealer(PURPOSE).seal(JSON.stringify(content), cookies.external);
  return { remembered, cookie: cookie(cookies.external, sealed, true, UNDER_WAY_MS) };
}

/**
 * What the browser has remembered. It may come again with the same cookie: the provider's code works
 * once (RFC 6749 section 4.1.2).
 * @returns undefined when the state is another one, or it is too old
 */
export function recallSignIn(
  { clock, cookies, masterKey }: UnderWayServices,
  { headers }: RequestFacts,
  state: string | null,
): Remembered | undefined {
  const sealed = readCookie(headers.cookie, cookies.external);
  if (sealed === undefined) return undefined;
  try {
    const text = masterKey.sealer(PURPOSE).open(sealed, cookies.external);
    const { expiresAtMs, ...remembered } = JSON.parse(text) as Sealed;
    const isIt = remembered.state === state && clock.now() < expiresAtMs;
    return isIt ? remembered : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Takes the cookie from the browser again, as a value of `set-cookie`. */
export function forgottenCookie({ cookies }: Pick<IamServices, 'cookies'>): string {
  return cookie(cookies.external, '', true, 0);
}

function random(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}
