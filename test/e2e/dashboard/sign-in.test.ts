import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { endSessions } from '../../../src/iam/sessions/end-sessions.ts';
import { STEP_MS, callAs, codeAt } from '../../support/authenticator-app.ts';
import {
  addAuthenticator,
  createCredential,
  sharedBrowser,
  newContext,
} from '../../support/chromium.ts';
import {
  checkAccessibility,
  checkFits,
  openDashboard,
  watchTroubles,
} from '../../support/dashboard.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createPerson, signInAs } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green bicycles';
const CHANGED = 'Changed your password and ended your other sessions';
const SECURITY = '/profile/security';
const MINUTE_MS = 60_000;

const clock = new ManualClock(Date.now());
let server: TestServer;
let browser: Browser;
before(async () => {
  // Passkeys need a name.
  server = await bootServer('sqlite', { clock, settings: { HOST: 'localhost' } });
  browser = await sharedBrowser();
});
after(() => server.stop());

/** Sets up an app for a person; answers what it shows next, and a recovery code. */
async function setUpApp(userId: string) {
  const session = await signInAs(server, userId, clock);
  const { secret } = (await callAs(server, session, 'POST', '/user/totp')).json.result;
  const code = codeAt(secret, clock.now());
  const { json } = await callAs(server, session, 'PUT', '/user/totp', { code });
  const nextCode = (): string => {
    clock.advance(STEP_MS);
    return codeAt(secret, clock.now());
  };
  return { nextCode, recoveryCode: json.result.recovery_codes[0] as string };
}

/** Ends all sessions of a person, as an administrator of the installation does. */
async function endSessionsOf(userId: string): Promise<void> {
  await server.app.database.transaction((tx, announce) => endSessions({ tx, announce }, userId));
}

async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

/** The dashboard of Ada, on the page about sign-in, with a change of the password filled in. */
async function beginToWork(t: TestContext, options: Parameters<typeof openDashboard>[3] = {}) {
  const open = await openDashboard(t, server, browser, {
    path: SECURITY,
    password: PASSWORD,
    firstName: 'Ada',
    ...options,
  });
  await fillWork(open.page);
  return open;
}

async function fillWork(page: Page): Promise<void> {
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
}

async function checkWorkIsThere(page: Page): Promise<void> {
  assert.equal(await page.getByLabel('Current password').inputValue(), PASSWORD);
  assert.equal(await page.getByLabel('New password').inputValue(), NEW_PASSWORD);
}

