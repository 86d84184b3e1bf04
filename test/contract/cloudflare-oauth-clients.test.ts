import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The public client, unmodified, against OAuth clients and scopes. */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Cloudflare;
  before(async () => {
    server = await bootServer(database);
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl });
  });
  after(() => server.stop());

  test('create, get, list, update and delete', async () => {
    const { oauthClients } = client.iam;
    const account = { account_id: server.accountId };
    const created = await oauthClients.create({
      ...account,
      client_name: 'My OAuth App',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://example.com/callback'],
      response_types: ['code'],
      scopes: ['account-settings.read'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    assert.match(created.client_secret ?? '', /^lkcs_/);
    assert.equal(created.visibility, 'private');
    assert.equal(created.promoted_at, undefined);
    const { client_secret: _secret, ...record } = created;

    assert.deepEqual(await oauthClients.get(created.client_id, account), record);
    const listed = [];
    for await (const item of oauthClients.list(account)) listed.push(item);
    assert.deepEqual(listed, [record]);

    const updated = await oauthClients.update(created.client_id, {
      ...account,
      client_name: 'Renamed',
    });
    assert.equal(updated.client_name, 'Renamed');
    assert.deepEqual(updated.redirect_uris, created.redirect_uris);
    const untouched = await oauthClients.update(created.client_id, account);
    assert.deepEqual(untouched, updated);

    const deleted = await oauthClients.delete(created.client_id, account);
    assert.deepEqual(deleted, { id: created.client_id });
    await assert.rejects(oauthClients.get(created.client_id, account), Cloudflare.NotFoundError);
  });

  test('refusals arrive as its errors, with every fault', async () => {
    const creating = client.iam.oauthClients.create({
      account_id: server.accountId,
      client_name: 'My OAuth App',
      grant_types: ['refresh_token'],
      redirect_uris: ['http://example.com/callback'],
      response_types: ['token'],
      scopes: ['account:read'],
      token_endpoint_auth_method: 'none',
    });
    await assert.rejects(creating, (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.deepEqual(
        new Set(error.errors.map(({ code }) => code)),
        new Set([4003, 4004, 4005, 4006]),
      );
      return true;
    });
  });

  test('scopes', async () => {
    const ids: string[] = [];
    for await (const scope of client.iam.oauthScopes.list()) ids.push(scope.id);
    assert.ok(ids.includes('account-settings.read'));
    assert.equal(new Set(ids).size, ids.length);
  });
});
