import { type Selectable, sql } from 'kysely';
import { lockAccount } from '../../iam/accounts/account-store.ts';
import type { Flag } from '../../storage/column-types.ts';
import type { OAuthClientsTable } from '../../storage/oauth-tables.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { Verification } from '../verification/verification.ts';
import {
  type JoinedVerification,
  insertVerification,
  lockVerification,
  readJoinedVerification,
} from '../verification/verification-store.ts';
import {
  type ClientSecret,
  findSecrets,
  insertSecret,
  listSecrets,
} from './client-secret-store.ts';
import type { GrantType } from './scopes.ts';

export type AuthMethod = OAuthClientsTable['token_endpoint_auth_method'];

export type SigningAlg = 'ES256' | 'RS256';

/** The settings of a client. */
export interface ClientFields {
  name: string;
  grantTypes: GrantType[];
  authMethod: AuthMethod;
  redirectUris: string[];
  /** With the protocol scopes, see scopes.ts. */
  scopes: string[];
  optionalScopes: string[];
  /** Undefined: not sent. The same applies to the origins. */
  postLogoutRedirectUris: string[] | undefined;
  allowedCorsOrigins: string[] | undefined;
  logoUri: string | undefined;
  policyUri: string | undefined;
  tosUri: string | undefined;
  clientUri: string | undefined;
  /** The signature algorithm of its ID tokens (OpenID Connect Registration section 2). */
  idTokenAlg: SigningAlg;
  /** ID tokens contain the claims about the user, as userinfo does. */
  hasIdTokenClaims: boolean;
  /** OpenID Connect Back-Channel Logout section 2.2. */
  backchannelLogoutUri: string | undefined;
  /** Undefined: not sent. */
  isLogoutSessionRequired: boolean | undefined;
}

export interface OAuthClient extends ClientFields {
  id: string;
  accountId: string;
  visibility: 'private' | 'public';
  createdAtMs: number;
  updatedAtMs: number;
  promotedAtMs: number | undefined;
  /** Oldest first. Empty if the authentication method is `none`. */
  secrets: ClientSecret[];
  /** Defined if `clientUri` is defined. */
  verification: Verification | undefined;
}

function fromRow(
  row: Selectable<OAuthClientsTable> & JoinedVerification,
  secrets: ClientSecret[],
): OAuthClient {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    grantTypes: JSON.parse(row.grant_types) as GrantType[],
    authMethod: row.token_endpoint_auth_method,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as string[],
    optionalScopes: JSON.parse(row.optional_scopes) as string[],
    postLogoutRedirectUris: readList(row.post_logout_redirect_uris),
    allowedCorsOrigins: readList(row.allowed_cors_origins),
    logoUri: row.logo_uri ?? undefined,
    policyUri: row.policy_uri ?? undefined,
    tosUri: row.tos_uri ?? undefined,
    clientUri: row.client_uri ?? undefined,
    idTokenAlg: row.id_token_signed_response_alg,
    hasIdTokenClaims: row.id_token_claims === 1,
    backchannelLogoutUri: row.backchannel_logout_uri ?? undefined,
    isLogoutSessionRequired:
      row.backchannel_logout_session_required === null
        ? undefined
        : row.backchannel_logout_session_required === 1,
    visibility: row.visibility,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    promotedAtMs: row.promoted_at ?? undefined,
    secrets,
    verification: readJoinedVerification(row),
  };
}

function readList(text: string): string[] | undefined {
  return (JSON.parse(text) as string[] | null) ?? undefined;
}

function toColumns(fields: ClientFields) {
  const hasIdTokenClaims: Flag = fields.hasIdTokenClaims ? 1 : 0;
  const { isLogoutSessionRequired: isRequired } = fields;
  const sessionRequired: Flag | null = isRequired === undefined ? null : isRequired ? 1 : 0;
  return {
    name: fields.name,
    grant_types: JSON.stringify(fields.grantTypes),
    token_endpoint_auth_method: fields.authMethod,
    redirect_uris: JSON.stringify(fields.redirectUris),
    scopes: JSON.stringify(fields.scopes),
    optional_scopes: JSON.stringify(fields.optionalScopes),
    post_logout_redirect_uris: JSON.stringify(fields.postLogoutRedirectUris ?? null),
    allowed_cors_origins: JSON.stringify(fields.allowedCorsOrigins ?? null),
    logo_uri: fields.logoUri ?? null,
    policy_uri: fields.policyUri ?? null,
    tos_uri: fields.tosUri ?? null,
    client_uri: fields.clientUri ?? null,
    id_token_signed_response_alg: fields.idTokenAlg,
    id_token_claims: hasIdTokenClaims,
    backchannel_logout_uri: fields.backchannelLogoutUri ?? null,
    backchannel_logout_session_required: sessionRequired,
  };
}

