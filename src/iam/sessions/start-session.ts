import { stringifySetCookie } from 'cookie';
import type { RequestFacts } from '../../http/route.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { IamServices } from '../iam-services.ts';
import { storableUserAgent } from '../user-agent.ts';
import { type CookieNames, csrfTokenOf } from './session-cookie.ts';
import { INCOMPLETE_SESSION_MS, SESSION_MS } from './session-lifetimes.ts';

/** How a person has proved who they are. */
export type AuthenticationMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'external';

/** A time of authentication that is not known; so long ago that it never counts as recent. */
export const UNKNOWN_TIME = 0;

/** A session that begins. */
export interface NewSession {
  userId: string;
  methods: readonly AuthenticationMethod[];
  request: RequestFacts;
  /** False while the second factor is missing: until then the session allows nothing but to show it. */
  isComplete: boolean;
  /** Time at which the user proved their identity, {@link UNKNOWN_TIME} included. Default: now. */
  authenticatedAtMs?: number | undefined;
  /** Of the session that this one continues. Default: a new one. */
  sid?: string | undefined;
}

/**
 * Starts a session of a user. Its secret is always new: a cookie from before the sign-in is worthless after it.
 * @returns the secret, for {@link sessionCookies}
 */
export async function startSession(
  tx: Transaction,
  { clock }: Pick<IamServices, 'clock'>,
  { userId, methods, request, isComplete, authenticatedAtMs, sid }: NewSession,
): Promise<string> {
  const nowMs = clock.now();
  const secret = createSecret('lkss_');
  await tx
    .insertInto('sessions')
    .values({
      id: createId(),
      user_id: userId,
      digest: digestSecret(secret),
      is_complete: isComplete ? 1 : 0,
      methods: JSON.stringify(methods),
      created_at: nowMs,
      authenticated_at: authenticatedAtMs ?? nowMs,
      last_seen_at: nowMs,
      expires_at: nowMs + (isComplete ? SESSION_MS : INCOMPLETE_SESSION_MS),
      ip: request.ip,
      user_agent: storableUserAgent(request.headers['user-agent'] ?? ''),
      sid: sid ?? createId(),
    })
    .execute();
  return secret;
}

/** The cookies of a session, as values of `set-cookie`. */
export function sessionCookies(names: CookieNames, secret: string, isComplete = true): string[] {
  const lifetimeMs = isComplete ? SESSION_MS : INCOMPLETE_SESSION_MS;
  return [
    cookie(names.session, secret, true, lifetimeMs),
    cookie(names.csrf, csrfTokenOf(secret), false, lifetimeMs),
  ];
}

/** Takes the cookies of a session away. */
export function clearedSessionCookies(names: CookieNames): string[] {
  return [cookie(names.session, '', true, 0), cookie(names.csrf, '', false, 0)];
}

/** One cookie of ours, as a value of `set-cookie`. */
export function cookie(name: string, value: string, httpOnly: boolean, lifetimeMs: number): string {
  return stringifySetCookie({
    name,
    value,
    path: '/',
    httpOnly,
    sameSite: 'lax',
    secure: name.startsWith('__Host-'),
    maxAge: Math.trunc(lifetimeMs / 1_000),
  });
}
