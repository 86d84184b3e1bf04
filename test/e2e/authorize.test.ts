import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createClient } from '../oauth/client-bodies.ts';
import { addAccount } from '../oauth/consent-form.ts';
import { createPkce, redeem } from '../support/authorizations.ts';
import { sharedBrowser, newContext } from '../support/chromium.ts';
import { startFileServer } from '../support/file-server.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"></svg>';
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänspatentverwaltung';
const SCOPE = 'openid profile email tags.read tags.write';

// One database will do: what is stored here is stored by tests without a browser on both.
let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite', { settings: { UPSTREAM_ALLOW: '127.0.0.1' } });
  browser = await sharedBrowser();
});
after(() => server.stop());

/** What a person with a browser and an application on their machine see. */
async function setUp(
  t: TestContext,
  options: BrowserContextOptions = {},
  fields: Record<string, unknown> = {},
) {
  const app = await startFileServer(t);
  const visits: { url: URL; headers: IncomingHttpHeaders }[] = [];
  app.answer = ({ url = '', headers }, response) => {
    if (url.startsWith('/logo')) {
      response.end(LOGO);
      return;
    }
    visits.push({ url: new URL(url, app.origin), headers });
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the app</h1>');
  };
  const { accountId } = server;
  const person = await createPerson(server, {
    accountId,
    roles: ['administrator'],
    password: PASSWORD,
  });
  const client = await createClient(server, {
    client_name: 'Ledger Sync',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    // The port is that of the moment (RFC 8252 section 7.3).
    redirect_uris: ['http://127.0.0.1/callback'],
    logo_uri: `${app.origin}/logo`,
    scopes: ['profile', 'email', 'tags.read', 'tags.write'],
    optional_scopes: ['email', 'tags.write'],
    ...fields,
  });
  const context = await newContext(browser, options);
  t.after(() => context.close());
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  const { verifier, challenge } = createPkce();
  const redirectUri = `${app.origin}/callback`;
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: 'a+b/c',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const url = `${server.origin}/oauth2/auth?${query.toString()}`;
  const redeemCode = (code: string): Promise<Json> =>
    redeem(server, client, code, { redirect_uri: redirectUri, code_verifier: verifier });
  return { app, visits, person, client, page, troubles, url, redeemCode };
}

