import assert from 'node:assert/strict';
import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { decideWith, formOf } from '../oauth/consent-form.ts';
import { createClient } from '../oauth/client-bodies.ts';
import { MESSAGES, type ScriptedBench, startScripted } from '../gateway/scripted.ts';
import { codeAt } from '../support/authenticator-app.ts';
import { REDIRECT_URI, basic, createPkce, postForm, redeem } from '../support/authorizations.ts';
import { runCli } from '../support/cli.ts';
import { type TestDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { cookiesOf, getPage, makeRoundTrip } from '../support/external-sign-in.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { createPerson } from '../support/people.ts';
import { head } from '../support/scripted-upstream.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';
import { readAllRows } from '../support/stored-secrets.ts';
import { Visitor } from '../support/visitor.ts';

const PASSWORD = 'a kettle whistles in the attic';
const NEW_PASSWORD = 'a lantern swings over the pier';
const PROVIDER_KEY = 'sk-hidden-provider-key-000001';
const OWN_PROVIDER_KEY = 'sk-hidden-provider-key-000002';

/** Every secret of the flows, with the flow it comes from. */
class Secrets {
  readonly all = new Map<string, string>();

  add(source: string, ...secrets: (string | undefined)[]): void {
    for (const secret of secrets) {
      assert.ok(secret !== undefined && secret.length >= 10, `${source}: ${secret}`);
      this.all.set(secret, source);
    }
  }

  addCookies({ cookies }: Visitor, source: string): void {
    for (const [name, value] of cookies) this.add(`${source}: cookie ${name}`, value);
  }

  /** The sources of the secrets that a text contains. */
  foundIn(text: string): string[] {
    return [...this.all].filter(([secret]) => text.includes(secret)).map(([, source]) => source);
  }
}

/** Tokens and clients of the management API. */
async function useApi(server: TestServer, secrets: Secrets): Promise<void> {
  secrets.add('first token', server.token);
  const { id, value } = await server.createToken(['account-settings.read']);
  const rolled = await server.call('PUT', `${server.account}/tokens/${id}/value`, { body: {} });
  secrets.add('API token', value, rolled.json.result);
  const client = await createClient(server);
  const rotation = `${server.account}/oauth_clients/${client.client_id}/rotate_secret`;
  const rotated = await server.call('POST', rotation);
  secrets.add('client secret', client.client_secret, rotated.json.result.client_secret);
  secrets.add('Basic', basic(client.client_id, client.client_secret).slice(6));
}

/** Invitation, sign-in, second factor, reset of the password: pages, mails and the person's own API. */
async function usePages(
  server: TestServer,
  secrets: Secrets,
  linkTo: (email: string, page: string) => Promise<string>,
): Promise<Visitor> {
  const email = 'hidden@example.com';
  const roles = await server.call('GET', `${server.account}/roles`);
  const role = roles.json.result.find(({ name }: { name: string }) => name === 'Administrator');
  const invited = await server.call('POST', `${server.account}/members`, {
    body: { email, roles: [role.id] },
  });
  assert.equal(invited.status, 200, invited.text);
  const invitation = await linkTo(email, 'invitation');
  secrets.add('invitation', invitation.split('=')[1]);
  const visitor = new Visitor(server);
  const joined = await visitor.submit(invitation, { first_name: 'Ann', new_password: PASSWORD });
  assert.equal(joined.status, 303, joined.text);
  secrets.add('password', PASSWORD, NEW_PASSWORD);
  secrets.addCookies(visitor, 'invitation');

  const { secret } = (await visitor.call('POST', '/user/totp')).json.result;
  const code = codeAt(secret, Date.now());
  const confirmed = await visitor.call('PUT', '/user/totp', { code });
  assert.equal(confirmed.status, 200, confirmed.text);
  const recoveryCodes: string[] = confirmed.json.result.recovery_codes;
  secrets.add('TOTP secret', secret);
  secrets.add('recovery code', ...recoveryCodes);

  await visitor.submit('/forgot-password', { email });
  const link = await linkTo(email, 'reset-password');
  secrets.add('reset link', link.split('=')[1]);
  const reset = await new Visitor(server).submit(link, { new_password: NEW_PASSWORD });
  assert.ok(reset.status < 400, reset.text);

  const again = new Visitor(server);
  const signedIn = await again.submit('/login', { email, password: NEW_PASSWORD });
  assert.equal(signedIn.status, 303, signedIn.text);
  secrets.addCookies(again, 'half a sign-in');
  const second = await again.submit('/login/second-factor?recovery=1', {
    recovery_code: recoveryCodes[0] ?? '',
  });
  assert.equal(second.status, 303, second.text);
  secrets.addCookies(again, 'sign-in');
  return again;
}

/** Authorization code, tokens, refresh, introspection and revocation. */
async function useOAuth(server: TestServer, secrets: Secrets, visitor: Visitor) {
  const client = await createClient(server, {
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['tags.read', 'ai-gateway.run'],
  });
  secrets.add('client secret', client.client_secret);
  const { verifier, challenge } = createPkce();
  const nonce = 'hidden-nonce-of-the-application';
  const form = await formOf(visitor, client, {
    scope: 'openid tags.read ai-gateway.run offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce,
  });
  const decided = await decideWith(server, visitor, form, 'approve');
  const location = new URL(decided.headers.get('location') ?? '');
  assert.equal(location.origin + location.pathname, REDIRECT_URI, decided.text);
  const code = location.searchParams.get('code') ?? '';
  const redeemed = await redeem(server, client, code, { code_verifier: verifier });
  assert.equal(redeemed.status, 200, redeemed.text);
  const { access_token, refresh_token, id_token } = redeemed.json;
  secrets.add('code', code, verifier);
  secrets.add('OAuth token', access_token, id_token, refresh_token);
  const authorization = basic(client.client_id, client.client_secret);
  const refreshed = await postForm(
    server,
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token },
    { authorization },
  );
  assert.equal(refreshed.status, 200, refreshed.text);
  secrets.add('refreshed token', refreshed.json.access_token, refreshed.json.refresh_token);
  const send = (endpoint: string) =>
    postForm(
      server,
      `/oauth2/${endpoint}`,
      { token: refreshed.json.refresh_token },
      { authorization },
    );
  assert.equal((await send('introspect')).status, 200);
  return { accessToken: refreshed.json.access_token as string, revoke: () => send('revoke') };
}

