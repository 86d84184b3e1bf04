import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import { lockAccount } from '../../iam/accounts/account-store.ts';
import type { Flag } from '../../storage/column-types.ts';
import type { CustomProvidersTable } from '../../storage/gateway-tables.ts';
import type { Db, Schema, Transaction } from '../../storage/schema.ts';

/** Prefix of the names of custom providers in models and paths. */
export const CUSTOM_PREFIX = 'custom-';

/** The APIs that a custom provider can have. */
export const customDialects = ['openai', 'anthropic', 'gemini'] as const;

export type CustomDialect = (typeof customDialects)[number];

/** A custom provider of an account. */
export interface CustomProvider {
  accountId: string;
  id: string;
  /** Requests use the name `custom-{slug}`. */
  slug: string;
  name: string;
  description: string | undefined;
  /** Without a trailing slash in its path; may have a query. */
  baseUrl: string;
  /** The API of the provider. */
  dialect: CustomDialect;
  /** In lower case; undefined: the default of the API. */
  keyHeader: string | undefined;
  /** The models that requests can name, for lists of models. */
  models: readonly string[];
  link: string | undefined;
  isBeta: boolean;
  isEnabled: boolean;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Identifies a provider within its account. */
export type CustomProviderKey = { id: string } | { slug: string };

const flag = (value: boolean): Flag => (value ? 1 : 0);

function fromRow(row: Selectable<CustomProvidersTable>): CustomProvider {
  return {
    accountId: row.account_id,
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description ?? undefined,
    baseUrl: row.base_url,
    dialect: customDialects.find((name) => name === row.dialect) ?? 'openai',
    keyHeader: row.key_header ?? undefined,
    models: row.models === null ? [] : (JSON.parse(row.models) as string[]),
    link: row.link ?? undefined,
    isBeta: row.is_beta === 1,
    isEnabled: row.is_enabled === 1,
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

/** Returns the columns that can change. */
function toColumns(provider: CustomProvider) {
  return {
    name: provider.name,
    description: provider.description ?? null,
    base_url: provider.baseUrl,
    dialect: provider.dialect,
    key_header: provider.keyHeader ?? null,
    models: provider.models.length === 0 ? null : JSON.stringify(provider.models),
    link: provider.link ?? null,
    is_beta: flag(provider.isBeta),
    is_enabled: flag(provider.isEnabled),
    modified_at: provider.modifiedAtMs,
  };
}

/** Selects one row by the primary key, or by the unique index on account and slug. */
function isAt(accountId: string, key: CustomProviderKey) {
  return (where: ExpressionBuilder<Schema, 'custom_providers'>) =>
    where.and({ account_id: accountId, ...key });
}

/** Counts the providers of an account, and prevents further ones until the transaction ends. */
export async function lockAndCountCustomProviders(
  tx: Transaction,
  accountId: string,
): Promise<number> {
  await lockAccount(tx, accountId);
  const { count } = await tx
    .selectFrom('custom_providers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a provider. Returns false if the account already has one with this slug. */
export async function insertCustomProvider(
  tx: Transaction,
  provider: CustomProvider,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('custom_providers')
    .values({
      account_id: provider.accountId,
      id: provider.id,
      slug: provider.slug,
      ...toColumns(provider),
      created_at: provider.createdAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateCustomProvider(
  tx: Transaction,
  provider: CustomProvider,
): Promise<void> {
  await tx
    .updateTable('custom_providers')
    .set(toColumns(provider))
    .where(isAt(provider.accountId, { id: provider.id }))
    .execute();
}

export async function deleteCustomProvider(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.deleteFrom('custom_providers').where(isAt(accountId, { id })).execute();
}

export async function findCustomProvider(
  db: Db,
  accountId: string,
  key: CustomProviderKey,
): Promise<CustomProvider | undefined> {
  const row = await db
    .selectFrom('custom_providers')
    .selectAll()
    .where(isAt(accountId, key))
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

/**
 * Finds a provider and locks its row until the transaction ends. An update without changes is a lock in both
 * databases.
 */
export async function lockCustomProvider(
  tx: Transaction,
  accountId: string,
  key: CustomProviderKey,
): Promise<CustomProvider | undefined> {
  await tx
    .updateTable('custom_providers')
    .set({ modified_at: sql.ref('modified_at') })
    .where(isAt(accountId, key))
    .execute();
  return findCustomProvider(tx, accountId, key);
}

/** Returns the enabled providers of an account by name. */
export async function findEnabledCustomProviders(
  db: Db,
  accountId: string,
): Promise<CustomProvider[]> {
  const rows = await db
    .selectFrom('custom_providers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', flag(true))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

export interface CustomProviderListFilter {
  /** Part of the id, the name or the slug, regardless of case; undefined: all. */
  search: string | undefined;
  isEnabled: boolean | undefined;
  isBeta: boolean | undefined;
}

/** Returns one page of the providers of an account by name. */
export async function listCustomProviders(
  db: Db,
  accountId: string,
  { search, isEnabled, isBeta }: CustomProviderListFilter,
  page: PageRequest,
): Promise<{ providers: CustomProvider[]; totalCount: number }> {
  let query = db.selectFrom('custom_providers').where('account_id', '=', accountId);
  if (isEnabled !== undefined) query = query.where('is_enabled', '=', flag(isEnabled));
  if (isBeta !== undefined) query = query.where('is_beta', '=', flag(isBeta));
  if (search !== undefined) query = query.where((where) => contains(where, search));
  const rows = await query
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { providers: rows.map(fromRow), totalCount: count };
}

function contains(where: ExpressionBuilder<Schema, 'custom_providers'>, search: string) {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return where.or(
    (['id', 'name', 'slug'] as const).map(
      (column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`,
    ),
  );
}