/** Follows the application's link, and signs in. */
async function arrive(page: Page, url: string, email: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

/** Presses the tab key until the element has the focus, and it can be seen that it has. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const focused: string = await page.evaluate(
      `document.activeElement.id || document.activeElement.value || ''`,
    );
    if (focused !== id) continue;
    const style: string = await page.evaluate(
      `getComputedStyle(document.activeElement).outlineStyle`,
    );
    assert.notEqual(style, 'none');
    return;
  }
  assert.fail(`the tab key never comes to ${id}`);
}

test('a person signs in, picks, and lets an application in', async (t) => {
  const seen = await setUp(t);
  const { page, person, visits } = seen;
  const second = await addAccount(server, person.userId, 'Second account', {
    roles: ['administrator'],
  });
  await addAccount(server, person.userId, 'Guarded', { demandsSecondFactor: true });
  await arrive(page, seen.url, person.email);
  const heading = page.getByRole('heading', { level: 1 });
  assert.equal(await heading.textContent(), 'Allow Ledger Sync to access your account?');
  const accounts = page.getByRole('group', { name: 'Accounts to give access to' });
  assert.equal(await accounts.getByRole('checkbox').count(), 3);
  assert.ok(await accounts.getByRole('checkbox', { name: 'Guarded' }).isDisabled());
  const width: number = await page.evaluate(`document.querySelector('.app img').naturalWidth`);
  assert.equal(width, 96);
  // Nothing picked: the page comes again, and says so.
  await page.getByRole('checkbox', { name: 'view your email address' }).uncheck();
  await page.getByRole('button', { name: 'Approve' }).click();
  assert.equal(await page.getByRole('alert').textContent(), 'Select at least one account.');
  assert.ok(!(await page.getByRole('checkbox', { name: 'view your email' }).isChecked()));
  await page.getByRole('checkbox', { name: 'First account' }).check();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  const [visit] = visits;
  assert.equal(visits.length, 1);
  assert.equal(visit?.headers.referer, undefined);
  const answer = Object.fromEntries(visit?.url.searchParams ?? []);
  assert.deepEqual(Object.keys(answer).sort(), ['code', 'iss', 'state']);
  assert.deepEqual([answer.state, answer.iss], ['a+b/c', server.origin]);
  const { status, json, text } = await seen.redeemCode(answer.code ?? '');
  assert.equal(status, 200, text);
  const scopes = String(json.scope).split(' ');
  assert.deepEqual(scopes.sort(), ['openid', 'profile', 'tags.read', 'tags.write']);
  // What the person allowed, where the person allowed it.
  for (const [accountId, expected] of [
    [server.accountId, 200],
    [second, 403],
  ] as const) {
    const read = await server.call('GET', `/accounts/${accountId}/tags/keys`, {
      token: json.access_token,
    });
    assert.equal(read.status, expected, read.text);
  }
  assert.deepEqual(seen.troubles, [
    'Failed to load resource: the server responded with a status of 400 (Bad Request)',
  ]);
});

test('a person says no', async (t) => {
  const { page, person, url, visits } = await setUp(t);
  await arrive(page, url, person.email);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  const answer = Object.fromEntries(visits[0]?.url.searchParams ?? []);
  assert.deepEqual([answer.error, answer.code], ['access_denied', undefined]);
  assert.deepEqual([answer.state, answer.iss], ['a+b/c', server.origin]);
  // The way back leads to a page that says so, not to a second decision.
  await page.goBack();
  await page.getByRole('heading', { name: 'This page has expired' }).waitFor();
});

test('a stranger to a private application is told by a page', async (t) => {
  const { page, url, visits } = await setUp(t);
  const stranger = await createPerson(server, { password: PASSWORD });
  await page.goto(url);
  await page.getByLabel('Email address').fill(stranger.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'This application is private' }).waitFor();
  assert.equal(visits.length, 0);
});

test('somebody else can sign in instead', async (t) => {
  const { page, person, url, visits } = await setUp(t);
  const { accountId } = server;
  const other = await createPerson(server, { accountId, password: PASSWORD });
  await arrive(page, url, person.email);
  await page.getByRole('link', { name: 'Use another account' }).click();
  await page.getByLabel('Email address').fill(other.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(`You are signed in as ${other.email}`).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  assert.ok(visits[0]?.url.searchParams.has('code'));
});

test('on a phone nothing is cut off', async (t) => {
  const options = { viewport: { width: 360, height: 640 } };
  const seen = await setUp(t, options, {
    client_name: LONG,
    client_uri: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`,
    policy_uri: 'https://example.com/p',
    tos_uri: 'https://example.com/t',
  });
  const { page, person, url } = seen;
  await addAccount(server, person.userId, LONG);
  await addAccount(server, person.userId, `${LONG} ${LONG}`, { demandsSecondFactor: true });
  await arrive(page, url, person.email);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').waitFor();
  const width: number = await page.evaluate(`document.documentElement.scrollWidth`);
  assert.equal(width, 360);
});

test('without scripts', async (t) => {
  const { page, person, url, visits } = await setUp(t, { javaScriptEnabled: false });
  await arrive(page, url, person.email);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  assert.ok(visits[0]?.url.searchParams.has('code'));
});

test('with the keyboard alone', async (t) => {
  const { page, person, url, visits, redeemCode } = await setUp(t);
  const second = await addAccount(server, person.userId, 'Second account');
  await page.goto(url);
  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await tabTo(page, 'scope-tags.write');
  await page.keyboard.press('Space');
  await tabTo(page, `account-${second}`);
  await page.keyboard.press('Space');
  await tabTo(page, 'approve');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  const { json } = await redeemCode(visits[0]?.url.searchParams.get('code') ?? '');
  assert.deepEqual(String(json.scope).split(' ').sort(), [
    'email',
    'openid',
    'profile',
    'tags.read',
  ]);
  // The return key by itself lets nobody in.
  await page.goto(url);
  await tabTo(page, 'scope-email');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  assert.equal(visits[1]?.url.searchParams.get('error'), 'access_denied');
});

test('another site cannot put it into a frame', async (t) => {
  const { app, page, person, url, troubles } = await setUp(t);
  await arrive(page, url, person.email);
  const consentUrl = page.url();
  app.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<iframe src="${consentUrl}"></iframe>`);
  };
  // Another origin on the same host: the browser sends the cookies along.
  await page.goto(app.origin);
  const framed = page.frames().find((frame) => frame !== page.mainFrame());
  assert.equal(await framed?.getByRole('button').count(), 0);
  assert.match(troubles.join(), /frame-ancestors 'none'/);
});

test('an SVG logo is a download when it is opened, and shows on the page', async (t) => {
  const { app, client, page, url, person } = await setUp(t);
  assert.ok(app.origin);
  const logo = `${server.origin}/oauth2/clients/${client.client_id}/logo`;
  const downloading = page.waitForEvent('download');
  await assert.rejects(page.goto(logo), /Download is starting|ERR_ABORTED/);
  assert.equal((await downloading).suggestedFilename().split('.')[0], 'logo');
  await arrive(page, url, person.email);
  const width = await page.locator('img[src$="/logo"]').evaluate(async (element) => {
    const image = element as unknown as { naturalWidth: number; decode(): Promise<void> };
    // The page does not wait for its images.
    await image.decode();
    return image.naturalWidth;
  });
  assert.ok(width > 0, String(width));
});
