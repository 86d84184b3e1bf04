import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { type MasterKey, SealError, sealerFromSecret } from '../lib/sealing.ts';
import { createSecret, digestSecret, isWellFormedSecret } from '../lib/secrets.ts';
import type { Database } from '../storage/database.ts';
import type { Db, Transaction } from '../storage/schema.ts';

/** State of a process that a browser carries, in a cookie or a URL. */
export type SealedPurpose =
  | 'authorization_request'
  | 'external_sign_in'
  | 'passkey_authentication'
  | 'return_to';

interface SealingServices {
  masterKey: MasterKey;
  clock: Clock;
}

interface Sealed {
  payload: unknown;
  expiresAtMs: number;
}

/**
 * Encrypts state so that a browser can carry it: only this server can make, read or change it, and it stores nothing.
 * @param payload plain JSON
 * @returns URL-safe text, a third longer than the JSON
 */
export function sealState(
  { masterKey }: Pick<SealingServices, 'masterKey'>,
  purpose: SealedPurpose,
  payload: unknown,
  expiresAtMs: number,
): string {
  const content: Sealed = { payload, expiresAtMs };
  return masterKey.sealer(purpose).seal(JSON.stringify(content), purpose);
}

/** Returns the payload of {@link sealState}, or undefined if the text is expired, changed or of another purpose. */
export function openState(
  { masterKey, clock }: SealingServices,
  purpose: SealedPurpose,
  sealed: string,
): unknown {
  try {
    const content = JSON.parse(masterKey.sealer(purpose).open(sealed, purpose)) as Sealed;
    return clock.now() < content.expiresAtMs ? content.payload : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/**
 * Marks sealed state as used, for state that works once. Nothing is stored before that.
 * @param lifetimeMs at least the time until the state expires
 * @returns false if it was used before
 */
export function consumeState(
  tx: Transaction,
  sealed: string,
  lifetimeMs: number,
  nowMs: number,
): Promise<boolean> {
  return insertOnce(tx, digestSecret(sealed), 'consumed', nowMs, lifetimeMs);
}

/** Returns true if {@link consumeState} has marked the state. */
export async function isStateConsumed(db: Db, sealed: string): Promise<boolean> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('digest')
    .where('digest', '=', digestSecret(sealed))
    .where('purpose', '=', 'consumed')
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a row that does not exist yet, or that has expired. */
async function insertOnce(
  tx: Transaction,
  digest: string,
  purpose: 'consumed' | 'result',
  nowMs: number,
  lifetimeMs: number,
): Promise<boolean> {
  await tx
    .deleteFrom('one_time_secrets')
    .where('digest', '=', digest)
    .where('expires_at', '<=', nowMs)
    .execute();
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('one_time_secrets')
    .values({ digest, purpose, payload: PENDING, expires_at: nowMs + lifetimeMs })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** The use of a stored secret; a secret of another purpose does not fit. */
export type StatePurpose =
  | 'password_reset'
  | 'passkey_registration'
  | 'oauth_consent'
  | 'pushed_authorization_request';

// There are never more, because each new state makes room for itself.
const MAX_DELETED = 100;

/** The state that is stored with a secret. */
export interface StoredState {
  userId: string | undefined;
  payload: unknown;
}

/**
 * Stores state under a new secret that works once, such as the token of a mailed link.
 * @param payload plain JSON
 * @returns the secret; only its digest is stored
 */
export async function storeState(
  tx: Transaction,
  purpose: StatePurpose,
  {
    userId,
    payload,
    expiresAtMs,
  }: {
    userId?: string | undefined;
    payload?: unknown;
    expiresAtMs: number;
  },
): Promise<string> {
  const secret = createSecret('lkot_');
  await tx
    .insertInto('one_time_secrets')
    .values({
      digest: digestSecret(secret),
      purpose,
      user_id: userId ?? null,
      payload: JSON.stringify(payload ?? null),
      expires_at: expiresAtMs,
    })
    .execute();
  return secret;
}

/**
 * Redeems a secret: of several requests at once, one succeeds. If the transaction rolls back, the secret works again.
 * @returns undefined if the secret is unknown, used, expired or of another purpose
 */
export async function redeemState(
  tx: Transaction,
  purpose: StatePurpose,
  secret: string,
  nowMs: number,
): Promise<StoredState | undefined> {
  if (!isWellFormedSecret(secret, 'lkot_')) return undefined;
  const row = await tx
    .deleteFrom('one_time_secrets')
    .where('digest', '=', digestSecret(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .returning(['user_id', 'payload'])
    .executeTakeFirst();
  return row && toStoredState(row);
}

function toStoredState(row: { user_id: string | null; payload: string }): StoredState {
  return { userId: row.user_id ?? undefined, payload: JSON.parse(row.payload) as unknown };
}

/** Returns what {@link redeemState} would return now. The secret keeps working. */
export async function findState(
  db: Db,
  purpose: StatePurpose,
  secret: string,
  nowMs: number,
): Promise<StoredState | undefined> {
  if (!isWellFormedSecret(secret, 'lkot_')) return undefined;
  const row = await db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'payload'])
    .where('digest', '=', digestSecret(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toStoredState(row);
}

/** Deletes the states of one purpose of a user. Uses `one_time_secrets_user`. */
export async function deleteStates(
  tx: Transaction,
  purpose: StatePurpose,
  userId: string,
): Promise<void> {
  await tx
    .deleteFrom('one_time_secrets')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/**
 * Deletes all but the latest states of one purpose of a user, provided that all have the same lifetime. Uses
 * `one_time_secrets_user`.
 */
export async function keepLatestStates(
  tx: Transaction,
  purpose: StatePurpose,
  userId: string,
  kept: number,
): Promise<void> {
  const older = await tx
    .selectFrom('one_time_secrets')
    .select('digest')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .orderBy('expires_at', 'desc')
    .orderBy('digest')
    .offset(kept)
    // SQLite knows no offset without a limit.
    .limit(MAX_DELETED)
    .execute();
  if (older.length === 0) return;
  const digests = older.map(({ digest }) => digest);
  await tx.deleteFrom('one_time_secrets').where('digest', 'in', digests).execute();
}

/**
 * One submission of a form by one browser. A request finds the result of the submission only with both secrets, so that
 * a double click shows the result of the first click, and another browser gets nothing.
 */
export interface Submission {
  action: 'consent' | 'external_sign_in' | 'invitation' | 'password_reset' | 'second_factor';
  /** Secret of the session or of the form cookie of the browser. */
  browser: string;
  /** The one-time value that the action consumes, with what the user has chosen. */
  value: string;
}

const RESULT_MS = 60_000;
// Longer than a sign-in takes whose provider responds.
const MAX_WAIT_MS = 15_000;
const POLL_MS = 100;

// The payload of a claim without a result.
const PENDING = 'null';

function keyOf({ action, browser, value }: Submission): string {
  return JSON.stringify([action, browser, value]);
}

/**
 * Keeps the result of a one-time action for a minute, encrypted with the secrets of the submission.
 * @param tx the transaction that consumes the one-time value
 * @param result plain JSON
 */
export async function keepResult(
  tx: Transaction,
  submission: Submission,
  userId: string | null,
  result: unknown,
  nowMs: number,
): Promise<void> {
  const key = keyOf(submission);
  const sealed = sealerFromSecret(key, 'result').seal(JSON.stringify(result), 'result');
  const columns = {
    user_id: userId,
    payload: JSON.stringify(sealed),
    expires_at: nowMs + RESULT_MS,
  };
  await tx
    .insertInto('one_time_secrets')
    .values({ digest: digestSecret(key), purpose: 'result', ...columns })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet(columns))
    .execute();
}

/**
 * Claims an action that cannot be part of a transaction: of several requests with the same submission, one succeeds. The
 * others wait for its result with {@link awaitResult}.
 */
export function claimSubmission(
  tx: Transaction,
  submission: Submission,
  nowMs: number,
): Promise<boolean> {
  return insertOnce(tx, digestSecret(keyOf(submission)), 'result', nowMs, RESULT_MS);
}

/** Gives a claim up, so that waiting requests end without a result. */
export async function releaseSubmission(tx: Transaction, submission: Submission): Promise<void> {
  const digest = digestSecret(keyOf(submission));
  await tx
    .deleteFrom('one_time_secrets')
    .where('digest', '=', digest)
    .where('payload', '=', PENDING)
    .execute();
}

/** Waits for the result of a claimed submission. Returns undefined if the claim is released, or after 15 seconds. */
export async function awaitResult(
  { read }: Pick<Database, 'read'>,
  clock: Clock,
  submission: Submission,
): Promise<unknown> {
  const digest = digestSecret(keyOf(submission));
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    const result = await findResult(read, submission, clock.now());
    if (result !== undefined) return result;
    const claim = await read
      .selectFrom('one_time_secrets')
      .select('digest')
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (claim === undefined) return undefined;
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Returns the result of {@link keepResult} for the same submission, or undefined after its minute. */
export async function findResult(db: Db, submission: Submission, nowMs: number): Promise<unknown> {
  const key = keyOf(submission);
  const row = await db
    .selectFrom('one_time_secrets')
    .select('payload')
    .where('digest', '=', digestSecret(key))
    .where('purpose', '=', 'result')
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  if (row === undefined || row.payload === PENDING) return undefined;
  const sealed = JSON.parse(row.payload) as string;
  return JSON.parse(sealerFromSecret(key, 'result').open(sealed, 'result')) as unknown;
}
