import type { Transaction } from '../../storage/schema.ts';

/** A person as an OpenID provider knows them: its name for itself, and for the person. */
export interface ExternalIdentity {
  issuer: string;
  /** Never given to somebody else by that provider (OpenID Connect Core section 2). */
  subject: string;
}

/** Notes a sign-in by an identity; answers whose it is. Uses the primary key. */
export async function useExternalIdentity(
  tx: Transaction,
  { issuer, subject }: ExternalIdentity,
  nowMs: number,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('external_identities')
    .set({ last_used_at: nowMs })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Links an identity that nobody has to a person. Of two transactions at once, the second fails. */
export async function insertExternalIdentity(
  tx: Transaction,
  { issuer, subject }: ExternalIdentity,
  userId: string,
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto('external_identities')
    .values({ issuer, subject, user_id: userId, created_at: nowMs, last_used_at: nowMs })
    .execute();
}
