import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { OAuthClientVerificationsTable } from '../../storage/oauth-tables.ts';
import type { Db, Schema, Transaction } from '../../storage/schema.ts';
import type { Verification } from './verification.ts';

/** Longer than a look-up may take, and how long that of a node that crashed rests. */
export const LOOK_UP_LEASE_MS = 30_000;
// A lease further ahead was written by a clock that is wrong, and not just by one that is fast.
const MAX_LEASE_AHEAD_MS = 2 * LOOK_UP_LEASE_MS;

/** A verification whose next look-up is due. */
export interface DueVerification {
  clientId: string;
  accountId: string;
  verification: Verification;
  /** When the look-up should be made. */
  dueAtMs: number;
}

type VerificationRow = Selectable<OAuthClientVerificationsTable>;

/** What a left join with the verifications gives. */
export type JoinedVerification = {
  [Column in keyof VerificationRow]: VerificationRow[Column] | null;
};

/** The verification of a joined row, or undefined when there was none to join. */
export function readJoinedVerification(row: JoinedVerification): Verification | undefined {
  return row.client_id === null ? undefined : fromRow(row as VerificationRow);
}

function fromRow(row: VerificationRow): Verification {
  return {
    host: row.host,
    text: row.expected_text,
    status: row.status,
    deadlineAtMs: row.deadline_at,
    attempts: row.attempts,
    nextCheckAtMs: row.next_check_at ?? undefined,
    lastCheckedAtMs: row.last_checked_at ?? undefined,
    lastResult: row.last_result ?? undefined,
    verifiedAtMs: row.verified_at ?? undefined,
    misses: row.misses,
  };
}

function toColumns(verification: Verification) {
  return {
    host: verification.host,
    expected_text: verification.text,
    status: verification.status,
    deadline_at: verification.deadlineAtMs,
    attempts: verification.attempts,
    next_check_at: verification.nextCheckAtMs ?? null,
    last_checked_at: verification.lastCheckedAtMs ?? null,
    last_result: verification.lastResult ?? null,
    verified_at: verification.verifiedAtMs ?? null,
    misses: verification.misses,
  };
}

/** Keeps look-ups from storing an outcome until the transaction ends. */
export async function lockVerification(tx: Transaction, clientId: string): Promise<void> {
  await tx
    .updateTable('oauth_client_verifications')
    .set({ misses: sql.ref('misses') })
    .where('client_id', '=', clientId)
    .execute();
}

/** Stores the verification of a client that has none. */
export async function insertVerification(
  tx: Transaction,
  clientId: string,
  verification: Verification,
): Promise<void> {
  await tx
    .insertInto('oauth_client_verifications')
    .values({
      client_id: clientId,
      ...toColumns(verification),
      lease_id: null,
      lease_until: null,
    })
    .execute();
}

/**
 * Stores what a change has made of a client's verification. A look-up that runs meanwhile keeps its
 * lease, so that no other begins, but only the record itself still counts, see {@link storeOutcome};
 * unless the code is another: then it is of no concern any more.
 */
export async function storeVerification(
  tx: Transaction,
  clientId: string,
  verification: Verification | undefined,
): Promise<void> {
  if (verification !== undefined) {
    const { numUpdatedRows } = await tx
      .updateTable('oauth_client_verifications')
      .set(toColumns(verification))
      .where('client_id', '=', clientId)
      .where('expected_text', '=', verification.text)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
  }
  await tx.deleteFrom('oauth_client_verifications').where('client_id', '=', clientId).execute();
  if (verification !== undefined) await insertVerification(tx, clientId, verification);
}

/** Whether nobody looks up a row now. */
function isUnclaimed(
  where: ExpressionBuilder<Schema, 'oauth_client_verifications'>,
  nowMs: number,
) {
  return where.or([
    where('lease_until', 'is', null),
    where('lease_until', '<=', nowMs),
    where('lease_until', '>', nowMs + MAX_LEASE_AHEAD_MS),
  ]);
}

/**
 * What is due and not being looked up, longest waiting first. Uses `oauth_client_verifications_due`.
 * @param busyAccountIds whose clients are left out
 */
export async function selectDueVerifications(
  db: Db,
  nowMs: number,
  limit: number,
  busyAccountIds: readonly string[] = [],
): Promise<DueVerification[]> {
  let query = db
    .selectFrom('oauth_client_verifications')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_client_verifications.client_id')
    .selectAll('oauth_client_verifications')
    .select('oauth_clients.account_id')
    .$narrowType<{ next_check_at: number }>()
    .where('next_check_at', '<=', nowMs)
    .where((where) => isUnclaimed(where, nowMs))
    .orderBy('next_check_at')
    .orderBy('client_id')
    .limit(limit);
  if (busyAccountIds.length > 0) query = query.where('account_id', 'not in', busyAccountIds);
  const rows = await query.execute();
  return rows.map((row) => ({
    clientId: row.client_id,
    accountId: row.account_id,
    verification: fromRow(row),
    dueAtMs: row.next_check_at,
  }));
}

/** The rows that still want the same record. */
function updateSameText(tx: Transaction, { clientId, verification }: DueVerification) {
  return tx
    .updateTable('oauth_client_verifications')
    .where('client_id', '=', clientId)
    .where('expected_text', '=', verification.text);
}

/** The rows that still hold exactly what was read of them. */
function updateUnchanged(tx: Transaction, due: DueVerification) {
  const { verification, dueAtMs } = due;
  return updateSameText(tx, due)
    .where('deadline_at', '=', verification.deadlineAtMs)
    .where('attempts', '=', verification.attempts)
    .where('next_check_at', '=', dueAtMs);
}

/**
 * Claims a look-up, in one conditional statement: of several nodes exactly one succeeds. One that
 * crashes loses the claim when its time is over.
 * @param leaseId unique to this look-up
 */
export async function claimVerification(
  tx: Transaction,
  due: DueVerification,
  leaseId: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateUnchanged(tx, due)
    .where((where) => isUnclaimed(where, nowMs))
    .set({ lease_id: leaseId, lease_until: nowMs + LOOK_UP_LEASE_MS })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Stores the outcome of a look-up and ends its claim. A record that was found is there whether or not
 * the owner has asked for another look meanwhile; that it was not found tells nothing of that look.
 * @returns false when the claim was lost, or the verification was changed meanwhile
 */
export async function storeOutcome(
  tx: Transaction,
  due: DueVerification,
  leaseId: string,
  outcome: Verification,
): Promise<boolean> {
  const isFound = outcome.lastResult === 'found';
  const { numUpdatedRows } = await (isFound ? updateSameText(tx, due) : updateUnchanged(tx, due))
    .where('lease_id', '=', leaseId)
    .set({ ...toColumns(outcome), lease_id: null, lease_until: null })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Gives a claim back, so that the look-up is due again at once. Another's claim is left alone. */
export async function giveVerificationBack(
  tx: Transaction,
  clientId: string,
  leaseId: string,
): Promise<void> {
  await tx
    .updateTable('oauth_client_verifications')
    .set({ lease_id: null, lease_until: null })
    .where('client_id', '=', clientId)
    .where('lease_id', '=', leaseId)
    .execute();
}
