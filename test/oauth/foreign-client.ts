import { createId } from '../../src/lib/ids.ts';
import type { TestServer } from '../support/server.ts';

/** Puts a client into an account of its own, straight into the database; returns its id. */
export async function insertForeignClient(server: TestServer): Promise<string> {
  const accountId = createId();
  await server.app.database.transaction(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id: accountId, name: 'other', created_at: 0 })
      .execute();
  });
  const [id = ''] = await insertClients(server, accountId, 1);
  return id;
}

/** Puts clients straight into the database; returns their ids. */
export async function insertClients(
  server: TestServer,
  accountId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, createId);
  await server.app.database.transaction(async (tx) => {
    for (const id of ids) {
      await tx
        .insertInto('oauth_clients')
        .values({
          id,
          account_id: accountId,
          name: 'filler',
          grant_types: '["authorization_code"]',
          token_endpoint_auth_method: 'none',
          redirect_uris: '["https://app.example.com/callback"]',
          scopes: '["openid"]',
          optional_scopes: '[]',
          post_logout_redirect_uris: '[]',
          allowed_cors_origins: '[]',
          logo_uri: null,
          policy_uri: null,
          tos_uri: null,
          client_uri: null,
          visibility: 'private',
          created_at: 0,
          updated_at: 0,
          promoted_at: null,
        })
        .execute();
    }
  });
  return ids;
}
