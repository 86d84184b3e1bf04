import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { codeOf, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import { addAccount, decideWith, formOf, grantsOf } from './consent-form.ts';

const MAX_GRANTS = 50;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function begin() {
    const client = await createClient(server, { scopes: ['tags.read'] });
    const { person, visitor } = await signedIn(server, clock);
    return { client, userId: person.userId, visitor };
  }

  async function entriesOf(server: TestServer, chainId: string, type: string): Promise<Json[]> {
    const rows = await server.app.database.read
      .selectFrom('audit_logs')
      .select('resource_request')
      .where('chain_id', '=', chainId)
      .where('action_type', '=', type)
      .orderBy('seq')
      .execute();
    return rows.map((row): Json => JSON.parse(row.resource_request ?? ''));
  }

  test('the log of an account names no other account', async () => {
    const { client, userId, visitor } = await begin();
    const second = await addAccount(server, userId, 'Second');
    const form = await formOf(visitor, client);
    const answer = await decideWith(server, visitor, form, 'approve', (fields) => {
      for (const id of [server.accountId, second]) fields.append('account', id);
    });
    codeOf(answer);
    for (const [chainId, accounts] of [
      [userId, [server.accountId, second].sort()],
      [server.accountId, [server.accountId]],
      [second, [second]],
    ] as const) {
      const entries = await entriesOf(server, chainId, 'authorize');
      assert.deepEqual(
        entries.map((entry) => entry.accounts),
        [accounts],
      );
    }
  });

  test('for so many sets of accounts; then the oldest decision ends', async () => {
    const { client, userId, visitor } = await begin();
    const clientId: string = client.client_id;
    const decided = async (accountIds: string[]): Promise<void> => {
      clock.advance(1);
      const scopes = ['openid', 'tags.read'];
      const decision = { userId, clientId, accountIds, scopes, declinedScopes: [] };
      await server.app.database.transaction((tx, announce) =>
        storeGrant(tx, announce, decision, clock.now()),
      );
    };
    const grants = async (): Promise<string[]> => {
      const rows = await grantsOf(server, client);
      return rows.flatMap(({ accounts }) => accounts).toSorted();
    };
    const decide = async (): Promise<void> => {
      clock.advance(1);
      const form = await formOf(visitor, client, { prompt: 'consent' });
      const answer = await decideWith(server, visitor, form, 'approve', (fields) =>
        fields.set('account', server.accountId),
      );
      codeOf(answer);
    };
    const { accountId } = server;
    const left = Array.from({ length: MAX_GRANTS }, (_, i) => `${i}`.padStart(32, '0'));
    const [oldest = '', ...newer] = left;
    for (const id of left.slice(0, -1)) await decided([id]);
    await decide();
    assert.deepEqual(await grants(), [...left.slice(0, -1), accountId].toSorted());
    // To decide anew about the same ends none.
    await decide();
    assert.equal((await grants()).length, MAX_GRANTS);
    assert.deepEqual(await entriesOf(server, userId, 'revoke'), []);
    await decided([left.at(-1) ?? '']);
    await decide();
    assert.deepEqual(await grants(), [...newer, accountId].toSorted());
    const ended = await entriesOf(server, userId, 'revoke');
    assert.deepEqual(
      ended.map((entry) => entry.accounts),
      [[oldest]],
    );
  });
});
