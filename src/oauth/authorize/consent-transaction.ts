import {
  findOneTimeSecret,
  issueOneTimeSecret,
  keepLatestOneTimeSecrets,
  redeemOneTimeSecret,
} from '../../iam/one-time-secrets.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import { lockUser } from '../../iam/users/user-store.ts';
import { AUTHORIZATION_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

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
    await keepLatestOneTimeSecrets(tx, PURPOSE, userId, MAX_OPEN - 1);
    return issueOneTimeSecret(tx, PURPOSE, {
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
  const found = await findOneTimeSecret(database.read, PURPOSE, secret, clock.now());
  if (found === undefined || found.userId !== user.id) return undefined;
  // Only beginConsent writes it.
  const transaction = found.payload as ConsentTransaction;
  return transaction.sessionId === session.id ? transaction : undefined;
}

/** Ends a transaction that was found: of several who decide at once, one succeeds. */
export async function redeemConsent(
  { database, clock }: Storing,
  secret: string,
): Promise<boolean> {
  const redeemed = await database.transaction((tx) =>
    redeemOneTimeSecret(tx, PURPOSE, secret, clock.now()),
  );
  return redeemed !== undefined;
}
