import { sql } from 'kysely';
import type { Db, Transaction } from '../../storage/schema.ts';
import { type Logo, createLogo } from './logo.ts';

/** What became of fetching a client's logo. */
export interface StoredLogo {
  /** From where. */
  logoUri: string;
  /** Undefined when there was nothing to be had. */
  logo: Logo | undefined;
  fetchedAtMs: number;
}

export async function findLogo(db: Db, clientId: string): Promise<StoredLogo | undefined> {
  const row = await db
    .selectFrom('oauth_client_logos')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { logo_uri: logoUri, content_type: contentType, content, fetched_at: fetchedAtMs } = row;
  const logo =
    contentType === null || content === null
      ? undefined
      : createLogo(contentType, Buffer.from(content, 'base64'));
  return { logoUri, logo, fetchedAtMs };
}

/** Keeps what was fetched, if the client still exists and names this address. */
export async function storeLogo(
  tx: Transaction,
  clientId: string,
  { logoUri, logo, fetchedAtMs }: StoredLogo,
): Promise<void> {
  // Changes nothing: it locks the row, so that the client cannot go before the logo is there.
  const { numUpdatedRows } = await tx
    .updateTable('oauth_clients')
    .set({ updated_at: sql.ref('updated_at') })
    .where('id', '=', clientId)
    .where('logo_uri', '=', logoUri)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  const columns = {
    logo_uri: logoUri,
    content_type: logo?.contentType ?? null,
    content: logo?.content.toString('base64') ?? null,
    fetched_at: fetchedAtMs,
  };
  await tx
    .insertInto('oauth_client_logos')
    .values({ client_id: clientId, ...columns })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(columns))
    .execute();
}
