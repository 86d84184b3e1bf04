import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createClient } from '../../oauth/client-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import {
  type DashboardOptions,
  checkAccessibility,
  checkFits,
  openDashboard,
} from '../../support/dashboard.ts';
import { startFileServer } from '../../support/file-server.ts';
import { noteSecret } from '../../support/secrets-in-logs.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

async function openTryIt(t: TestContext, client: Json, options: DashboardOptions = {}) {
  const path = `${server.account}/oauth-clients/${client.client_id}/try`;
  const opened = await openDashboard(t, server, browser, { path, ...options });
  await opened.page.getByRole('heading', { level: 1, name: 'Try' }).waitFor();
  return opened;
}

/** Where an application waits for the answer. */
async function startApplication(t: TestContext): Promise<{ origin: string; port: string }> {
  const app = await startFileServer(t);
  app.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the app</h1>');
  };
  return { origin: app.origin, port: new URL(app.origin).port };
}

/** Follows the built address in a new tab, and answers where that leads. */
async function follow(
  page: Page,
  context: BrowserContext,
  decision: 'Approve' | 'Deny',
): Promise<string> {
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open in a new tab' }).click(),
  ]);
  await tab.getByRole('button', { name: decision }).click();
  await tab.getByRole('heading', { name: 'Back in the app' }).waitFor();
  const url = tab.url();
  await tab.close();
  return url;
}

/** Runs the command that the page shows, as whoever copies it does. */
async function runCommand(page: Page, secret = ''): Promise<Json> {
  const command = await page.getByRole('region', { name: 'token request' }).textContent();
  const answer: Json = JSON.parse(await runInShell(command ?? '', { CLIENT_SECRET: secret }));
  for (const name of ['access_token', 'refresh_token', 'id_token']) {
    if (answer[name] !== undefined) noteSecret(answer[name]);
  }
  return answer;
}

/** A client of which one can only try the second of its addresses. */
async function createTriable(method: string, redirectUri: string): Promise<Json> {
  return createClient(server, {
    client_name: "Ada's ledger",
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://app.example.com/cb', redirectUri],
    scopes: ['profile', 'tags.read', 'tags.write'],
  });
}

test('from the address to the tokens: with a secret, in the header and in the body', async (t) => {
  const app = await startApplication(t);
  const redirectUri = `${app.origin}/it's?a=1&b=2`;
  const basic = await createTriable('client_secret_basic', redirectUri);
  const post = await createTriable('client_secret_post', redirectUri);
  const { page, context } = await openTryIt(t, basic);
  for (const client of [basic, post]) {
    await page.goto(`${server.origin}${server.account}/oauth-clients/${client.client_id}/try`);
    await page.getByLabel('Redirect URI').selectOption(redirectUri);
    const url = await follow(page, context, 'Approve');
    await page.getByLabel('URL after the redirect').fill(url);
    const tokens = await runCommand(page, client.client_secret);
    assert.match(tokens.access_token ?? JSON.stringify(tokens), /^lkoat_/);
  }
});

test('from the address to the tokens: without a secret', async (t) => {
  const app = await startApplication(t);
  const client = await createTriable('none', "http://127.0.0.1/it's?a=1&b=2");
  const { page, context } = await openTryIt(t, client);
  await page.getByLabel('Redirect URI').selectOption(client.redirect_uris[1]);
  await page.getByLabel('Port').fill(app.port);
  await page.getByRole('checkbox', { name: 'tags.write' }).uncheck();
  const answer = page.getByLabel('URL after the redirect');

  const denied = await follow(page, context, 'Deny');
  await answer.fill(denied);
  await page.getByText('The user denied the request.').waitFor();
  assert.equal(await page.getByText('Redeem the code', { exact: true }).count(), 0);

  // The way there and back may lead through this very tab.
  await page.reload();
  const approved = await follow(page, context, 'Approve');
  await answer.fill(approved);
  await page.getByText('Matches the state of the request above').waitFor();
  await checkAccessibility(page);
  const tokens = await runCommand(page);
  assert.match(tokens.access_token ?? JSON.stringify(tokens), /^lkoat_/);
  const scopes = String(tokens.scope).split(' ');
  assert.deepEqual(scopes.sort(), ['offline_access', 'openid', 'profile', 'tags.read']);
  // A code works once.
  assert.equal((await runCommand(page)).error, 'invalid_grant');

  // The answer to another request is none to this one.
  await page.getByRole('button', { name: 'Generate new values' }).click();
  await page.getByText('The application must not accept this response').first().waitFor();
  assert.equal(await page.getByText('Redeem the code', { exact: true }).count(), 0);
});

