import { familyAnnouncement } from '../../iam/authorizations.ts';
import { createUuidV7 } from '../../lib/ids.ts';
import { digestSecret } from '../../lib/secrets.ts';
import type { Announce } from '../../storage/database.ts';
import { prepareChange, prepareQuery } from '../../storage/prepared-query.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { CODE_MS } from '../lifetimes.ts';

/** What a code is bound to (RFC 6749 section 4.1.2, RFC 7636 section 4.4). */
export interface Authorization {
  grantId: string;
  scopes: readonly string[];
  /** As the authorization request has named it. */
  redirectUri: string;
  /** S256. */
  codeChallenge: string | undefined;
  nonce: string | undefined;
  /** When the person had last proved who they are. */
  authenticatedAtMs: number;
  /** Of the session in which the user has authorized the client. */
  sid: string | undefined;
}

/** One authorization by a person, and whom and what it is about. */
export interface Family extends Authorization {
  id: string;
  userId: string;
  clientId: string;
  accountIds: string[];
  /** What the grant still allows; {@link Authorization.scopes} is what was allowed at that time. */
  grantedScopes: string[];
  codeExpiresAtMs: number;
  codeUsedAtMs: number | undefined;
  createdAtMs: number;
}

// Devices and browsers of one person that use the same client; and as many codes that wait for it.
const MAX_FAMILIES_PER_GRANT = 100;

// After its code has expired, the reuse of the code is still recognised for a while.
const UNUSED_MS = 60 * 60_000;

/** Of 256 random bits in base64url, see authorize/issue-code.ts. */
const CODE = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a code. */
export function isWellFormedCode(text: string): boolean {
  return CODE.test(text);
}

/** Writes a new authorization with its code. The oldest ones of the same grant end. */
export async function insertFamily(
  tx: Transaction,
  announce: Announce,
  authorization: Authorization,
  code: string,
  nowMs: number,
): Promise<void> {
  const { grantId } = authorization;
  await endOldest(tx, announce, grantId, 'codes');
  await endOldest(tx, announce, grantId, 'in use');
  await tx
    .insertInto('oauth_families')
    .values({
      id: createUuidV7(nowMs),
      grant_id: grantId,
      scopes: JSON.stringify(authorization.scopes),
      code_digest: digestSecret(code),
      code_expires_at: nowMs + CODE_MS,
      code_used_at: null,
      redirect_uri: authorization.redirectUri,
      code_challenge: authorization.codeChallenge ?? null,
      nonce: authorization.nonce ?? null,
      authenticated_at: authorization.authenticatedAtMs,
      sid: authorization.sid ?? null,
      created_at: nowMs,
      expires_at: nowMs + CODE_MS + UNUSED_MS,
    })
    .execute();
}

/**
 * Makes room for one more. Codes are counted by themselves: any page can have a browser fetch them where
 * the person's decision is remembered, and must not end what is in use by that.
 */
async function endOldest(
  tx: Transaction,
  announce: Announce,
  grantId: string,
  kind: 'codes' | 'in use',
): Promise<void> {
  const tooOld = await tx
    .selectFrom('oauth_families')
    .select('id')
    .where('grant_id', '=', grantId)
    .where('code_used_at', kind === 'codes' ? 'is' : 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAX_FAMILIES_PER_GRANT)
    .offset(MAX_FAMILIES_PER_GRANT - 1)
    .execute();
  for (const { id } of tooOld) await deleteFamily(tx, announce, id);
}

function selectFamilies(db: Db) {
  return db
    .selectFrom('oauth_families')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_families.grant_id')
    .selectAll('oauth_families')
    .select([
      'oauth_grants.user_id',
      'oauth_grants.client_id',
      'oauth_grants.accounts',
      'oauth_grants.scopes as granted_scopes',
    ]);
}

type FamilyRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectFamilies>['executeTakeFirst']>>
>;

function fromRow(row: FamilyRow): Family {
  return {
    id: row.id,
    grantId: row.grant_id,
    userId: row.user_id,
    clientId: row.client_id,
    accountIds: JSON.parse(row.accounts) as string[],
    scopes: JSON.parse(row.scopes) as string[],
    grantedScopes: JSON.parse(row.granted_scopes) as string[],
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge ?? undefined,
    nonce: row.nonce ?? undefined,
    authenticatedAtMs: row.authenticated_at,
    sid: row.sid ?? undefined,
    codeExpiresAtMs: row.code_expires_at,
    codeUsedAtMs: row.code_used_at ?? undefined,
    createdAtMs: row.created_at,
  };
}

const selectFamilyByCode = prepareQuery((db, { digest }: { digest: string }) =>
  selectFamilies(db).where('oauth_families.code_digest', '=', digest),
);

/** The authorization of a code, whether or not it is used or over. */
export async function findFamilyByCode(db: Db, code: string): Promise<Family | undefined> {
  const [row] = await selectFamilyByCode(db, { digest: digestSecret(code) });
  return row && fromRow(row);
}

const selectFamily = prepareQuery((db, { id }: { id: string }) =>
  selectFamilies(db).where('oauth_families.id', '=', id),
);

export async function findFamily(db: Db, familyId: string): Promise<Family | undefined> {
  const [row] = await selectFamily(db, { id: familyId });
  return row && fromRow(row);
}

const updateConsumed = prepareChange(
  (db, { id, nowMs, expiresAtMs }: { id: string; nowMs: number; expiresAtMs: number }) =>
    db
      .updateTable('oauth_families')
      .set({ code_used_at: nowMs, expires_at: expiresAtMs })
      .where('id', '=', id)
      .where('code_used_at', 'is', null)
      .where('code_expires_at', '>', nowMs),
);

/**
 * Consumes the code of a family: of several who try at once, one succeeds.
 * @param expiresAtMs of the family, from now on
 * @returns false when it was used, has expired or is gone
 */
export async function consumeCode(
  tx: Transaction,
  familyId: string,
  nowMs: number,
  expiresAtMs: number,
): Promise<boolean> {
  return (await updateConsumed(tx, { id: familyId, nowMs, expiresAtMs })) > 0n;
}

/**
 * Locks a family that is refreshed until the transaction ends, and keeps it at least until then.
 * @returns how often it was refreshed or locked for it, this time included; undefined when it is gone
 */
export async function lockFamily(
  tx: Transaction,
  familyId: string,
  keptUntilMs: number,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('oauth_families')
    .set((expression) => ({
      expires_at: keptUntilMs,
      refreshes: expression('refreshes', '+', 1),
    }))
    .where('id', '=', familyId)
    .returning('refreshes')
    .executeTakeFirst();
  return row?.refreshes;
}

/** Ends an authorization with every token of it; returns whether there was one. */
export async function deleteFamily(
  tx: Transaction,
  announce: Announce,
  familyId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_families')
    .where('id', '=', familyId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) announce(familyAnnouncement(familyId));
  return numDeletedRows > 0n;
}