/** Counts the clients of an account, and prevents other insertions until the transaction ends. */
export async function lockAndCountClients(tx: Transaction, accountId: string): Promise<number> {
  await lockAccount(tx, accountId);
  const { count } = await tx
    .selectFrom('oauth_clients')
    .where('account_id', '=', accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** @param digest of the client's secret, see lib/secrets.ts; undefined for a client without one */
export async function insertClient(
  tx: Transaction,
  client: OAuthClient,
  digest: string | undefined,
): Promise<void> {
  await tx
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      account_id: client.accountId,
      ...toColumns(client),
      visibility: client.visibility,
      created_at: client.createdAtMs,
      updated_at: client.updatedAtMs,
      promoted_at: client.promotedAtMs ?? null,
    })
    .execute();
  if (client.verification !== undefined) {
    await insertVerification(tx, client.id, client.verification);
  }
  if (digest !== undefined) await insertSecret(tx, client.id, digest, client.createdAtMs);
}

/** Reads clients with their verifications in one statement, so that both are from the same moment. */
function selectEveryClient(db: Db) {
  return db
    .selectFrom('oauth_clients')
    .leftJoin('oauth_client_verifications', 'client_id', 'id')
    .selectAll();
}

function selectClients(db: Db, accountId: string) {
  return selectEveryClient(db).where('account_id', '=', accountId);
}

/** Returns a client of any account. */
export async function findClientById(db: Db, clientId: string): Promise<OAuthClient | undefined> {
  const row = await selectEveryClient(db).where('id', '=', clientId).executeTakeFirst();
  return row === undefined ? undefined : fromRow(row, await findSecrets(db, clientId));
}

export async function findClient(
  db: Db,
  accountId: string,
  clientId: string,
): Promise<OAuthClient | undefined> {
  const row = await selectClients(db, accountId).where('id', '=', clientId).executeTakeFirst();
  return row === undefined ? undefined : fromRow(row, await findSecrets(db, clientId));
}

/**
 * Returns a client, and locks its row and its verification until the transaction ends, so that a change computed from
 * the stored record loses no concurrent write. An update without a change is the lock that both databases have.
 */
export async function lockClient(
  tx: Transaction,
  accountId: string,
  clientId: string,
): Promise<OAuthClient | undefined> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_clients')
    .set({ updated_at: sql.ref('updated_at') })
    .where('id', '=', clientId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  await lockVerification(tx, clientId);
  return findClient(tx, accountId, clientId);
}

/** Returns the name of a client; undefined if there is none with this ID. */
export async function findClientName(
  db: Db,
  accountId: string,
  clientId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('id', '=', clientId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

/** Returns the IDs of all clients of an account, oldest first. Uses `oauth_clients_account`. */
export async function listClientIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_clients')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns these clients of an account in the order of the IDs, without deleted ones. */
export async function findClients(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<OAuthClient[]> {
  const rows = await selectClients(db, accountId).where('id', 'in', ids).execute();
  const secrets = await listSecrets(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [fromRow(row, secrets.get(id) ?? [])];
  });
}

/** Stores the row of a client, without its secrets and its verification. */
export async function updateClient(tx: Transaction, client: OAuthClient): Promise<void> {
  await tx
    .updateTable('oauth_clients')
    .set({
      ...toColumns(client),
      visibility: client.visibility,
      promoted_at: client.promotedAtMs ?? null,
      updated_at: client.updatedAtMs,
    })
    .where('id', '=', client.id)
    .execute();
}

/** Sets the time of the last change, for a change outside of the client's row. */
export async function touchClient(
  tx: Transaction,
  clientId: string,
  updatedAtMs: number,
): Promise<void> {
  await tx
    .updateTable('oauth_clients')
    .set({ updated_at: updatedAtMs })
    .where('id', '=', clientId)
    .execute();
}

/** Deletes a client with its secrets and its verification. Returns false if there is none. */
export async function deleteClient(
  tx: Transaction,
  accountId: string,
  clientId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_clients')
    .where('id', '=', clientId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
