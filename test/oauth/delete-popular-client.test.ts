import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import {
  GRANTS_PER_TURN,
  deleteClientGrants,
} from '../../src/oauth/grants/delete-client-grants.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  /** A client that one person has let act in so many sets of accounts. */
  async function clientWith(count: number): Promise<string> {
    const { client_id: clientId } = await createClient(server);
    const { userId } = await createPerson(server);
    const grants = Array.from({ length: count }, (_, index) => ({
      id: createId(),
      user_id: userId,
      client_id: clientId as string,
      accounts: JSON.stringify([String(index)]),
      scopes: '[]',
      declined_scopes: '[]',
      created_at: 0,
      updated_at: 0,
      last_used_at: null,
    }));
    await server.app.database.transaction((tx) =>
      tx.insertInto('oauth_grants').values(grants).execute(),
    );
    return clientId;
  }

  async function countOf(clientId: string): Promise<number> {
    const { count } = await server.app.database.read
      .selectFrom('oauth_grants')
      .where('client_id', '=', clientId)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  test('what many people have allowed ends in parts, the last one with the client', async () => {
    const other = await clientWith(GRANTS_PER_TURN + 1);
    for (const extra of [0, 1, GRANTS_PER_TURN, 2 * GRANTS_PER_TURN + 1]) {
      const clientId = await clientWith(GRANTS_PER_TURN + extra);
      await deleteClientGrants(server.app.database, clientId);
      assert.equal(await countOf(clientId), GRANTS_PER_TURN, String(extra));
    }
    const clientId = await clientWith(3 * GRANTS_PER_TURN);
    const foreign = `/accounts/${createId()}/oauth_clients/${clientId}`;
    assert.equal((await server.call('DELETE', foreign)).status, 403);
    assert.equal(await countOf(clientId), 3 * GRANTS_PER_TURN);
    const answer = await server.call('DELETE', `${server.account}/oauth_clients/${clientId}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await countOf(clientId), 0);
    assert.equal(await countOf(other), GRANTS_PER_TURN + 1);
  });
});
