import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clientAnnouncement } from '../../src/oauth/clients/client-directory.ts';
import { deleteGrant } from '../../src/oauth/grants/grant-store.ts';
import { authorize, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
  refresh,
  tagsStatus,
} from './redemptions.ts';

const ROUNDS = 25;

/** On PostgreSQL with two nodes; the embedded database has one. */
onEachDatabase((database) => {
  let first: TestServer;
  let second: TestServer;
  let client: Json;
  let userId: string;
  before(async () => {
    first = await bootServer(database);
    second = database === 'postgres' ? await bootServer(database, { besides: first }) : first;
    client = await createTokenClient(first);
    const { accountId } = first;
    ({ userId } = await createPerson(first, { accountId, roles: ['tag-admin'] }));
  });
  after(async () => {
    if (second !== first) await second?.stop();
    await first?.stop();
  });

  const node = (index: number): TestServer => (index % 2 === 0 ? first : second);

  function makeCode(clientId = client.client_id): Promise<string> {
    return authorize(first, { userId, clientId, scopes: ['tags.read'] });
  }

  async function endGrants(server: TestServer): Promise<void> {
    const grants = await server.app.database.read
      .selectFrom('oauth_grants')
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    for (const { id } of grants) {
      await server.app.database.transaction((tx, announce) =>
        deleteGrant(tx, announce, userId, id),
      );
    }
  }

  async function deleteClient(server: TestServer, clientId: string): Promise<void> {
    await server.app.database.transaction(async (tx, announce) => {
      await tx.deleteFrom('oauth_clients').where('id', '=', clientId).execute();
      announce(clientAnnouncement(clientId));
    });
  }

  /** What was answered must be dead on every node, and nothing of it left behind. */
  async function assertNothingLives(answer: Answer, error: string, status?: number): Promise<void> {
    if (answer.status === 200) {
      const { access_token: access } = answer.json;
      // So many dead tokens come from this address that some are answered by 429.
      for (const server of [first, second]) {
        await eventually(
          'the token is dead',
          async () => (await tagsStatus(server, access)) !== 200,
        );
      }
    } else {
      assertRefused(answer, error, status);
    }
    for (const table of ['oauth_access_tokens', 'oauth_refresh_tokens'] as const) {
      const { read } = first.app.database;
      assert.deepEqual(await read.selectFrom(table).select('digest').execute(), [], table);
    }
  }

  test('of 50 redemptions at once, on all nodes, exactly one wins', async () => {
    const code = await makeCode();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => redeem(node(index), client, code)),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    await assertNothingLives(won[0] as Answer, '');
  });

  test('50 refreshes at once, on all nodes, get the same pair', async () => {
    const { refresh_token: token } = await obtain(first, client, { userId });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => refresh(node(index), client, token)),
    );
    const pairs = answers.map(({ status, json, text }) => {
      assert.equal(status, 200, text);
      return [json.access_token, json.refresh_token];
    });
    for (const pair of pairs) assert.deepEqual(pair, pairs[0]);
    assert.equal((await refresh(second, client, pairs[0]?.[1])).status, 200);
    await endGrants(first);
  });

  describe('no live token survives', () => {
    test('a redemption beside the end of its grant', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const code = await makeCode();
        const [answer] = await Promise.all([
          redeem(node(round), client, code),
          endGrants(node(round + 1)),
        ]);
        await assertNothingLives(answer, 'invalid_grant');
      }
    });

    test('a redemption beside the end of its client', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const doomed = await createTokenClient(first);
        const code = await makeCode(doomed.client_id);
        const [answer] = await Promise.all([
          redeem(node(round), doomed, code),
          deleteClient(node(round + 1), doomed.client_id),
        ]);
        const isUnknown = answer.status === 401;
        await assertNothingLives(
          answer,
          isUnknown ? 'invalid_client' : 'invalid_grant',
          isUnknown ? 401 : 400,
        );
      }
    });

    test('a refresh beside the end of its grant', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { refresh_token: token } = await obtain(first, client, { userId });
        const [answer] = await Promise.all([
          refresh(node(round), client, token),
          endGrants(node(round + 1)),
        ]);
        await assertNothingLives(answer, 'invalid_grant');
      }
    });

    test('a refresh beside the revocation of its token', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { refresh_token: token } = await obtain(first, client, { userId });
        const [answer, revocation] = await Promise.all([
          refresh(node(round), client, token),
          postAs(node(round + 1), client, '/oauth2/revoke', { token }),
        ]);
        assert.equal(revocation.status, 200);
        await assertNothingLives(answer, 'invalid_grant');
      }
    });

    test('a refresh beside the reuse of its code', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const code = await makeCode();
        const { json } = await redeem(first, client, code);
        const [answer, reuse] = await Promise.all([
          refresh(node(round), client, json.refresh_token),
          redeem(node(round + 1), client, code),
        ]);
        assertRefused(reuse, 'invalid_grant');
        await assertNothingLives(answer, 'invalid_grant');
      }
    });
  });
});
