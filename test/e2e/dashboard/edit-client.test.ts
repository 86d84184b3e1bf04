import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createClient, patch } from '../../oauth/client-bodies.ts';
import { READY, createVerified, readClient } from '../../oauth/verification-clients.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { DnsServer } from '../../support/dns-server.ts';
import { eventually } from '../../support/eventually.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';

let dns: DnsServer;
let server: TestServer;
let browser: Browser;
before(async () => {
  dns = await DnsServer.start();
  server = await bootServer('sqlite', { settings: { DNS_SERVERS: dns.address } });
  browser = await sharedBrowser();
});
after(() => server.stop());
after(() => dns.stop());

const save = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Save client' }).click();

test('a client is changed, only by what was changed, and what follows is said before', async (t) => {
  const { client_id: clientId } = await createClient(server, {
    client_name: 'Ledger Sync',
    client_uri: 'https://ledger.example.com/',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://ledger.example.com/callback', 'http://localhost:3000/callback'],
    scopes: ['email', 'tags.read', 'tags.write'],
    optional_scopes: ['email'],
  });
  const list = `/accounts/${server.accountId}/oauth-clients`;
  const { page } = await openDashboard(t, server, browser, { path: `${list}/${clientId}/edit` });
  const detail = `${server.origin}${list}/${clientId}`;
  const bodies: Json[] = [];
  await page.route('**/oauth_clients/*', (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    // The first does not come through.
    bodies.push(route.request().postDataJSON());
    return bodies.length === 1 ? route.fulfill({ status: 502, body: '' }) : route.fallback();
  });
  await page.getByLabel('Name', { exact: true }).fill('Ledger');
  await page.getByRole('button', { name: 'Remove Redirect URI 2' }).click();
  await page.getByText('Sign-ins that redirect to http://localhost:3000/callback').waitFor();
  await page.getByRole('checkbox', { name: /^Tags Write/ }).uncheck();
  await page.getByText('The application loses tags.write immediately').waitFor();
  await page.getByLabel('Client URL').fill('https://new.example.com/');
  await page.getByText('new.example.com gets a new TXT record').waitFor();
  await checkAccessibility(page);

  // Nothing of it is lost without a question, or with a failure.
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await save(page);
  await page.getByText('The server answered with status 502.').waitFor();
  // Somebody else changes another field meanwhile.
  const other = await patch(server, clientId, { policy_uri: 'https://ledger.example.com/privacy' });
  assert.equal(other.status, 200, other.text);
  await save(page);
  await page.getByText('Saved the client').first().waitFor();
  await page.waitForURL(detail);
  const changes = {
    client_name: 'Ledger',
    redirect_uris: ['https://ledger.example.com/callback'],
    scopes: ['email', 'tags.read'],
    optional_scopes: ['email'],
    client_uri: 'https://new.example.com/',
  };
  assert.deepEqual(bodies, [changes, changes]);
  const client = await readClient(server, clientId);
  assert.equal(client.policy_uri, 'https://ledger.example.com/privacy');
  assert.equal(client.client_uri_verification.host, 'new.example.com');

  // The list knows it at once, and finds it.
  await createClient(server, { client_name: 'Command line' });
  await page.goto(`${server.origin}${list}`);
  await page.getByText('2 clients').waitFor();
  await page.getByLabel('Search by name or client ID').fill('led');
  await page.getByText('1 of 2 clients').waitFor();
  await page.getByRole('link', { name: 'Ledger', exact: true }).click();
  await page.waitForURL(detail);
  await page.goBack();
  await page.getByText('1 of 2 clients').waitFor();
});

test('the server checks the back-channel logout URI, and an empty field removes it', async (t) => {
  const { client_id: clientId } = await createClient(server, { client_name: 'Signed out' });
  const path = `/accounts/${server.accountId}/oauth-clients/${clientId}`;
  const { page } = await openDashboard(t, server, browser, { path: `${path}/edit` });
  const uri = page.getByLabel('Back-channel logout URI');
  await uri.fill('http://app.example.com/logout');
  await save(page);
  await eventually('the field is marked', async () => {
    return (await uri.getAttribute('aria-invalid')) === 'true';
  });
  await uri.fill('https://app.example.com/logout');
  await save(page);
  await page.waitForURL(server.origin + path);
  await page.getByText('https://app.example.com/logout').waitFor();
  assert.equal(
    (await readClient(server, clientId)).backchannel_logout_uri,
    'https://app.example.com/logout',
  );
  await page.goto(`${server.origin}${path}/edit`);
  await uri.fill('');
  await save(page);
  await page.waitForURL(server.origin + path);
  await page.getByText('The application is not notified').waitFor();
  assert.equal((await readClient(server, clientId)).backchannel_logout_uri, undefined);
});

test('what a public client must keep is said before it is tried', async (t) => {
  const { id, host } = await createVerified(server, dns, READY);
  const promoted = await patch(server, id, { visibility: 'public' });
  assert.equal(promoted.status, 200, promoted.text);
  const { page, account } = await openDashboard(t, server, browser, {
    path: `/accounts/${server.accountId}/oauth-clients/${id}/edit`,
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByText(`The host stays ${host}.`).waitFor();
  await page.getByLabel(/^Logo\b/).fill('');
  await page.getByLabel('Client URL').fill('https://other.example.com/');
  await page.getByRole('checkbox', { name: /^Tags Read/ }).uncheck();
  await save(page);
  await page.getByText('You can change it, but not remove it.').waitFor();
  await page.getByText(`The host ${host} of a public client can't change`).waitFor();
  await page.getByText('A public client needs at least one permission').waitFor();
  await page
    .getByLabel(/^Logo\b/)
    .and(page.locator(':focus'))
    .waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  const before = await readClient(server, id);
  await page.getByLabel(/^Logo\b/).fill(before.logo_uri);
  await page.getByLabel('Client URL').fill(`https://${host}/start`);
  await page.getByRole('checkbox', { name: /^Tags Read/ }).check();
  await save(page);
  await page.waitForURL(`${server.origin}${account}/oauth-clients/${id}`);
  const client = await readClient(server, id);
  assert.equal(client.client_uri, `https://${host}/start`);
  assert.equal(client.client_uri_verification.status, 'verified');
});

test('who may not change clients sees why', async (t) => {
  const { client_id: clientId } = await createClient(server);
  const { page } = await openDashboard(t, server, browser, {
    roles: ['administrator-read-only'],
    path: `/accounts/${server.accountId}/oauth-clients/${clientId}/edit`,
  });
  await page.getByText("Your role doesn't allow you to change OAuth clients").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save client' }).count(), 0);
  await page.getByRole('link', { name: 'the members' }).click();
  await page.waitForURL(`${server.origin}/accounts/${server.accountId}/members`);
});