test('answers that an application must not take', async (t) => {
  const client = await createClient(server, { client_name: 'Careful' });
  const { page } = await openTryIt(t, client);
  const [redirectUri = ''] = client.redirect_uris;
  const answer = page.getByLabel('URL after the redirect');
  const state: string = await page.evaluate(`JSON.parse(Object.values(sessionStorage)[0]).state`);
  const iss = encodeURIComponent(server.origin);
  for (const [address, words] of [
    ['nonsense', 'This is not a URL'],
    [`${server.origin}/oauth2/consent?transaction=x`, 'This URL is a page of this server'],
    [`${redirectUri}?state=${state}&iss=${iss}`, 'neither a code nor an error'],
    [`${redirectUri}?code=c&iss=${iss}`, 'The state is missing. The application must not'],
    [`${redirectUri}?code=c&state=${state}`, `it must be ${server.origin}`],
    [`${redirectUri}?code=c&state=${state}&iss=https://x.example`, 'Not this server'],
    [`https://x.example/?code=c&state=${state}&iss=${iss}`, 'Not the redirect URI'],
    [`${redirectUri}?code=c&code=d&state=${state}&iss=${iss}`, 'Duplicate parameter'],
    [`${redirectUri}?error=invalid_scope&state=${state}&iss=${iss}`, 'not registered for it'],
  ] as const) {
    await answer.fill(address);
    await page.getByText(words).waitFor();
    assert.equal(await page.getByText('Redeem the code', { exact: true }).count(), 0, address);
  }
  await answer.fill(`${redirectUri}?code=c&state=${state}&iss=${iss}`);
  await page.getByText('Redeem the code', { exact: true }).waitFor();
});

test('what is wrong with an address, on a phone', async (t) => {
  const client = await createClient(server, { client_name: 'Checked', scopes: ['tags.read'] });
  const { page } = await openTryIt(t, client, {
    roles: ['oauth-client-read'],
    browser: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  });
  const box = page.getByLabel('Authorization URL to check');
  const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  const good = await page.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href');
  await box.fill(good ?? '');
  await page.getByText('This URL works').waitFor();
  assert.equal(await findings.count(), 0);

  const wrong = new URL(good ?? '');
  wrong.searchParams.set('redirect_uri', 'https://app.example.com/callbacks');
  wrong.searchParams.set('scope', 'openid tags:read');
  wrong.searchParams.set('code_challenge_method', 'plain');
  wrong.searchParams.delete('state');
  await box.fill(wrong.href);
  await page.getByText('3 errors').waitFor();
  await page.getByText("doesn't redirect").waitFor();
  const [redirect, method, scope, state] = await findings.allTextContents();
  assert.match(
    redirect ?? '',
    /Error.*doesn't exactly match.*Registeredhttps:\/\/app\.example\.com/,
  );
  assert.equal(await findings.first().locator('mark').textContent(), 's');
  assert.match(method ?? '', /plain/);
  assert.match(scope ?? '', /Write tags\.read/);
  assert.match(state ?? '', /^Advice/);
  await checkAccessibility(page);
  await checkFits(page);
  wrong.searchParams.set('redirect_uri', 'https://app.example.com/callback');
  await box.fill(wrong.href);
  await page.getByText('error=invalid_request').waitFor();
  await box.fill(wrong.href.replace('/oauth2/auth', '/oauth2/authorize'));
  await page.getByText("doesn't reach the authorization endpoint").waitFor();
});
