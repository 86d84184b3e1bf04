import type { PageRequest } from '../../http/paging.ts';
import type { Db } from '../../storage/schema.ts';
import type { GrantedAccount, GrantedClient } from './grant-presenter.ts';
import { type Grant, fromRow } from './grant-store.ts';

/** A grant with what its person is shown of it. */
export interface ListedGrant {
  grant: Grant;
  client: GrantedClient;
  /** Those of the grant in which the person is still a member, by name. */
  accounts: GrantedAccount[];
}

/** Whose grants are listed. */
export interface GrantListFilter {
  userId: string;
  /** In which the person is a member now. */
  accountIds: readonly string[];
  /** Only this one; undefined for all. */
  grantId: string | undefined;
}

/** One page of what a person has allowed, latest decision first. Uses `oauth_grants_key`. */
export async function listGrants(
  db: Db,
  { userId, accountIds, grantId }: GrantListFilter,
  page: PageRequest,
): Promise<{ grants: ListedGrant[]; totalCount: number }> {
  const query = db
    .selectFrom('oauth_grants')
    .where('oauth_grants.user_id', '=', userId)
    .$if(grantId !== undefined, (all) => all.where('oauth_grants.id', '=', grantId ?? ''));
  const rows = await query
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .leftJoin(
      'oauth_client_verifications',
      'oauth_client_verifications.client_id',
      'oauth_clients.id',
    )
    .selectAll('oauth_grants')
    .select([
      'oauth_clients.name',
      'oauth_clients.visibility',
      'oauth_clients.logo_uri',
      'oauth_client_verifications.host',
      'oauth_client_verifications.status',
    ])
    .orderBy('oauth_grants.updated_at', 'desc')
    .orderBy('oauth_grants.id')
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const grants = rows.map((row) => ({ grant: fromRow(row), client: clientFromRow(row) }));
  const granted = new Set(grants.flatMap(({ grant }) => grant.accountIds));
  const accounts = await findAccounts(
    db,
    accountIds.filter((id) => granted.has(id)),
  );
  return {
    grants: grants.map(({ grant, client }) => ({
      grant,
      client,
      accounts: accounts.filter(({ id }) => grant.accountIds.includes(id)),
    })),
    totalCount: count,
  };
}

interface ClientRow {
  client_id: string;
  name: string;
  visibility: 'public' | 'private';
  logo_uri: string | null;
  host: string | null;
  status: string | null;
}

function clientFromRow(row: ClientRow): GrantedClient {
  return {
    id: row.client_id,
    name: row.name,
    visibility: row.visibility,
    hasLogo: row.logo_uri !== null,
    host: row.host ?? undefined,
    isHostVerified: row.status === 'verified',
  };
}

/** By name. */
async function findAccounts(db: Db, accountIds: readonly string[]): Promise<GrantedAccount[]> {
  if (accountIds.length === 0) return [];
  return db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', 'in', accountIds)
    .orderBy('name')
    .orderBy('id')
    .execute();
}
