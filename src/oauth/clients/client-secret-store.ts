import { timingSafeEqual } from 'node:crypto';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

/** Of one client: the one it uses, and during a rotation the next one (seed section 8). */
const MAX_SECRETS_PER_CLIENT = 2;

/** What may be shown of a secret; its digest stays in this file. */
export interface ClientSecret {
  createdAtMs: number;
  lastUsedAtMs: number | undefined;
}

interface SecretRow {
  client_id: string;
  created_at: number;
  last_used_at: number | null;
}

function fromRow(row: SecretRow): ClientSecret {
  return { createdAtMs: row.created_at, lastUsedAtMs: row.last_used_at ?? undefined };
}

function selectSecrets(db: Db) {
  return db
    .selectFrom('oauth_client_secrets')
    .select(['client_id', 'created_at', 'last_used_at'])
    .orderBy('created_at')
    .orderBy('digest');
}

/** The secrets of a client, oldest first. */
export async function findSecrets(db: Db, clientId: string): Promise<ClientSecret[]> {
  const rows = await selectSecrets(db).where('client_id', '=', clientId).execute();
  return rows.map(fromRow);
}

/** The secrets of some clients by client id, each client's oldest first. */
export async function listSecrets(
  db: Db,
  clientIds: readonly string[],
): Promise<Map<string, ClientSecret[]>> {
  const rows = await selectSecrets(db).where('client_id', 'in', clientIds).execute();
  const byClient = Map.groupBy(rows, (row) => row.client_id);
  return new Map([...byClient].map(([clientId, group]) => [clientId, group.map(fromRow)]));
}

/** @param digest see lib/secrets.ts */
export async function insertSecret(
  tx: Transaction,
  clientId: string,
  digest: string,
  createdAtMs: number,
): Promise<void> {
  await tx
    .insertInto('oauth_client_secrets')
    .values({ client_id: clientId, digest, created_at: createdAtMs, last_used_at: null })
    .execute();
}

/** Deletes the secrets of a client that are older than that. */
export async function deleteSecretsBefore(
  tx: Transaction,
  clientId: string,
  createdAtMs: number,
): Promise<void> {
  await tx
    .deleteFrom('oauth_client_secrets')
    .where('client_id', '=', clientId)
    .where('created_at', '<', createdAtMs)
    .execute();
}

/** What is stored of the secrets of a client, for {@link matchSecret}. */
export async function findSecretDigests(db: Db, clientId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_client_secrets')
    .select('digest')
    .where('client_id', '=', clientId)
    .limit(MAX_SECRETS_PER_CLIENT)
    .execute();
  return rows.map(({ digest }) => digest);
}

// No digest is equal to it, and it is as long as every one.
const EMPTY_SLOT = Buffer.alloc(digestSecret('').length);

/**
 * Whether a text is one of a client's secrets. Both slots are compared in constant time, whether they
 * are taken or not, so that the answer takes as long for a client with one secret as with two.
 * @returns the digest of the secret, for {@link noteSecretUse}; undefined when it is none of them
 */
export function matchSecret(digests: readonly string[], text: string): string | undefined {
  if (!isWellFormedSecret(text, 'lkcs_')) return undefined;
  const digest = digestSecret(text);
  const presented = Buffer.from(digest);
  let isFound = false;
  for (let slot = 0; slot < MAX_SECRETS_PER_CLIENT; slot++) {
    const stored = digests[slot];
    const compared = stored === undefined ? EMPTY_SLOT : Buffer.from(stored);
    if (timingSafeEqual(presented, compared)) isFound = true;
  }
  return isFound ? digest : undefined;
}

/** Within that time a secret's use is written once. */
export const SECRET_USE_GAP_MS = 60_000;

/**
 * Notes that a secret was used, at most once a minute. Of several nodes at once, one writes.
 * @returns whether it was written
 */
export async function noteSecretUse(
  tx: Transaction,
  { clientId, digest }: { clientId: string; digest: string },
  usedAtMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_client_secrets')
    .set({ last_used_at: usedAtMs })
    .where('client_id', '=', clientId)
    .where('digest', '=', digest)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<=', usedAtMs - SECRET_USE_GAP_MS),
        // A clock that was wrong must not stop it for ever.
        where('last_used_at', '>', usedAtMs),
      ]),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
