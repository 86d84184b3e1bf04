import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authorize, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson } from '../support/people.ts';
import { refuseWrites } from '../support/refused-writes.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import {
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
  refresh,
  tagsStatus,
} from './redemptions.ts';

/** What cannot be stored as a whole has not happened, and is no success. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let userId: string;
  before(async () => {
    server = await bootServer(database);
    client = await createTokenClient(server);
    const { accountId } = server;
    ({ userId } = await createPerson(server, { accountId, roles: ['tag-admin'] }));
  });
  after(() => server.stop());

  const refuse = (table: string) => refuseWrites(server.app.database, 'insert', table);

  test('a code is not burnt', async (t) => {
    const { client_id: clientId } = client;
    const code = await authorize(server, { userId, clientId, scopes: ['tags.read'] });
    const allow = await refuse('oauth_refresh_tokens');
    t.after(allow);
    assertRefused(await redeem(server, client, code), 'server_error', 500);
    await allow();
    assert.equal((await redeem(server, client, code)).status, 200);
  });

  test('a refresh token is not used up', async (t) => {
    const { refresh_token: token } = await obtain(server, client, { userId });
    const allow = await refuse('oauth_access_tokens');
    t.after(allow);
    assertRefused(await refresh(server, client, token), 'server_error', 500);
    await allow();
    const first = await refresh(server, client, token);
    assert.equal(first.status, 200);
    assert.equal((await refresh(server, client, first.json.refresh_token)).status, 200);
  });

  test('nothing is revoked without a row in the person’s log', async (t) => {
    const tokens = await obtain(server, client, { userId });
    const allow = await refuse('audit_logs');
    t.after(allow);
    const token = tokens.refresh_token;
    const answer = await postAs(server, client, '/oauth2/revoke', { token });
    assertRefused(answer, 'server_error', 500);
    assert.equal(await tagsStatus(server, tokens.access_token), 200);
    await allow();
    assert.equal((await postAs(server, client, '/oauth2/revoke', { token })).status, 200);
    assert.equal(await tagsStatus(server, tokens.access_token), 401);
  });
});
