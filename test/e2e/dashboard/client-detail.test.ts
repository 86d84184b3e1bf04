import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../oauth/client-bodies.ts';
import { createVerified, newHost, readClient } from '../../oauth/verification-clients.ts';
import { authorize, redeem } from '../../support/authorizations.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import {
  type DashboardOptions,
  checkAccessibility,
  checkFits,
  openDashboard,
} from '../../support/dashboard.ts';
import { DnsServer } from '../../support/dns-server.ts';
import { eventually } from '../../support/eventually.ts';
import { createPerson } from '../../support/people.ts';
import { noteSecret } from '../../support/secrets-in-logs.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let dns: DnsServer;
let browser: Browser;
before(async () => {
  dns = await DnsServer.start();
  server = await bootServer('sqlite', {
    settings: {
      DNS_SERVERS: dns.address,
      VERIFICATION_POLL_SECONDS: '1',
    },
  });
  browser = await sharedBrowser();
});
after(async () => {
  await server.stop();
  dns.stop();
});

function pathOf(client: Json): string {
  return `${server.account}/oauth-clients/${client.client_id}`;
}

async function openClient(t: TestContext, client: Json, options: DashboardOptions = {}) {
  const opened = await openDashboard(t, server, browser, { path: pathOf(client), ...options });
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await opened.page.getByRole('heading', { level: 1, name: client.client_name }).waitFor();
  return opened;
}

/** What was copied last. */
function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}

/** Whether the token endpoint takes a secret. */
async function works(client: Json, secret: string): Promise<boolean> {
  const { userId } = await createPerson(server, { accountId: server.accountId });
  const code = await authorize(server, { userId, clientId: client.client_id });
  const answer = await redeem(server, { ...client, client_secret: secret }, code);
  assert.ok(answer.status === 200 || answer.json.error === 'invalid_client', answer.text);
  return answer.status === 200;
}

async function untilUsed(client: Json, which: number): Promise<void> {
  await eventually('the use of the secret is noted', async () => {
    const { secrets } = await readClient(server, client.client_id);
    return secrets[which].last_used_at !== null;
  });
}

/** Sets when the old secret was used last, some days ago. */
async function ageOldSecret(client: Json, days: number): Promise<void> {
  const { secrets } = await readClient(server, client.client_id);
  await server.app.database.transaction(async (tx) => {
    await tx
      .updateTable('oauth_client_secrets')
      .set({ last_used_at: Date.now() - days * DAY_MS })
      .where('client_id', '=', client.client_id)
      .where('created_at', '=', Date.parse(secrets[0].created_at))
      .execute();
  });
}

/** Lets the time for a verification be over. */
async function endTime(client: Json): Promise<void> {
  await server.app.database.transaction(async (tx) => {
    await tx
      .updateTable('oauth_client_verifications')
      .set({ deadline_at: Date.now() - 1, next_check_at: Date.now() - 1 })
      .where('client_id', '=', client.client_id)
      .execute();
  });
}

