import {
  type Submission,
  findResult,
  findState,
  keepLatestStates,
  keepResult,
  redeemState,
  storeState,
} from '../../iam/short-lived-state.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import { lockUser } from '../../iam/users/user-store.ts';
import { AUTHORIZATION_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationResponse } from './authorization-response.ts';

const PURPOSE = 'oauth_consent';

// Tabs in which one person is asked at the same time; the oldest ones are forgotten.
const MAX_OPEN = 20;

/**
 * What a person is asked. It stays here: the page carries only a name for it that works once, so
 * nothing of it can be changed on the way.
 */
export interface ConsentTransaction {
  /** The session that the person was asked in. */
  sessionId: string;
  request: AuthorizationRequest;
  /** What the person has allowed the client before. */
  grantId: string | undefined;
}

type Storing = Pick<OAuthServices, 'database' | 'clock'>;

/** @returns the name of the transaction, a secret */
export async function beginConsent(
  { database, clock }: Storing,
  userId: string,
  transaction: ConsentTransaction,
): Promise<string> {
  return database.transaction(async (tx) => {
    await lockUser(tx, userId);
    await keepLatestStates(tx, PURPOSE, userId, MAX_OPEN - 1);
    return storeState(tx, PURPOSE, {
      userId,
      payload: transaction,
      expiresAtMs: clock.now() + AUTHORIZATION_MS,
    });
  });
}

/** The transaction of that name, if the session was asked it and has not decided yet. */
export async function findConsent(
  { database, clock }: Storing,
  { session, user }: SessionPrincipal,
  secret: string,
): Promise<ConsentTransaction | undefined> {
  const found = await findState(database.read, PURPOSE, secret, clock.now());
  if (found === undefined || found.userId !== user.id) return undefined;
  // Only beginConsent writes it.
  const transaction = found.payload as ConsentTransaction;
  return transaction.sessionId === session.id ? transaction : undefined;
}

/** A transaction that a form is about to end. */
export interface OpenConsent {
  /** The name of the transaction. */
  secret: string;
  sessionSecret: string;
}

/** A decision, for a browser that submits it again. */
export interface DecidedConsent {
  response: AuthorizationResponse;
  /** Undefined after a denial. */
  code: string | undefined;
  clientName: string;
}

function submissionOf({ secret, sessionSecret }: OpenConsent): Submission {
  return { action: 'consent', browser: sessionSecret, value: secret };
}

/** Ends a transaction and keeps the decision for a minute. Returns false if another request has ended it. */
export async function endConsent(
  tx: Transaction,
  consent: OpenConsent,
  userId: string,
  decided: DecidedConsent,
  nowMs: number,
): Promise<boolean> {
  const redeemed = await redeemState(tx, PURPOSE, consent.secret, nowMs);
  if (redeemed === undefined) return false;
  await keepResult(tx, submissionOf(consent), userId, decided, nowMs);
  return true;
}

/** Returns the decision about a transaction that the same session has just ended. */
export async function findDecided(
  { database, clock }: Storing,
  consent: OpenConsent,
): Promise<DecidedConsent | undefined> {
  const found = await findResult(database.read, submissionOf(consent), clock.now());
  return found as DecidedConsent | undefined;
}
