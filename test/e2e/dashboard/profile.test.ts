import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../oauth/client-bodies.ts';
import { authorize } from '../../support/authorizations.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import {
  checkAccessibility,
  checkFits,
  openDashboard,
  sessionCookies,
} from '../../support/dashboard.ts';
import { type SessionHeaders, createPerson, signInAs } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/18.1 Mobile/15E148 Safari/604.1';
const NARROW = { viewport: { width: 360, height: 740 } };

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

/** Signs a person in with another browser; answers what proves it. */
async function signInWith(email: string, userAgent: string): Promise<SessionHeaders> {
  const answer = await server.call('POST', '/user/sessions', {
    token: null,
    headers: { 'user-agent': userAgent },
    body: { email, password: PASSWORD },
  });
  assert.equal(answer.status, 200, answer.text);
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const cookie = cookies.find((pair) => pair.startsWith('latchkey_session='));
  return { cookie: cookie ?? '', 'x-csrf-token': String(answer.json.result.csrf_token) };
}

/** Waits for the message that something is done. */
function told(page: Page, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).waitFor();
}

test('a person changes their name, and a save that fails loses nothing', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, {
    path: '/profile',
    browser: NARROW,
  });
  await page.locator('main').getByText(person.email).waitFor();
  await checkFits(page);
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Hopper');
  await page.route('**/client/v4/user', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, body: 'out of order' })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('alert').getByText('The server answered with status 500').waitFor();
  assert.equal(await page.getByLabel('First name').inputValue(), 'Grace');
  // Nor does leaving lose it without a word.
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await page.unroute('**/client/v4/user');
  await page.getByRole('button', { name: 'Save name' }).click();
  await told(page, 'Saved your name');
  // What is changed after a save is as worth asking about.
  await page.getByLabel('First name').fill('G.');
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign-in and security' }).waitFor();
  await page.goBack();
  assert.equal(await page.getByLabel('First name').inputValue(), 'Grace');
});

test('a person ends sessions', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, {
    path: '/profile',
    password: PASSWORD,
  });
  const phone = await signInWith(person.email, PHONE);
  const script = await signInWith(person.email, 'curl/8.9.1');
  // Slow: it is announced. Broken: it says so, and can be tried again.
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isBroken = true;
  await page.route('**/client/v4/user/sessions', async (route) => {
    await isReleased;
    return isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue();
  });
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('status').getByText('Loading…').waitFor();
  release();
  await page.getByRole('heading', { name: 'Loading failed' }).waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row');
  await rows.nth(3).waitFor();
  assert.match((await rows.nth(1).textContent()) ?? '', /This session/);
  // One, with the keyboard.
  const end = page.getByRole('button', { name: 'End session: Safari on iPhone' });
  await end.focus();
  await page.keyboard.press('Enter');
  const one = page.getByRole('dialog', { name: 'End this session?' });
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await one.waitFor({ state: 'hidden' });
  await page.locator('button:focus').and(end).waitFor();
  await end.click();
  await one.getByRole('button', { name: 'End session' }).click();
  await rows.nth(3).waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  const refused = await server.call('GET', '/user', { token: null, headers: phone });
  assert.equal(refused.status, 401);
  // And the rest.
  await page.getByText('curl 8.9.1').waitFor();
  await page.getByRole('button', { name: 'End all others' }).click();
  const all = page.getByRole('dialog', { name: 'End all other sessions?' });
  await all.getByRole('button', { name: 'End all others' }).click();
  await told(page, 'Ended one session');
  assert.equal(await rows.count(), 2);
  assert.equal(await page.getByRole('button', { name: 'End all others' }).count(), 0);
  const gone = await server.call('GET', '/user', { token: null, headers: script });
  assert.equal(gone.status, 401);
});

