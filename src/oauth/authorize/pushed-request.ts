import { findState, storeState } from '../../iam/short-lived-state.ts';
import { digestSecret } from '../../lib/secrets.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { PUSHED_REQUEST_MS } from '../lifetimes.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** How a request that was pushed is named (RFC 9126 section 2.2). */
const URN = 'urn:ietf:params:oauth:request_uri:';

const PURPOSE = 'pushed_authorization_request';

/** Whether a `request_uri` is of the kind that this server gives out. */
export function isPushedRequestUri(requestUri: string): boolean {
  return requestUri.startsWith(URN);
}

/** Keeps a request that was checked. @returns its `request_uri` */
export async function storePushedRequest(
  tx: Transaction,
  request: AuthorizationRequest,
  nowMs: number,
): Promise<string> {
  const expiresAtMs = nowMs + PUSHED_REQUEST_MS;
  const payload: AuthorizationRequest = { ...request, pushedUntilMs: expiresAtMs };
  return URN + (await storeState(tx, PURPOSE, { payload, expiresAtMs }));
}

/** The request that a client has pushed; undefined when it is another's, used, or too old. */
export async function findPushedRequest(
  db: Db,
  clientId: string,
  requestUri: string,
  nowMs: number,
): Promise<AuthorizationRequest | undefined> {
  const secret = requestUri.slice(URN.length);
  const found = await findState(db, PURPOSE, secret, nowMs);
  const request = found?.payload as AuthorizationRequest | undefined;
  if (request?.clientId !== clientId) return undefined;
  return { ...request, requestedAtMs: nowMs, pushedDigest: digestSecret(secret) };
}

/**
 * Uses a pushed request up, since it is good for one code. Once it has expired, nobody can come with
 * it again, and a person who was already on the way may arrive.
 * @returns false when it was used already
 */
export async function takePushedRequest(
  tx: Transaction,
  { pushedDigest, pushedUntilMs = 0 }: AuthorizationRequest,
  nowMs: number,
): Promise<boolean> {
  if (pushedDigest === undefined) return true;
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_secrets')
    .where('digest', '=', pushedDigest)
    .where('purpose', '=', PURPOSE)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n || nowMs >= pushedUntilMs;
}
