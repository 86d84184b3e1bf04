import { type Selectable, sql } from 'kysely';
import type { Db, Transaction, UsersTable } from '../../storage/schema.ts';

/** A person as the rest of the code sees them. */
export interface User {
  id: string;
  email: string;
  firstName: string | undefined;
  lastName: string | undefined;
  /** Undefined for who has not chosen one, or signs in otherwise. */
  passwordHash: string | undefined;
  createdAtMs: number;
  /** When it was shown that the person reads mail to the address; undefined until then. */
  emailVerifiedAtMs: number | undefined;
  /** Since when an operator has locked the person out; undefined for who is not. */
  lockedAtMs: number | undefined;
}

function fromRow(row: Selectable<UsersTable>): User {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name ?? undefined,
    lastName: row.last_name ?? undefined,
    passwordHash: row.password_hash ?? undefined,
    createdAtMs: row.created_at,
    emailVerifiedAtMs: row.email_verified_at ?? undefined,
    lockedAtMs: row.locked_at ?? undefined,
  };
}

/** The form in which two spellings of one address are the same. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/**
 * Makes transactions that change what belongs to one person wait for each other. It comes before they
 * touch the sessions, secrets and counters of the person: in another order two could wait for ever.
 */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    // Changes nothing: it is there to lock the row, in both dialects.
    .set({ email: sql.ref('email') })
    .where('id', '=', userId)
    .execute();
}

export async function findUser(db: Db, userId: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Uses the unique index on `email_folded`. */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Adds a person. Of two transactions that add the same address at once, one adds nothing. */
export async function insertUser(
  tx: Transaction,
  user: Omit<User, 'lockedAtMs'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      email_folded: foldEmail(user.email),
      first_name: user.firstName ?? null,
      last_name: user.lastName ?? null,
      password_hash: user.passwordHash ?? null,
      created_at: user.createdAtMs,
      email_verified_at: user.emailVerifiedAtMs ?? null,
    })
    .onConflict((conflict) => conflict.column('email_folded').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes what is given and leaves the rest. */
export async function updateUser(
  tx: Transaction,
  userId: string,
  changes: Partial<Pick<User, 'firstName' | 'lastName' | 'passwordHash' | 'emailVerifiedAtMs'>>,
): Promise<void> {
  const columns = {
    ...('firstName' in changes ? { first_name: changes.firstName ?? null } : {}),
    ...('lastName' in changes ? { last_name: changes.lastName ?? null } : {}),
    ...('passwordHash' in changes ? { password_hash: changes.passwordHash ?? null } : {}),
    ...('emailVerifiedAtMs' in changes
      ? { email_verified_at: changes.emailVerifiedAtMs ?? null }
      : {}),
  };
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable('users').set(columns).where('id', '=', userId).execute();
}
