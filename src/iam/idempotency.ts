import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { apiError, httpErrors } from '../http/errors.ts';
import type { Reply, RequestFacts } from '../http/route.ts';
import { type Sealer, sealerFromSecret } from '../lib/sealing.ts';
import { SECRET_PATTERN, digestSecret } from '../lib/secrets.ts';
import type { Transaction } from '../storage/schema.ts';
import type { CredentialPrincipal, Principal } from './principal.ts';

/** How long a key is remembered. */
export const IDEMPOTENCY_MS = 86_400_000;

const MAX_KEY_LENGTH = 255;
const KEY_FORM = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const CREDENTIAL = new RegExp(SECRET_PATTERN);

/** A request that carries an idempotency key. */
export interface IdempotentRequest {
  /** Of the credential, the operation and the key. */
  digest: string;
  /** Of the body: the same key with another one is a mistake. */
  requestDigest: string;
  /** Opens the stored answer; nothing kept on the server can make it. */
  sealer: Sealer;
}

function sha256(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** The secret that the caller presented, from whichever header it came in. */
function credentialOf(principal: CredentialPrincipal, { headers }: RequestFacts): string {
  const { authorization = '', cookie = '' } = headers;
  if (principal.type !== 'user') return CREDENTIAL.exec(authorization)?.[0] ?? authorization;
  const { digest } = principal.session;
  // Another cookie may look like the session's.
  const secrets = cookie.match(/lkss_[0-9A-Za-z]+/g) ?? [];
  return secrets.find((secret) => digestSecret(secret) === digest) ?? digest;
}

/**
 * The idempotency key of a request that creates something; undefined without one.
 * @throws ApiError 6015 when the header is no key
 */
export function readIdempotencyKey(context: {
  principal: Principal;
  request: RequestFacts;
  body?: unknown;
}): IdempotentRequest | undefined {
  const { principal, request, body } = context;
  const key = request.headers['idempotency-key'];
  // Without a credential there is nobody to keep an answer for.
  if (key === undefined || request.method !== 'POST' || principal.type === 'anonymous') {
    return undefined;
  }
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !KEY_FORM.test(key)) {
    throw apiError(httpErrors.invalidIdempotencyKey);
  }
  const secret = `${credentialOf(principal, request)}\n${key}`;
  return {
    digest: sha256('idempotency', request.method, request.path, secret),
    requestDigest: sha256(canonicalize(body ?? null) ?? ''),
    sealer: sealerFromSecret(secret, 'idempotency'),
  };
}

/**
 * Claims a key as the first statement of a transaction. Of two requests that use it at once, the
 * second waits here for the first.
 * @returns the answer that was given before, or undefined when this request is the first
 * @throws ApiError 6014 when it was used with another body
 */
export async function claimKey(
  tx: Transaction,
  { digest, requestDigest, sealer }: IdempotentRequest,
  nowMs: number,
): Promise<Reply<unknown> | undefined> {
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ digest, request_digest: requestDigest, sealed_answer: '', created_at: nowMs })
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .doUpdateSet({ request_digest: requestDigest, sealed_answer: '', created_at: nowMs })
        .where('idempotency_keys.created_at', '<=', nowMs - IDEMPOTENCY_MS),
    )
    .returning('digest')
    .executeTakeFirst();
  if (claimed !== undefined) return undefined;
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['request_digest', 'sealed_answer'])
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow();
  if (stored.request_digest !== requestDigest) throw apiError(httpErrors.idempotencyKeyReused);
  const answer = JSON.parse(sealer.open(stored.sealed_answer, digest)) as Reply<unknown>;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}

/** Keeps the answer under the key, for as long as the key is remembered. */
export async function storeAnswer(
  tx: Transaction,
  { digest, sealer }: IdempotentRequest,
  answer: Reply<unknown>,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ sealed_answer: sealer.seal(JSON.stringify(answer), digest) })
    .where('digest', '=', digest)
    .execute();
}

const KEYS_PER_PURGE = 500;

/**
 * Forgets some of the keys whose time is over; returns whether there may be more. Uses
 * `idempotency_keys_time`.
 */
export async function purgeIdempotencyKeys(tx: Transaction, nowMs: number): Promise<boolean> {
  const over = tx
    .selectFrom('idempotency_keys')
    .select('digest')
    .where('created_at', '<=', nowMs - IDEMPOTENCY_MS)
    .limit(KEYS_PER_PURGE);
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency_keys')
    .where('digest', 'in', over)
    .executeTakeFirstOrThrow();
  return numDeletedRows >= BigInt(KEYS_PER_PURGE);
}