/** Stored keys of providers, keys that callers bring, and tokens of both kinds. */
async function useGateway(
  bench: ScriptedBench,
  secrets: Secrets,
  oauthToken: string,
): Promise<void> {
  secrets.add('provider key', PROVIDER_KEY, OWN_PROVIDER_KEY);
  for (const token of [bench.server.token, oauthToken]) {
    const { status, text } = await bench.complete('local/echo', {
      authorization: `Bearer ${token}`,
    });
    assert.equal(status, 200, text);
  }
  const configs = `${bench.server.account}/ai-gateway/gateways/default/provider_configs`;
  const stored = await bench.server.call('POST', configs, {
    body: { alias: 'main', default_config: true, provider_slug: 'openai', secret: PROVIDER_KEY },
  });
  assert.equal(stored.status, 200, stored.text);
  await bench.upstream.set('plain', [head(200, { 'content-type': 'application/json' }), '{}']);
  assert.equal((await bench.complete('openai/plain')).status, 200);
  const own = await bench.callHost('POST', 'default/openai/chat/completions', {
    headers: { authorization: `Bearer ${OWN_PROVIDER_KEY}` },
    body: { model: 'plain', messages: MESSAGES, user: 'hidden' },
  });
  assert.equal(own.status, 200, own.text);
  await eventually('the requests are logged', async () => (await bench.logs()).length === 4);
}