test('a secret is rotated without an outage', async (t) => {
  const client = await createClient(server, { client_name: 'Ledger Sync', scopes: ['tags.read'] });
  const { page } = await openClient(t, client, {
    browser: { viewport: { width: 360, height: 740 } },
  });
  await checkFits(page);
  await page.getByText('never used').waitFor();
  // There is a page to go back to.
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('link', { name: 'Ledger Sync' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  // The answer gets lost: trying again makes no third secret.
  await page.route(
    '**/rotate_secret',
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, body: '' });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByRole('alert').getByText('status 502').waitFor();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'The new secret' });
  const secret = (await dialog.getByLabel('Client secret').textContent()) ?? '';
  noteSecret(secret);
  assert.match(secret, /^lkcs_/);
  await checkFits(page);
  // Nobody loses it by mistake: not by a key, not by the way back.
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Close without copying the secret?' });
  await question.waitFor();
  await checkAccessibility(page);
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.evaluate('history.back()');
  await question.getByRole('button', { name: 'Stay' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByText('Copied', { exact: true }).first().waitFor();
  assert.equal(await clipboard(page), secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('The old secret has never been used').waitFor();

  assert.deepEqual(
    [await works(client, client.client_secret), await works(client, secret)],
    [true, true],
  );
  await untilUsed(client, 0);
  await untilUsed(client, 1);
  await page.reload();
  await page.getByText('The old secret is still in use: just now').waitFor();
  await page.getByText('Find the instance').waitFor();
  await page.getByRole('button', { name: 'Delete old secret' }).click();
  const warned = page.getByRole('dialog', { name: 'Delete the old secret?' });
  await warned.getByText('The old secret is still in use').waitFor();
  await checkAccessibility(page);
  await warned.getByRole('button', { name: 'Cancel' }).click();
  // Later, when nothing uses it any more.
  await ageOldSecret(client, 9);
  await page.reload();
  await page.getByText('The old secret has not been used for 9 days').waitFor();
  await page.getByRole('button', { name: 'Delete old secret' }).click();
  await warned.getByText('has not been used for 9 days').waitFor();
  await warned.getByRole('button', { name: 'Delete old secret' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).waitFor();
  await page.getByText('Deleted the old secret', { exact: true }).waitFor();
  assert.deepEqual(
    [await works(client, client.client_secret), await works(client, secret)],
    [false, true],
  );
  await checkFits(page);
});

test('a host is verified while somebody looks on, and the client becomes public', async (t) => {
  const host = newHost();
  const client = await createClient(server, { client_name: 'Ledger Public' });
  const { page } = await openClient(t, client);
  await page.getByText('The client has no home page').waitFor();
  await page.getByRole('link', { name: 'Set a logo' }).waitFor();
  await page.getByRole('link', { name: 'Add a scope' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Make public' }).isDisabled());
  // In another tab the rest is filled in.
  const { json } = await server.call(
    'PATCH',
    `${server.account}/oauth_clients/${client.client_id}`,
    {
      body: {
        client_uri: `https://${host}/home`,
        logo_uri: 'https://app.example.com/logo.png',
        scopes: ['tags.read'],
      },
    },
  );
  const { text } = json.result.client_uri_verification;
  await page.reload();
  const verification = page.locator('#verification');
  await page.getByRole('link', { name: 'Verify the host' }).click();
  await verification.getByText('Looking for the record').first().waitFor();
  for (const [label, value] of [
    ['Copy type of the record', 'TXT'],
    ['Copy name of the record', host],
    ['Copy value of the record', text],
  ] as const) {
    await verification.getByRole('button', { name: label }).click();
    await eventually(label, async () => (await clipboard(page)) === value);
  }
  await verification.getByText('Zone file line').click();
  await verification.getByText(`${host}. 300 IN TXT "${text}"`).waitFor();
  await verification.getByText(`${host} has no TXT record.`).waitFor();
  await endTime(client);
  // It fails while somebody looks on, and begins anew when it is told to.
  await verification.getByText('was not found in time').waitFor();
  dns.set(host, { txt: [text] });
  await verification.getByRole('button', { name: 'Restart verification' }).click();
  await verification.getByText(`${host} has the record`).waitFor();
  await verification.getByRole('status').getByText('Home page verification: Verified').waitFor();

  await page.getByText('Ready to become public').waitFor();
  await page.getByRole('button', { name: 'Make public' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Make public permanently' });
  assert.ok(await confirm.isDisabled());
  await checkAccessibility(page);
  await dialog.getByRole('textbox').fill('Ledger Public');
  // Meanwhile somebody else has taken something away.
  await server.call('PATCH', `${server.account}/oauth_clients/${client.client_id}`, {
    body: { logo_uri: null },
  });
  await confirm.click();
  await dialog.getByRole('alert').getByText('logo_uri').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The server reports missing requirements').waitFor();
  await page.getByRole('link', { name: 'Set a logo' }).waitFor();
  await server.call('PATCH', `${server.account}/oauth_clients/${client.client_id}`, {
    body: { logo_uri: 'https://app.example.com/logo.png' },
  });
  await page.reload();
  await page.getByRole('button', { name: 'Make public' }).click();
  await dialog.getByRole('textbox').fill('Ledger Public');
  await confirm.click();
  await page.getByRole('heading', { name: 'Visibility: public' }).waitFor();
  assert.equal((await readClient(server, client.client_id)).visibility, 'public');
});

test('a client is deleted by typing its name, and another tab says so', async (t) => {
  const client = await createClient(server, { client_name: 'Short-lived', scopes: ['tags.read'] });
  const { userId } = await createPerson(server, { accountId: server.accountId });
  await authorize(server, { userId, clientId: client.client_id });
  const { page, context } = await openClient(t, client);
  await page.getByText('1 user has authorized it, with 1 authorization').waitFor();
  const other = await context.newPage();
  await other.goto(server.origin + pathOf(client));
  await other.getByRole('button', { name: 'Rotate secret' }).waitFor();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Short-lived?' });
  await dialog.getByText('1 user has authorized it').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Delete client' });
  await dialog.getByRole('textbox').fill('Short');
  assert.ok(await confirm.isDisabled());
  await dialog.getByRole('textbox').fill('Short-lived');
  await page.keyboard.press('Enter');
  await page.getByText('Deleted Short-lived', { exact: true }).waitFor();
  assert.ok(page.url().endsWith('/oauth-clients'));

  await other.getByRole('button', { name: 'Rotate secret' }).click();
  await other.getByRole('button', { name: 'Create new secret' }).click();
  await other.getByText('This client was deleted').waitFor();
  await checkAccessibility(other);
  await other.getByRole('link', { name: 'All OAuth clients' }).click();
  await other.waitForURL(/\/oauth-clients$/);
});

test('who may only look sees why, and a client without a secret has none', async (t) => {
  const client = await createClient(server, {
    client_name: 'Command line',
    token_endpoint_auth_method: 'none',
    client_uri: 'http://localhost:3000/',
  });
  const { page } = await openClient(t, client, { roles: ['oauth-client-read'] });
  await page.getByText("Your role doesn't allow you to change this client").waitFor();
  await page.getByText('PKCE protects each sign-in with a one-time secret').waitFor();
  await page.getByText('http://localhost:3000/ cannot be verified').waitFor();
  for (const name of ['Edit', 'Delete', 'Rotate secret', 'Make public', 'Restart verification']) {
    assert.equal(await page.getByText(name, { exact: true }).count(), 0, name);
  }
  await page.getByRole('link', { name: 'Try it' }).waitFor();
});

test('a warning about a record that is gone has its own way back', async (t) => {
  const client = await createVerified(server, dns, { client_name: 'Lost record' });
  await server.app.database.transaction(async (tx) => {
    await tx
      .updateTable('oauth_client_verifications')
      .set({ misses: 3 })
      .where('client_id', '=', client.id)
      .execute();
  });
  const { page } = await openClient(t, { client_id: client.id, client_name: 'Lost record' });
  await page.getByText('was missing in the last 3 daily look-ups').waitFor();
  await page.getByRole('link', { name: 'Restore the record' }).waitFor();
  await page.getByRole('button', { name: 'Look up again' }).click();
  await eventually('the warning is gone', async () => {
    const { client_uri_verification: now } = await readClient(server, client.id);
    return now.warning === undefined;
  });
});
