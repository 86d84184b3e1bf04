import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addMember, createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { readPage } from '../support/visitor.ts';
import { giveSession, remember, signedIn } from './authorizing.ts';
import { createClient } from './client-bodies.ts';
import {
  addAccount,
  askedAt,
  formOf,
  readForm,
  setClient,
  verifyPublisher,
} from './consent-form.ts';

const SCOPES = ['profile', 'email', 'tags.read', 'tags.write'];
const ALL = 'openid profile email tags.read tags.write';

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const begin = () => signedIn(server, clock);

  test('who asks, whom, for what, and what follows', async () => {
    const { person, visitor } = await begin();
    const client = await createClient(server, {
      client_name: 'Ledger <b>Sync</b>',
      client_uri: 'https://ledger.example.com/home',
      policy_uri: 'https://ledger.example.com/p?a&b',
      tos_uri: 'https://ledger.example.com/t',
      scopes: SCOPES,
      optional_scopes: ['email'],
    });
    const { page, scopes, accounts } = await formOf(visitor, client, { scope: ALL });
    assert.deepEqual(readPage(page), {
      status: 200,
      title: 'Allow Ledger &lt;b&gt;Sync&lt;/b&gt; to access your account?',
      error: undefined,
    });
    assert.ok(!page.text.includes('<b>Sync'));
    assert.ok(page.text.includes(`signed in as <strong>${person.email}</strong>`));
    assert.match(
      page.text,
      /<a href="\/login\?prompt=select_account&amp;return_to=[^"]*">Use another account<\/a>/,
    );
    assert.ok(page.text.includes(`<img src="/oauth2/clients/${client.client_id}/logo" alt=""`));
    assert.match(page.text, /Claims to be from ledger\.example\.com\s/);
    assert.match(page.text, /class="mark unverified">Not verified</);
    assert.match(page.text, /The publisher of this application is not verified/);
    const links = page.text.matchAll(
      /<a href="([^"]*)" target="_blank" rel="noopener noreferrer"/g,
    );
    assert.deepEqual(
      [...links].map(([, href]) => href),
      ['https://ledger.example.com/p?a&amp;b', 'https://ledger.example.com/t'],
    );
    assert.match(page.text, /view the tags of resources\s*<span class="note">required/);
    assert.match(page.text, /view your email address\s*<span class="note">optional/);
    assert.deepEqual(scopes, {
      openid: 'required',
      profile: 'required',
      email: 'ticked',
      'tags.read': 'required',
      'tags.write': 'required',
    });
    assert.deepEqual(accounts, { 'First account': 'ticked' });
    assert.ok(page.text.includes('<strong>app.example.com</strong>'));
  });

  test('a publisher who is verified, and one who is not named', async () => {
    const { visitor } = await begin();
    const verified = await createClient(server, { client_uri: 'https://example.com' });
    await verifyPublisher(server, verified.client_id);
    const { page } = await formOf(visitor, verified, { scope: 'openid' });
    assert.match(page.text, /<strong>example\.com<\/strong>/);
    assert.match(page.text, /class="mark verified">Verified</);
    assert.ok(!page.text.includes('class="warning"'));
    assert.ok(!page.text.includes('target="_blank"'));
    const nameless = await formOf(visitor, await createClient(server), { scope: 'openid' });
    assert.match(nameless.page.text, /The publisher is not specified/);
    assert.match(nameless.page.text, /class="warning"/);
  });

  test('an answer that stays on the device', async () => {
    const { visitor } = await begin();
    const redirectUris = ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb'];
    const client = await createClient(server, {
      token_endpoint_auth_method: 'none',
      redirect_uris: redirectUris,
    });
    for (const redirectUri of redirectUris) {
      const changes = { scope: 'openid', redirect_uri: redirectUri };
      const { page } = await formOf(visitor, client, changes);
      assert.ok(page.text.includes('<strong>an app on this device</strong>'), redirectUri);
    }
  });

  test('the page is not to be framed, kept, or named to others', async () => {
    const { visitor } = await begin();
    const { page } = await formOf(visitor, await createClient(server), { scope: 'openid' });
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /default-src 'self'/);
    // The answer goes to the application, by a redirect after the form.
    assert.doesNotMatch(policy, /form-action/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.deepEqual(page.text.match(/<script[^>]*>/g)?.length, 1);
    assert.match(page.text, /<script type="module" src="\/assets\/forms-[0-9a-f]+\.js">/);
    // Nothing of the request travels through the page.
    for (const part of ['callback', 'state', 's t/a', 'client_id', 'redirect_uri']) {
      assert.ok(!page.text.includes(`"${part}"`), part);
    }
    const framed = await fetch(server.origin + '/oauth2/consent');
    assert.equal(framed.headers.get('x-frame-options'), 'DENY');
  });

  test('only accounts in which the person can act can be picked', async () => {
    const { person, visitor } = await begin();
    await addAccount(server, person.userId, 'Zoo & Co');
    await addAccount(server, person.userId, 'Guarded', { demandsSecondFactor: true });
    const invited = await addAccount(server, person.userId, 'Invited');
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('members')
        .set({ status: 'pending' })
        .where('account_id', '=', invited)
        .execute();
    });
    const client = await createClient(server, { scopes: SCOPES });
    const { page, accounts } = await formOf(visitor, client);
    // Several, so that none is picked for the person.
    assert.deepEqual(accounts, {
      'First account': 'unticked',
      Guarded: 'disabled',
      'Zoo &amp; Co': 'unticked',
    });
    assert.match(page.text, /This account requires a second factor/);
    const identity = await formOf(visitor, client, { scope: 'openid profile' });
    assert.deepEqual(identity.accounts, {});
    assert.equal(readPage(identity.page).title, 'Sign in to Example?');
  });

  test('the one account that can be used is picked', async () => {
    const { person, visitor } = await begin();
    await addAccount(server, person.userId, 'Guarded', { demandsSecondFactor: true });
    const client = await createClient(server, { scopes: SCOPES });
    const { accounts } = await formOf(visitor, client);
    assert.deepEqual(accounts, { 'First account': 'ticked', Guarded: 'disabled' });
  });

  test('where something was allowed before, what is new comes first', async () => {
    const { person, visitor } = await begin();
    const other = await addAccount(server, person.userId, 'Other');
    const client = await createClient(server, { scopes: SCOPES, optional_scopes: ['email'] });
    await remember(server, clock, {
      userId: person.userId,
      clientId: client.client_id,
      accountIds: [other],
      scopes: ['openid', 'profile'],
    });
    const { page, scopes, accounts } = await formOf(visitor, client, { scope: ALL });
    assert.equal(readPage(page).title, 'Example requests more permissions');
    assert.match(
      page.text,
      /It also requests permission to[^]*tags of resources[^]*It already has permission to[^]*your name/,
    );
    assert.deepEqual(Object.keys(scopes), [
      'email',
      'tags.read',
      'tags.write',
      'openid',
      'profile',
    ]);
    assert.deepEqual(accounts, { 'First account': 'unticked', Other: 'ticked' });
    // Asked again for the same.
    const again = await formOf(visitor, client, { scope: 'openid profile', prompt: 'consent' });
    assert.equal(readPage(again.page).title, 'Sign in to Example?');
    assert.ok(!again.page.text.includes('It also requests permission to'));
    assert.match(again.page.text, /It already has permission to/);
  });

  test('what was declined before is not ticked', async () => {
    const { person, visitor } = await begin();
    const client = await createClient(server, { scopes: SCOPES, optional_scopes: ['email'] });
    await server.app.database.transaction(async (tx) => {
      await tx
        .insertInto('oauth_grants')
        .values({
          id: '1'.repeat(32),
          user_id: person.userId,
          client_id: client.client_id,
          accounts: '[]',
          scopes: '["openid"]',
          declined_scopes: '["email"]',
          created_at: 0,
          updated_at: 0,
          last_used_at: null,
        })
        .execute();
    });
    const { scopes } = await formOf(visitor, client, { scope: 'openid email profile' });
    assert.deepEqual(scopes, { email: 'unticked', profile: 'required', openid: 'required' });
  });

  test('a person without accounts', async () => {
    const { visitor } = await begin();
    const client = await createClient(server, { scopes: SCOPES, optional_scopes: ['tags.write'] });
    await setClient(server, client, { visibility: 'public' });
    const stranger = await createPerson(server);
    await giveSession(server, clock, visitor, stranger.userId);
    const demanded = await formOf(visitor, client);
    assert.match(demanded.page.text, /None of your accounts has the requested permissions/);
    assert.equal(demanded.canApprove, false);
    assert.match(demanded.page.text, /value="deny"/);
    const optional = await formOf(visitor, client, { scope: 'openid tags.write' });
    assert.equal(optional.canApprove, true);
    await addMember(server, stranger.userId, server.accountId);
    const member = await formOf(visitor, client);
    assert.equal(member.canApprove, true);
  });

  test('the page can be loaded again, as often as one likes', async () => {
    const { visitor } = await begin();
    const path = await askedAt(visitor, await createClient(server), { scope: 'openid' });
    const pages = [];
    for (let i = 0; i < 3; i++) pages.push(readForm(await visitor.open(path)).fields.toString());
    assert.equal(new Set(pages).size, 1);
  });
});