test('a person takes back what an application may do', async (t) => {
  const { page, person, troubles } = await openDashboard(t, server, browser, {
    path: '/profile',
    browser: NARROW,
  });
  const name = 'Ledger Sync';
  const client = await createClient(server, {
    client_name: name,
    client_uri: 'https://ledger.example.com',
    scopes: ['tags.read', 'tags.write'],
  });
  await authorize(server, { userId: person.userId, clientId: client.client_id });
  await page.goto(`${server.origin}/profile/applications`);
  const card = page.getByRole('listitem').filter({ hasText: name });
  await card.getByText('See the tags of resources').waitFor();
  const text = (await card.textContent()) ?? '';
  for (const part of ['ledger.example.com', 'Not verified', 'First account', 'Tags Read']) {
    assert.ok(text.includes(part), part);
  }
  await checkFits(page);
  await card.getByRole('button', { name: `Revoke ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Revoke ${name}?` });
  // A refusal is told where one looks.
  await page.route('**/user/oauth_grants/*', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText('The server cannot be reached').waitFor();
  await page.unroute('**/user/oauth_grants/*');
  assert.deepEqual(troubles.splice(0), ['Failed to load resource: net::ERR_FAILED']);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'No authorized applications' }).waitFor();
  const session = await signInAs(server, person.userId);
  const left = await server.call('GET', '/user/oauth_grants', { token: null, headers: session });
  assert.deepEqual(left.json.result, []);
});

/** Invites somebody to a new account of that name. */
async function invite(email: string, account: string): Promise<void> {
  const host = await createPerson(server, {
    accountId: server.accountId,
    roles: ['super-administrator'],
  });
  const headers = await signInAs(server, host.userId);
  const options = { token: null, headers };
  const made = await server.call('POST', '/accounts', { ...options, body: { name: account } });
  const path = `/accounts/${made.json.result.id}`;
  const { json } = await server.call('GET', `${path}/roles`, options);
  const roles = json.result as { id: string; name: string }[];
  const role = roles.find(({ name }) => name === 'Tag Admin');
  const answer = await server.call('POST', `${path}/members`, {
    ...options,
    body: { email, roles: [role?.id] },
  });
  assert.equal(answer.status, 200, answer.text);
}

test('somebody without any account answers invitations', async (t) => {
  const email = 'newcomer@example.com';
  const person = await createPerson(server, { email, isEmailVerified: false });
  await invite(email, 'Blue Bottle');
  await invite(email, 'Red Barn');
  const { page, context } = await openDashboard(t, server, browser, { browser: NARROW });
  await context.addCookies(await sessionCookies(server, person.userId));
  await page.goto(server.origin);
  await page.getByRole('heading', { name: "You don't belong to an account yet" }).waitFor();
  await page.waitForURL('**/profile/accounts');
  await checkFits(page);
  await page.getByRole('button', { name: 'Accept Blue Bottle' }).click();
  await page.getByRole('alert').getByText('Your email address is not verified yet').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Decline Blue Bottle' }).click();
  const dialog = page.getByRole('dialog', { name: /^Decline the invitation/ });
  await dialog.getByRole('button', { name: 'Decline invitation' }).click();
  await page.getByRole('heading', { name: 'Blue Bottle' }).waitFor({ state: 'detached' });
  await server.app.database.transaction(async (tx) => {
    const now = { email_verified_at: Date.now() };
    await tx.updateTable('users').set(now).where('id', '=', person.userId).execute();
  });
  await page.getByRole('button', { name: 'Accept Red Barn' }).click();
  await told(page, 'You are now a member of Red Barn');
  await page.locator('main:focus').waitFor();
  await page.getByRole('link', { name: 'Open Red Barn' }).click();
  await page.waitForURL(/\/accounts\/[0-9a-f]{32}$/);
});

test('a person creates an account and leaves one', async (t) => {
  const { page } = await openDashboard(t, server, browser, { path: '/profile/accounts' });
  await page.getByRole('button', { name: 'Create account' }).click();
  const create = page.getByRole('dialog', { name: 'Create an account' });
  await create.getByRole('button', { name: 'Create account' }).click();
  await create.getByText('Enter a name.').waitFor();
  await checkAccessibility(page);
  await create.getByLabel('Name').fill('Green Door');
  await create.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/accounts\/[0-9a-f]{32}$/);
  await page.getByRole('button', { name: 'Account: Green Door' }).waitFor();
  await page.goBack();
  // Its only Super Administrator has to stay.
  await page.getByRole('button', { name: 'Leave Green Door' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave Green Door?' });
  await leave.getByText('If you are the last one').waitFor();
  await leave.getByRole('button', { name: 'Leave account' }).click();
  await leave.getByRole('alert').getByText('needs at least one Super Administrator').waitFor();
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave First account' }).click();
  const other = page.getByRole('dialog', { name: 'Leave First account?' });
  await other.getByRole('button', { name: 'Leave account' }).click();
  await told(page, 'You left First account');
  assert.equal(await page.getByRole('link', { name: 'Open First account' }).count(), 0);
  await page.locator('main:focus').waitFor();
});
