import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { endAuthorizations } from '../../src/iam/authorizations.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { findFamilyByCode, insertFamily } from '../../src/oauth/tokens/family-store.ts';
import type { Announcement } from '../../src/storage/invalidation.ts';
import { REDIRECT_URI, authorize } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  async function isSomebodyWaiting(): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.app.database.read,
    );
    return rows.length > 0;
  }

  test('all end, and every node hears of each, also of one that is being added', async () => {
    const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const other = await createPerson(server, { accountId: server.accountId });
    const { read } = server.app.database;
    await authorize(server, { userId: other.userId, clientId });
    const first = await findFamilyByCode(read, await authorize(server, { userId, clientId }));
    const code = 'x'.repeat(43);
    const announced: Announcement[] = [];
    let ending: Promise<void> | undefined;
    const added = await server.app.database.transaction(async (tx, announce) => {
      const decision = {
        userId,
        clientId,
        accountIds: [server.accountId],
        scopes: ['tags.read'],
        declinedScopes: [],
      };
      const { id: grantId } = await storeGrant(tx, announce, decision, Date.now());
      const authorization = {
        grantId,
        scopes: ['tags.read'],
        redirectUri: REDIRECT_URI,
        codeChallenge: undefined,
        nonce: undefined,
        authenticatedAtMs: Date.now(),
        sid: undefined,
      };
      await insertFamily(tx, announce, authorization, code, Date.now());
      ending = server.app.database.transaction((otherTx) =>
        endAuthorizations(otherTx, (announcement) => void announced.push(announcement), userId),
      );
      // On the embedded database one transaction waits for the other as it is.
      if (database === 'postgres') await eventually('it waits', isSomebodyWaiting);
      return findFamilyByCode(tx, code);
    });
    await ending;
    assert.deepEqual(new Set(announced.map(({ key }) => key)), new Set([first?.id, added?.id]));
    const left = await read.selectFrom('oauth_grants').select('user_id').execute();
    assert.deepEqual(
      left.map((grant) => grant.user_id),
      [other.userId],
    );
  });
});
