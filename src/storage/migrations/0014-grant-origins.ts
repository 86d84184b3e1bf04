import { sql } from 'kysely';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

const GRANTS_AT_ONCE = 500;

/**
 * Stores with each consent the redirect origins for which it was given. Those of consents from before are
 * the ones to which codes went and whose tokens are still stored; for any other, the person is asked again.
 */
export const grantOrigins: Migration = {
  name: '0014-grant-origins',
  async up(tx, { text }) {
    await tx.schema
      .alterTable('oauth_grants')
      .addColumn('redirect_origins', text, (column) => column.notNull().defaultTo('{}'))
      .execute();
    let after = '';
    for (;;) {
      const grants = await tx
        .selectFrom('oauth_grants')
        .select(['id', 'scopes'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(GRANTS_AT_ONCE)
        .execute();
      for (const grant of grants) await fillOrigins(tx, grant);
      if (grants.length < GRANTS_AT_ONCE) return;
      after = grants.at(-1)?.id ?? '';
    }
  },
};

async function fillOrigins(tx: Transaction, grant: { id: string; scopes: string }): Promise<void> {
  const families = await tx
    .selectFrom('oauth_families')
    .select('redirect_uri')
    .where('grant_id', '=', grant.id)
    .groupBy('redirect_uri')
    .execute();
  const scopes: unknown = JSON.parse(grant.scopes);
  const origins = Object.fromEntries(families.map((family) => [originOf(family), scopes]));
  await sql`update oauth_grants set redirect_origins = ${JSON.stringify(origins)}
    where id = ${grant.id}`.execute(tx);
}

/** Scheme, host and port, or the scheme alone for a private-use scheme. */
function originOf({ redirect_uri: uri }: { redirect_uri: string }): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}
