import type { Db, Transaction } from '../../storage/schema.ts';

/** The authenticator app of a person. */
export interface TotpFactor {
  userId: string;
  /** See lib/sealing.ts; the context is the person's id. */
  sealedSecret: string;
  createdAtMs: number;
  /** Undefined until the person has shown a right code: until then it is no factor. */
  confirmedAtMs: number | undefined;
  /** The latest time step whose code was used. */
  lastStep: number;
}

/** Before any time step. */
export const NO_STEP = -1;

export async function findTotpFactor(db: Db, userId: string): Promise<TotpFactor | undefined> {
  const row = await db
    .selectFrom('totp_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    userId: row.user_id,
    sealedSecret: row.sealed_secret,
    createdAtMs: row.created_at,
    confirmedAtMs: row.confirmed_at ?? undefined,
    lastStep: row.last_step,
  };
}

/**
 * Begins to set up an authenticator app; what was begun before and not confirmed is forgotten.
 * @returns false when the person has one already, which stays as it is
 */
export async function insertTotpEnrolment(
  tx: Transaction,
  { userId, sealedSecret, createdAtMs }: Omit<TotpFactor, 'confirmedAtMs' | 'lastStep'>,
): Promise<boolean> {
  const values = { sealed_secret: sealedSecret, created_at: createdAtMs, last_step: NO_STEP };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('totp_factors')
    .values({ user_id: userId, ...values, confirmed_at: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(values).where('totp_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Makes what was begun a factor.
 * @param step whose code the person has shown: it is used up
 * @returns false when it was confirmed, replaced or removed meanwhile
 */
export async function confirmTotpFactor(
  tx: Transaction,
  { userId, sealedSecret }: TotpFactor,
  step: number,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ confirmed_at: nowMs, last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealedSecret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Uses up the code of a step and of all before it: of several who try at once, one succeeds. */
export async function useTotpStep(
  tx: Transaction,
  { userId, sealedSecret, lastStep }: TotpFactor,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealedSecret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '=', lastStep)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** @returns whether there was a factor; what is only being set up is none */
export async function deleteTotpFactor(tx: Transaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('totp_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