/** Everything that is kept: rows, a backup and an export, as lines of text. */
async function readStored(
  t: TestContext,
  server: TestServer,
  database: TestDatabase,
  dataDir: string,
): Promise<string[]> {
  const env = {
    LATCHKEY_DATA_DIR: dataDir,
    ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
  };
  const exported = await runCli(['logs', 'export', '--bodies'], { env });
  assert.deepEqual([exported.code, exported.stderr], [0, '']);
  assert.match(exported.stdout, /"model":"echo"/);
  const texts = [...(await readAllRows(server.app.database)), ...exported.stdout.split('\n')];
  if (database === 'postgres') return texts;
  const output = path.join(dataDir, 'copy');
  const backup = await runCli(['backup', '--output', output], { env });
  assert.deepEqual([backup.code, backup.stderr], [0, '']);
  t.after(() => rm(output, { recursive: true, force: true }));
  const names = await readdir(output);
  assert.ok(names.includes('gateway-logs.db') && names.includes('latchkey.db'), names.join());
  for (const name of names)
    texts.push(`${name}: ${await readFile(path.join(output, name), 'latin1')}`);
  return texts;
}

/** Fails with the beginning of each text that contains a secret. */
function assertClean(secrets: Secrets, texts: readonly string[], place: string): void {
  const leaks = texts.flatMap((text) =>
    secrets.foundIn(text).map((source) => `${source} in ${place}: ${text.slice(0, 200)}`),
  );
  assert.deepEqual(leaks, []);
}

onEachDatabase((database) => {
  test('no secret of any flow is stored, logged, backed up, exported or mailed', async (t) => {
    const mail = await startMailServer(t);
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const bench = await startScripted(database, {
      dataDir,
      settings: { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com', LOG_LEVEL: 'trace' },
    });
    t.after(() => bench.stop());
    const { server } = bench;
    const linkTo = async (email: string, page: string): Promise<string> => {
      const pattern = new RegExp(String.raw`/${page}\?token=\w+`);
      const find = () =>
        mail.received.find(({ to, body }) => to.includes(email) && pattern.test(body));
      await eventually(`the mail with ${page} arrives`, async () => find() !== undefined);
      return pattern.exec(find()?.body ?? '')?.[0] ?? '';
    };
    const secrets = new Secrets();
    await useApi(server, secrets);
    const visitor = await usePages(server, secrets, linkTo);
    const { accessToken, revoke } = await useOAuth(server, secrets, visitor);
    await useGateway(bench, secrets, accessToken);
    assert.equal((await revoke()).status, 200);

    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const shown = await runCli(['user', 'reset-password', 'hidden@example.com'], { env });
    assert.equal(shown.code, 0, shown.stderr);
    secrets.add('CLI link', /token=(\w+)/.exec(shown.stdout)?.[1]);
    assert.ok(secrets.all.size > 30, String(secrets.all.size));

    assertClean(secrets, await readStored(t, server, database, dataDir), 'storage');
    assertClean(secrets, server.logLines, 'log lines');
    const mailed = mail.received.flatMap(({ body, headers }) => {
      // A mail contains the link that it delivers, and no other secret.
      const found = secrets.foundIn(JSON.stringify([body, [...headers]]));
      assert.ok(found.length <= 1, found.join());
      return found;
    });
    assert.deepEqual(mailed.toSorted(), ['invitation', 'reset link']);
  });

  test('no secret of single sign-on is stored or logged', async (t) => {
    const provider = await startOpenIdProvider(t);
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await bootServer(database, {
      dataDir,
      settings: { ...provider.settings, LOG_LEVEL: 'trace' },
    });
    t.after(() => server.stop());
    const { email } = await createPerson(server, { accountId: server.accountId });
    provider.person = { subject: 'subject-1', email, email_verified: true };
    const { cookies, path: callback, query } = await makeRoundTrip(server, provider);
    const done = await getPage(server, callback, cookies);
    assert.equal(done.status, 303, done.text);
    const secrets = new Secrets();
    secrets.add('code', query.get('code') ?? undefined);
    secrets.add('state', query.get('state') ?? undefined);
    secrets.add('client secret of the provider', provider.settings.OIDC_CLIENT_SECRET);
    for (const [name, value] of [...cookies, ...cookiesOf(done)]) secrets.add(name, value);
    assertClean(secrets, await readAllRows(server.app.database), 'storage');
    assertClean(secrets, server.logLines, 'log lines');
  });
});
