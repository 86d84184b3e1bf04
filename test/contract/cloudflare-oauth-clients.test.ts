import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Cloudflare from 'cloudflare';
import { OAuthClients } from 'cloudflare/resources/iam/oauth-clients';
import { OAuthScopes } from 'cloudflare/resources/iam/oauth-scopes';
import { findSecretDigests, matchSecret } from '../../src/oauth/clients/client-secret-store.ts';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { eventually } from '../support/eventually.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const ready = {
  client_name: 'My OAuth App',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['https://example.com/callback'],
  response_types: ['code'],
  scopes: ['account-settings.read'],
  token_endpoint_auth_method: 'client_secret_post',
} satisfies Omit<Cloudflare.IAM.OAuthClientCreateParams, 'account_id'>;

/** Every method of its resources, so that one that a later version adds is noticed. */
const METHODS = {
  clients: ['create', 'delete', 'deleteRotatedSecret', 'get', 'list', 'rotateSecret', 'update'],
  scopes: ['list'],
};

/** The public client, unmodified, against OAuth clients and scopes. */
onEachDatabase((database) => {
  let server: TestServer;
  let dns: DnsServer;
  let client: Cloudflare;
  before(async () => {
    dns = await DnsServer.start();
    server = await bootServer(database, { settings: { DNS_SERVERS: dns.address } });
    client = new Cloudflare({ apiToken: server.token, baseURL: server.baseUrl });
  });
  after(async () => {
    await server.stop();
    dns.stop();
  });

  test('its methods are the ones that are called below', () => {
    const methodsOf = (resource: { prototype: object }): string[] =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource.prototype))
        .filter((name) => name !== 'constructor')
        .sort();
    assert.deepEqual(methodsOf(OAuthClients), METHODS.clients);
    assert.deepEqual(methodsOf(OAuthScopes), METHODS.scopes);
  });

  test('create, get, list, update and delete', async () => {
    const { oauthClients } = client.iam;
    const account = { account_id: server.accountId };
    const created = await oauthClients.create({ ...account, ...ready });
    assert.match(created.client_secret ?? '', /^lkcs_/);
    assert.equal(created.visibility, 'private');
    assert.equal(created.promoted_at, undefined);
    assert.equal(created.has_rotated_secret, false);
    assert.equal(created.client_uri_verification, undefined);
    assert.deepEqual(created.scopes, ['account-settings.read', 'openid', 'offline_access']);
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

  test('from private to public, with the verification of the host', async () => {
    const { oauthClients } = client.iam;
    const account = { account_id: server.accountId };
    const host = 'publisher.example';
    const text = Promise.withResolvers<string>();
    dns.set(host, async () => ({ txt: [await text.promise] }));
    const created = await oauthClients.create({
      ...account,
      ...ready,
      logo_uri: 'https://example.com/logo.png',
      client_uri: `https://${host}/`,
    });
    assert.equal(created.client_uri_verification?.status, 'pending');
    const promote = () =>
      oauthClients.update(created.client_id, { ...account, visibility: 'public' });
    await assert.rejects(promote(), Cloudflare.BadRequestError);
    text.resolve(created.client_uri_verification?.text ?? '');
    await eventually('the host is verified', async () => {
      const { client_uri_verification: verification } = await oauthClients.get(
        created.client_id,
        account,
      );
      return verification?.status === 'verified';
    });
    const promoted = await promote();
    assert.equal(promoted.visibility, 'public');
    assert.match(promoted.promoted_at ?? '', /^\d{4}-\d\d-\d\dT/);
    // Its types know no way back, and neither does the server.
    const back = { ...account, visibility: 'private' as unknown as 'public' };
    await assert.rejects(oauthClients.update(created.client_id, back), (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.deepEqual(
        error.errors.map(({ code }) => code),
        [4011],
      );
      return true;
    });
  });

  test('rotateSecret and deleteRotatedSecret', async () => {
    const { oauthClients } = client.iam;
    const account = { account_id: server.accountId };
    const { client_id: id, client_secret: old = '' } = await oauthClients.create({
      ...account,
      ...ready,
    });
    const works = async (secret: string): Promise<boolean> =>
      matchSecret(await findSecretDigests(server.app.database.read, id), secret) !== undefined;
    const { client_secret: next = '' } = await oauthClients.rotateSecret(id, account);
    assert.match(next, /^lkcs_/);
    assert.equal((await oauthClients.get(id, account)).has_rotated_secret, true);
    assert.deepEqual([await works(old), await works(next)], [true, true]);
    await assert.rejects(oauthClients.rotateSecret(id, account), Cloudflare.BadRequestError);
    assert.deepEqual(await oauthClients.deleteRotatedSecret(id, account), { id });
    assert.equal((await oauthClients.get(id, account)).has_rotated_secret, false);
    assert.deepEqual([await works(old), await works(next)], [false, true]);
    const again = oauthClients.deleteRotatedSecret(id, account);
    await assert.rejects(again, Cloudflare.BadRequestError);
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
    const scopes = [];
    for await (const scope of client.iam.oauthScopes.list()) scopes.push(scope);
    const ids = scopes.map(({ id }) => id);
    assert.ok(ids.includes('account-settings.read'));
    assert.equal(new Set(ids).size, ids.length);
    for (const { name, category, scopes: resources } of scopes) {
      assert.ok(name && category && resources && resources.length > 0);
    }
  });
});
