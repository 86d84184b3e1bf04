import { randomBytes } from 'node:crypto';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { LOST_WAY_PATH } from '../pages/lost-way-page.ts';
import type { SignInPrompt, SignInWishes } from '../pages/sign-in-wishes.ts';
import {
  type TransactionKind,
  findTransaction,
  keepTransaction,
  removeTransaction,
} from '../pages/transaction-cookies.ts';
import type { SignInUnderWay } from './openid-provider.ts';

// Time to sign in at the other server.
const UNDER_WAY_MS = 10 * 60_000;

// For the state, and for the PKCE verifier (RFC 7636 section 7.1).
const RANDOM_BYTES = 32;

// Browsers drop a cookie of more than 4,096 bytes (RFC 6265 section 6.1); sealed, this is 3,700.
const MAX_RETURN_TO_LENGTH = 2_500;

/** The state of one attempt to sign in, while the browser is at the other server. */
export interface Remembered extends SignInUnderWay {
  /** A path of this server, see pages/return-to.ts. */
  returnTo: string;
  prompt: SignInPrompt | undefined;
  startedAtMs: number;
  /** True after the sign-in: the browser may load the callback again. */
  isComplete: boolean;
}

type UnderWayServices = Pick<IamServices, 'clock' | 'cookies' | 'masterKey'>;

/**
 * Begins an attempt. A sealed cookie per attempt keeps its state in the browser, so that an attempt ends only in the
 * browser that began it (RFC 6749 section 10.12), several tabs can sign in at the same time, and the server stores
 * nothing. The oldest cookies make room.
 * @param wishes a return path that does not fit into a cookie is replaced by a page that says so
 * @returns also the cookies, as values of `set-cookie`
 */
export function rememberSignIn(
  services: UnderWayServices,
  request: RequestFacts,
  { returnTo, prompt }: Pick<SignInWishes, 'returnTo' | 'prompt'>,
): { remembered: Remembered; cookies: string[] } {
  const remembered: Remembered = {
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    returnTo: returnTo.length > MAX_RETURN_TO_LENGTH ? LOST_WAY_PATH : returnTo,
    prompt,
    startedAtMs: services.clock.now(),
    isComplete: false,
  };
  return { remembered, cookies: keep(services, request, remembered) };
}

function keep(services: UnderWayServices, request: RequestFacts, remembered: Remembered): string[] {
  return keepTransaction(services, request, kindOf(services), remembered.state, remembered);
}

/**
 * Returns the attempt of a state, if this browser began it. The browser may come again with the same cookie: the
 * provider's code works once (RFC 6749 section 4.1.2).
 */
export function recallSignIn(
  services: UnderWayServices,
  request: RequestFacts,
  state: string | null,
): Remembered | undefined {
  return findTransaction(services, request, kindOf(services), state) as Remembered | undefined;
}

/** Notes that an attempt is complete, as values of `set-cookie`. */
export function completedCookies(
  services: UnderWayServices,
  request: RequestFacts,
  remembered: Remembered,
): string[] {
  return keep(services, request, { ...remembered, isComplete: true });
}

/** Removes the cookie of an attempt, as a value of `set-cookie`. */
export function forgottenCookie(
  services: Pick<IamServices, 'cookies'>,
  { state }: Pick<Remembered, 'state'>,
): string {
  return removeTransaction(kindOf(services), state);
}

function kindOf({ cookies }: Pick<IamServices, 'cookies'>): TransactionKind {
  return { cookieName: cookies.external, purpose: 'external_sign_in', lifetimeMs: UNDER_WAY_MS };
}

function random(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}
