import { permissions } from '../../src/iam/permissions.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret, digestSecret } from '../../src/lib/secrets.ts';
import type { TestServer } from './server.ts';

/** Another account of the same installation, and a token that holds everything in it. */
export async function createSecondAccount(
  server: TestServer,
): Promise<{ accountId: string; account: string; token: string }> {
  const accountId = createId();
  const token = createSecret('lkat_');
  const slugs = permissions.map(({ slug }) => slug);
  const policy = { id: '1', effect: 'allow', permissions: slugs, resources: [{ accountId }] };
  await server.app.database.transaction(async (tx) => {
    const account = { id: accountId, name: 'second', created_at: Date.now() };
    await tx.insertInto('accounts').values(account).execute();
    await tx
      .insertInto('api_tokens')
      .values({
        id: createId(),
        account_id: accountId,
        user_id: null,
        name: 'second',
        digest: digestSecret(token),
        status: 'active',
        policies: JSON.stringify([policy]),
        condition: null,
        not_before: null,
        expires_at: null,
        issued_at: 0,
        modified_at: 0,
        last_used_at: null,
      })
      .execute();
  });
  return { accountId, account: `/accounts/${accountId}`, token };
}