test('a link to a page leads to it by way of the sign-in', async (t) => {
  const { accountId } = server;
  const { userId, email } = await createPerson(server, {
    accountId,
    password: PASSWORD,
    firstName: 'Ada',
  });
  const { nextCode } = await setUpApp(userId);
  const context = await newContext(browser);
  t.after(() => context.close());
  const page = await context.newPage();
  const troubles = watchTroubles(page);
  const deep = `${server.origin}/profile/security?from=mail`;
  await page.goto(deep);
  await page.waitForURL('**/login?return_to=**');
  await fillSignIn(page, email, 'red kettle on the roof');
  await page.getByRole('alert').getByText('Wrong email address or password.').waitFor();
  await fillSignIn(page, email);
  await page.getByLabel('Six-digit code').fill(nextCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Sign-in and security').waitFor();
  assert.equal(page.url(), deep);
  await page.getByText('Started with password and authenticator app').waitFor();
  // The same with a passkey, in one step.
  await addAuthenticator(page);
  const session = await signInAs(server, userId, clock);
  const begun = await callAs(server, session, 'POST', '/user/passkeys/options');
  const { state, options } = begun.json.result;
  const response = await createCredential(page, options);
  await callAs(server, session, 'POST', '/user/passkeys', { state, name: 'phone', response });
  // A click on "Sign out" would open the sign-in page, where the virtual authenticator accepts at once.
  await context.clearCookies();
  // The email field offers the passkey.
  await page.goto(deep);
  await heading(page, 'Sign-in and security').waitFor();
  assert.equal(page.url(), deep);
  await page.getByText('Started with passkey').waitFor();
  assert.deepEqual(troubles, []);
});

test('the session ends in mid-work, and the work goes on', async (t) => {
  const { page, person } = await beginToWork(t, {
    browser: { viewport: { width: 360, height: 640 } },
  });
  await endSessionsOf(person.userId);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
  await checkAccessibility(page);
  await checkFits(page);
  // Nothing but an answer closes it.
  await page.keyboard.press('Escape');
  await page.keyboard.type('red kettle on the roof');
  await page.keyboard.press('Enter');
  await dialog.getByText('Incorrect password. Try again.').waitFor();
  // What was wrong is selected.
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(CHANGED, { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  const body = { email: person.email, password: NEW_PASSWORD };
  const { status } = await server.call('POST', '/user/sessions', { token: null, body });
  assert.equal(status, 200);
});

test('it ends while a dialog is open, and a second factor is asked for', async (t) => {
  const { page, person } = await beginToWork(t);
  const { recoveryCode } = await setUpApp(person.userId);
  // The first factor has ended the session that was there.
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Work laptop');
  await addAuthenticator(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  // Who takes too long begins again.
  await dialog.getByLabel('Code of your authenticator app').fill('123456');
  clock.advance(11 * MINUTE_MS);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Start over.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Code of your authenticator app').fill('123');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog
    .getByLabel('Code of your authenticator app')
    .and(page.locator('[aria-invalid]'))
    .waitFor();
  await dialog.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await dialog.getByLabel('Recovery code').and(page.locator(':focus')).waitFor();
  await checkAccessibility(page);
  await page.keyboard.type(recoveryCode);
  await page.keyboard.press('Enter');
  // The request that waited has gone on: the passkey is there.
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop').waitFor();
  await checkWorkIsThere(page);
  // Now with the passkey alone.
  await endSessionsOf(person.userId);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  // It is a fresh proof, too.
  clock.advance(16 * MINUTE_MS);
  await page.getByRole('button', { name: 'Passkey Work laptop' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' });
  await confirmation.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();
  await checkWorkIsThere(page);
});

test('what another tab does to the session is seen here', async (t) => {
  const { page, context, person, troubles } = await beginToWork(t);
  const other = await createPerson(server, {
    accountId: server.accountId,
    password: PASSWORD,
    firstName: 'Ada',
  });
  // A browser that tells pages nothing about cookies.
  const late = await context.newPage();
  await late.addInitScript(`Object.defineProperty(window, 'cookieStore', { value: undefined })`);
  const changes: string[] = [];
  late.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(new URL(request.url()).pathname);
  });
  await late.goto(server.origin + SECURITY);
  await fillWork(late);
  const tab = await context.newPage();
  await tab.goto(server.origin + SECURITY);
  await signOut(tab);
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.waitFor();
  // The person comes back there: nothing has to be done here.
  await fillSignIn(tab, person.email);
  await tab.waitForURL('**/accounts/**');
  await ended.waitFor({ state: 'detached' });
  await checkWorkIsThere(page);
  // Somebody else comes.
  await signOut(tab);
  await fillSignIn(tab, other.email);
  await tab.waitForURL('**/accounts/**');
  const stranger = { name: 'Another user has signed in' };
  await page.getByRole('dialog', stranger).waitFor();
  await page.getByText(`This browser is now signed in as ${other.email}`).waitFor();
  await checkAccessibility(page);
  // What was filled in is not sent as that person, only as who has filled it in.
  await late.getByRole('button', { name: 'Change password' }).click();
  await late.getByRole('dialog', stranger).waitFor();
  assert.deepEqual(changes, []);
  await late
    .getByRole('dialog')
    .getByLabel('Password', { exact: true })
    .and(late.locator(':focus'))
    .waitFor();
  await late.keyboard.type(PASSWORD);
  await late.keyboard.press('Enter');
  await late.getByText(CHANGED, { exact: true }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await checkWorkIsThere(page);
  // Somebody else, who goes on here: with nothing of what was filled in.
  await tab.goto(`${server.origin}/login?prompt=login`);
  await fillSignIn(tab, other.email);
  await page.getByRole('button', { name: `continue as ${other.email}` }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByText(other.email).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByLabel('Current password').inputValue(), '');
  // The sign-in page is a way out, too.
  await fillWork(page);
  await endSessionsOf(other.userId);
  await page.getByRole('button', { name: 'Change password' }).click();
  await ended.getByRole('button', { name: 'leave for the sign-in page' }).click();
  await page.waitForURL('**/login?return_to=**');
  await fillSignIn(page, person.email, NEW_PASSWORD);
  await page.waitForURL(server.origin + SECURITY);
  await heading(page, 'Sign-in and security').waitFor();
  assert.deepEqual(troubles, []);
});

test('what guards the account takes a fresh proof', async (t) => {
  const { page, context, person } = await beginToWork(t);
  clock.advance(16 * MINUTE_MS);
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  const begin = page.getByRole('button', { name: 'Set up app' });
  // Who turns away is told what the server says.
  await begin.click();
  await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('Sign in again to do this.').waitFor();
  await begin.click();
  await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('red kettle on the roof');
  await page.keyboard.press('Enter');
  await dialog.getByText('Incorrect password. Try again.').waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const secret = await page.getByRole('dialog').locator('code').textContent();
  await page.getByLabel('Code from the app').fill(codeAt(secret ?? '', clock.now()));
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  // With a second factor, that is asked for too.
  clock.advance(16 * MINUTE_MS);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  const renewal = page.getByRole('dialog', { name: 'Generate new recovery codes?' });
  await renewal.getByRole('button', { name: 'Generate new codes' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Code of your').fill(codeAt(secret ?? '', clock.now()));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await codes.waitFor();
  assert.equal(await codes.getByRole('listitem').count(), 10);
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  // In another way, which is in another tab: here it goes on separately.
  clock.advance(16 * MINUTE_MS);
  await page.getByRole('button', { name: 'Remove app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove app' }).click();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Use another sign-in method' }).click(),
  ]);
  assert.equal(await tab.getByLabel('Email address').inputValue(), person.email);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tab.getByLabel('Six-digit code').fill(codeAt(secret ?? '', clock.now()));
  await tab.getByRole('button', { name: 'Continue' }).click();
  await tab.getByText('Close this tab').waitFor();
  await page.getByText('Removed the authenticator app', { exact: true }).waitFor();
  await checkWorkIsThere(page);
});
