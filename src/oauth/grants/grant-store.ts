import { type Selectable, sql } from 'kysely';
import { familyAnnouncement } from '../../iam/authorizations.ts';
import type { UseStore } from '../../iam/last-used.ts';
import { createId } from '../../lib/ids.ts';
import type { Announce } from '../../storage/database.ts';
import type { OAuthGrantsTable } from '../../storage/oauth-tables.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { ScopesByOrigin } from './redirect-origin.ts';

/** What a person has let a client do, in these accounts. */
export interface Grant {
  id: string;
  userId: string;
  clientId: string;
  /** Sorted. Empty when nothing in any account was asked for. */
  accountIds: string[];
  scopes: string[];
  /** What the client has asked for too, and the person has not allowed. */
  declinedScopes: string[];
  /** A consent holds for the redirect origins for which it was given. */
  scopesByOrigin: ScopesByOrigin;
  createdAtMs: number;
  updatedAtMs: number;
  lastUsedAtMs: number | undefined;
}

/** Where is kept when clients last acted for the person. */
export const grantUses: UseStore = {
  table: 'oauth_grants',
  column: 'last_used_at',
  field: 'last_used_at of grants',
};

/** A grant from its row. */
export function fromRow(row: Selectable<OAuthGrantsTable>): Grant {
  return {
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    accountIds: JSON.parse(row.accounts) as string[],
    scopes: JSON.parse(row.scopes) as string[],
    declinedScopes: JSON.parse(row.declined_scopes) as string[],
    scopesByOrigin: JSON.parse(row.redirect_origins) as ScopesByOrigin,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    lastUsedAtMs: row.last_used_at ?? undefined,
  };
}

function accountsKey(accountIds: readonly string[]): string {
  return JSON.stringify([...new Set(accountIds)].sort());
}

/** What a person has let one client do, latest decision first. Uses `oauth_grants_key`. */
export async function listGrantsForClient(
  db: Db,
  userId: string,
  clientId: string,
): Promise<Grant[]> {
  const rows = await db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

export async function findGrant(
  db: Db,
  userId: string,
  grantId: string,
): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('id', '=', grantId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && fromRow(row);
}

/** What a person has decided on the consent page. */
export type Decision = Pick<
  Grant,
  'userId' | 'clientId' | 'accountIds' | 'scopes' | 'declinedScopes'
> &
  Partial<Pick<Grant, 'scopesByOrigin'>>;

/**
 * Stores a decision: it replaces what was decided before for the same accounts.
 * @returns the grant, for which a family may be made
 */
export async function storeGrant(
  tx: Transaction,
  announce: Announce,
  decision: Decision,
  nowMs: number,
): Promise<Grant> {
  const scopes = JSON.stringify(decision.scopes);
  const declinedScopes = JSON.stringify(decision.declinedScopes);
  const origins = JSON.stringify(decision.scopesByOrigin ?? {});
  const row = await tx
    .insertInto('oauth_grants')
    .values({
      id: createId(),
      user_id: decision.userId,
      client_id: decision.clientId,
      accounts: accountsKey(decision.accountIds),
      scopes,
      declined_scopes: declinedScopes,
      redirect_origins: origins,
      created_at: nowMs,
      updated_at: nowMs,
      last_used_at: nowMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'accounts']).doUpdateSet({
        scopes,
        declined_scopes: declinedScopes,
        redirect_origins: origins,
        updated_at: nowMs,
        last_used_at: nowMs,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  // Tokens that exist lose what was taken out of the grant.
  await announceFamilies(tx, announce, row.id);
  return fromRow(row);
}

/**
 * Takes back what a person has allowed, with every code and token that came from it.
 * @returns what it was; undefined when the person has no such grant
 */
export async function deleteGrant(
  tx: Transaction,
  announce: Announce,
  userId: string,
  grantId: string,
): Promise<Grant | undefined> {
  // No authorization is added between the announcements and the end of the grant.
  if (!(await lockGrant(tx, userId, grantId))) return undefined;
  await announceFamilies(tx, announce, grantId);
  const row = await tx
    .deleteFrom('oauth_grants')
    .where('id', '=', grantId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row && fromRow(row);
}

async function announceFamilies(
  tx: Transaction,
  announce: Announce,
  grantId: string,
): Promise<void> {
  const families = await tx
    .selectFrom('oauth_families')
    .select('id')
    .where('grant_id', '=', grantId)
    .execute();
  for (const { id } of families) announce(familyAnnouncement(id));
}

/** As decisions lock it, and authorizations on the strength of one; false when there is none. */
export async function lockGrant(
  tx: Transaction,
  userId: string,
  grantId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_grants')
    // Changes nothing: it is there to lock the row, in both dialects.
    .set({ updated_at: sql.ref('updated_at') })
    .where('id', '=', grantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
