import type { Selectable } from 'kysely';
import type { OAuthClientVerificationsTable } from '../../storage/oauth-tables.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { Verification } from './verification.ts';

/** A verification whose next look-up is due. */
export interface DueVerification {
  clientId: string;
  accountId: string;
  verification: Verification;
  /** When the look-up should be made. */
  dueAtMs: number;
}

type VerificationRow = Selectable<OAuthClientVerificationsTable>;

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

export async function findVerification(
  db: Db,
  clientId: string,
): Promise<Verification | undefined> {
  const row = await db
    .selectFrom('oauth_client_verifications')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** The verifications of an account's clients, by client id. */
export async function listVerifications(
  db: Db,
  accountId: string,
): Promise<Map<string, Verification>> {
  const ids = db.selectFrom('oauth_clients').select('id').where('account_id', '=', accountId);
  const rows = await db
    .selectFrom('oauth_client_verifications')
    .selectAll()
    .where('client_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.client_id, fromRow(row)]));
}

/**
 * Stores what a change has made of a client's verification. A look-up that runs meanwhile keeps its
 * lease, so that no other begins, but its result no longer counts; unless the code is another: then
 * it is of no concern any more.
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
  if (verification === undefined) return;
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
 * What is due and not being looked up, longest waiting first. Uses `oauth_client_verifications_due`.
 */
export async function selectDueVerifications(
  db: Db,
  nowMs: number,
  limit: number,
): Promise<DueVerification[]> {
  const rows = await db
    .selectFrom('oauth_client_verifications')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_client_verifications.client_id')
    .selectAll('oauth_client_verifications')
    .select('oauth_clients.account_id')
    .$narrowType<{ next_check_at: number }>()
    .where('next_check_at', '<=', nowMs)
    .where((where) =>
      where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)]),
    )
    .orderBy('next_check_at')
    .orderBy('client_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    clientId: row.client_id,
    accountId: row.account_id,
    verification: fromRow(row),
    dueAtMs: row.next_check_at,
  }));
}

/** The rows that still hold exactly what was read of them. */
function updateUnchanged(tx: Transaction, { clientId, verification, dueAtMs }: DueVerification) {
  return tx
    .updateTable('oauth_client_verifications')
    .where('client_id', '=', clientId)
    .where('expected_text', '=', verification.text)
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
  untilMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateUnchanged(tx, due)
    .where((where) =>
      where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)]),
    )
    .set({ lease_id: leaseId, lease_until: untilMs })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Stores the outcome of a look-up and ends its claim.
 * @returns false when the claim was lost, or the verification was changed meanwhile
 */
export async function storeOutcome(
  tx: Transaction,
  due: DueVerification,
  leaseId: string,
  outcome: Verification,
): Promise<boolean> {
  const { numUpdatedRows } = await updateUnchanged(tx, due)
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
