import type { RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { unauthenticated } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import { type SecondFactor, listSecondFactors } from '../users/second-factor-column.ts';
import { type User, findUser, lockUser } from '../users/user-store.ts';
import { endOldestSessions, endPresentedSession } from './end-sessions.ts';
import { noteDevice } from './known-device.ts';
import { findPendingSession, takePendingSession } from './session-store.ts';
import { type AuthenticationMethod, sessionCookies, startSession } from './start-session.ts';

/** A person who has proved who they are, at least in part. */
export interface SignIn {
  userId: string;
  methods: readonly AuthenticationMethod[];
  request: RequestFacts;
  /** When the person did so. Default: now. */
  authenticatedAtMs?: number;
}

/** A session that has begun. */
export interface BegunSession {
  secret: string;
  /** False while a second factor is missing: then the session allows nothing but to show it. */
  isComplete: boolean;
  /** What the person has that would complete it; empty when it is complete. */
  missing: SecondFactor[];
  /** The cookies of the session and of the browser, as values of `set-cookie`. */
  cookies: string[];
}

type SignInServices = Pick<IamServices, 'clock' | 'cookies'>;

// A passkey is two factors by itself: the device, and what unlocks it.
const SECOND_FACTORS: readonly AuthenticationMethod[] = ['totp', 'recovery_code', 'passkey'];

/**
 * Begins the session of a person who has proved who they are by these methods, and notes it for the
 * audit log. When the person has a second factor and showed none, it is incomplete.
 * @throws ApiError 401 when there is no such person any more, or the person is locked out
 */
export async function beginSession(
  tools: ChangeTools,
  services: SignInServices,
  signIn: SignIn,
): Promise<BegunSession> {
  const { tx } = tools;
  const { userId, methods, request, authenticatedAtMs } = signIn;
  // Two sign-ins at once must not both find room for one session.
  await lockUser(tx, userId);
  const sid = await endPresentedSession(tools, services.cookies, request, userId);
  const hasShownTwo = methods.some((method) => SECOND_FACTORS.includes(method));
  const missing = hasShownTwo ? [] : await listSecondFactors(tx, userId);
  if (missing.length === 0) {
    return {
      ...(await startComplete(tools, services, { ...signIn, sid })),
      isComplete: true,
      missing,
    };
  }
  const { email } = await findAdmitted(tx, userId);
  const pending = { userId, methods, request, isComplete: false, authenticatedAtMs, sid };
  const secret = await startSession(tx, services, pending);
  await endOldestSessions(tools, userId);
  tools.audit({
    chain: { userId },
    type: 'first_factor',
    description: 'Entered the password; the second factor is pending',
    actor: { id: userId, email },
    resource: { type: 'session', id: undefined, product: 'sessions' },
    request: { methods },
    response: { second_factors: missing },
    shows: { request: { methods: true }, response: { second_factors: true } },
  });
  const cookies = sessionCookies(services.cookies, secret, false);
  return { secret, isComplete: false, missing, cookies };
}

/**
 * Makes a complete session of an incomplete one whose person has shown the second factor now. Its
 * secret is new; the old one is worth nothing any more.
 * @throws ApiError 401 when it is unknown, over, or was completed by another request meanwhile
 */
export async function completeSession(
  tools: ChangeTools,
  services: SignInServices,
  pendingSessionSecret: string,
  method: AuthenticationMethod,
  request: RequestFacts,
): Promise<{ secret: string; cookies: string[] }> {
  const nowMs = services.clock.now();
  const found = await findPendingSession(tools.tx, pendingSessionSecret, nowMs);
  if (found === undefined) throw unauthenticated();
  const { userId } = found;
  await lockUser(tools.tx, userId);
  const pending = await takePendingSession(tools.tx, pendingSessionSecret, nowMs);
  if (pending === undefined) throw unauthenticated();
  const methods = [...pending.methods, method];
  const { authenticatedAtMs, sid } = pending;
  return startComplete(tools, services, { userId, methods, request, authenticatedAtMs, sid });
}

async function startComplete(
  tools: ChangeTools,
  services: SignInServices,
  { userId, methods, request, authenticatedAtMs, sid }: SignIn & { sid: string | undefined },
): Promise<{ secret: string; cookies: string[] }> {
  const { tx } = tools;
  const { clock, cookies } = services;
  const { email } = await findAdmitted(tx, userId);
  const complete = { userId, methods, request, isComplete: true, authenticatedAtMs, sid };
  const secret = await startSession(tx, services, complete);
  await endOldestSessions(tools, userId);
  const device = await noteDevice(tx, cookies, userId, request, clock.now());
  tools.audit({
    chain: { userId },
    type: 'sign_in',
    description: 'Signed in',
    actor: { id: userId, email },
    resource: { type: 'session', id: undefined, product: 'sessions' },
    request: { methods },
    shows: { request: { methods: true } },
  });
  return { secret, cookies: [...sessionCookies(cookies, secret, true), device] };
}

/** Every way in ends here, or above: whatever was shown, who is locked out gets no session. */
async function findAdmitted(tx: Transaction, userId: string): Promise<User> {
  const user = await findUser(tx, userId);
  if (user === undefined || user.lockedAtMs !== undefined) throw unauthenticated();
  return user;
}
