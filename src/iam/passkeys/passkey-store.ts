import type { Selectable } from 'kysely';
import type { Db, PasskeysTable, Transaction } from '../../storage/schema.ts';

/** A passkey as the rest of the code sees it. */
export interface Passkey {
  id: string;
  /** As the authenticator names it, base64url; unique in the installation. */
  credentialId: string;
  userId: string;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** What the authenticator counted at the latest use; many never count, and say 0. */
  signCount: number;
  /** How the browser reaches the authenticator, such as `usb` or `internal`. */
  transports: string[];
  createdAtMs: number;
  lastUsedAtMs: number | undefined;
}

function fromRow(row: Selectable<PasskeysTable>): Passkey {
  return {
    id: row.id,
    credentialId: row.credential_id,
    userId: row.user_id,
    name: row.name,
    publicKey: row.public_key,
    signCount: row.sign_count,
    transports: JSON.parse(row.transports) as string[],
    createdAtMs: row.created_at,
    lastUsedAtMs: row.last_used_at ?? undefined,
  };
}

/** How many a person may have: more than anybody carries. */
export const MAX_PASSKEYS = 20;

/** All passkeys of a person, oldest first. Uses `passkeys_user`; there are few. */
export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

/** Returns the passkey of a user with an ID. */
export async function findPasskey(
  db: Db,
  userId: string,
  passkeyId: string,
): Promise<Passkey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Whoever's it is. Uses the unique index on `credential_id`. */
export async function findPasskeyByCredential(
  db: Db,
  credentialId: string,
): Promise<Passkey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/** Adds a passkey. @returns false when its credential is registered already, by whomever */
export async function insertPasskey(tx: Transaction, passkey: Passkey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      credential_id: passkey.credentialId,
      user_id: passkey.userId,
      name: passkey.name,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: JSON.stringify(passkey.transports),
      created_at: passkey.createdAtMs,
      last_used_at: passkey.lastUsedAtMs ?? null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns the passkey as it is now; undefined when the person has none of that id */
export async function renamePasskey(
  tx: Transaction,
  userId: string,
  passkeyId: string,
  name: string,
): Promise<Passkey | undefined> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/**
 * Notes a use.
 * @returns false when the count went back meanwhile: another use of the same passkey came first
 */
export async function recordPasskeyUse(
  tx: Transaction,
  passkey: Passkey,
  signCount: number,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: nowMs })
    .where('id', '=', passkey.id)
    .where('sign_count', '=', passkey.signCount)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** @returns the passkey that was; undefined when the person has none of that id */
export async function deletePasskey(
  tx: Transaction,
  userId: string,
  passkeyId: string,
): Promise<Passkey | undefined> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}
