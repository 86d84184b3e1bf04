import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { callAs, codeAt, wrongCodeAt } from '../../support/authenticator-app.ts';
import { addAuthenticator, sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { signInAs } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green bicycles';
const PATH = '/profile/security';

const clock = new ManualClock(Date.now());
let server: TestServer;
let browser: Browser;
before(async () => {
  // Passkeys need a name.
  server = await bootServer('sqlite', { clock, settings: { HOST: 'localhost' } });
  browser = await sharedBrowser();
});
after(() => server.stop());

/** What is written in the list at the top about one matter. */
function fact(page: Page, name: string) {
  return page.locator('dt', { hasText: name }).locator('+ dd');
}

test('a new password', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, {
    path: PATH,
    password: PASSWORD,
  });
  const elsewhere = await signInAs(server, person.userId, clock);
  const current = page.getByLabel('Current password');
  const next = page.getByLabel('New password');
  const save = page.getByRole('button', { name: 'Change password' });
  await save.click();
  await page.getByText('Enter your current password.').waitFor();
  await next.fill('short');
  await page.getByText('7 more characters.').waitFor();
  await current.fill(PASSWORD);
  await save.click();
  await page.getByText('use at least 12 characters').waitFor();
  await next.and(page.locator(':focus')).waitFor();
  await current.fill('red kettle on the roof');
  await next.fill(NEW_PASSWORD);
  await page.getByText('Long enough.').waitFor();
  await save.click();
  await page.getByText('The password is wrong').waitFor();
  // What was filled in stays, and leaving the page asks first.
  assert.equal(await next.inputValue(), NEW_PASSWORD);
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await current.fill(PASSWORD);
  await save.click();
  await page
    .getByText('Changed your password and ended your other sessions', { exact: true })
    .waitFor();
  assert.deepEqual([await current.inputValue(), await next.inputValue()], ['', '']);
  assert.equal((await callAs(server, elsewhere, 'GET', '/user')).status, 401);
  // This session goes on, although the server has replaced it.
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await page.waitForURL('**/profile');
  await page.goBack();
  await current.waitFor();
});

test('an authenticator app, from the code to scan until it is removed', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: PATH,
    password: PASSWORD,
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByText('Add a second factor').waitFor();
  await fact(page, 'Second factor').getByText('Off').waitFor();
  await page.getByRole('button', { name: 'Set up app' }).click();
  const setup = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await setup.getByRole('img', { name: 'QR code with the key' }).waitFor();
  await checkAccessibility(page);
  await checkFits(page);
  const secret = (await setup.locator('code').textContent()) ?? '';
  const code = setup.getByLabel('Code from the app');
  await code.fill(wrongCodeAt(secret, clock.now()));
  await page.keyboard.press('Enter');
  await setup.getByText('This is not the current code of your authenticator app').waitFor();
  // As apps show it.
  await code.fill(codeAt(secret, clock.now()).replace(/^.../, '$& '));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const shown = await codes.allTextContents();
  assert.equal(shown.length, 10);
  await checkAccessibility(page);
  await checkFits(page);
  // They are gone only when the person says so.
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as a text file' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  assert.equal(file.suggestedFilename(), 'latchkey-recovery-codes.txt');
  assert.deepEqual(text.trim().split('\n').slice(-10), shown);
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await fact(page, 'Second factor')
    .getByText('authenticator app; 10 recovery codes left')
    .waitFor();
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog', { name: 'Your new recovery codes' }).waitFor();
  const renewed = await codes.allTextContents();
  assert.ok(!renewed.includes(shown[0] ?? ''));
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await page.getByRole('button', { name: 'Remove app' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the authenticator app?' });
  await removal.getByText('This is your last second factor').waitFor();
  await removal.getByRole('button', { name: 'Remove app' }).click();
  await fact(page, 'Second factor').getByText('Off').waitFor();
  await page.getByRole('button', { name: 'Set up app' }).and(page.locator(':focus')).waitFor();
});

test('passkeys: add, rename, remove', async (t) => {
  const { page } = await openDashboard(t, server, browser, { path: PATH, password: PASSWORD });
  const authenticator = await addAuthenticator(page);
  const add = page.getByRole('button', { name: 'Add passkey' });
  // The person does not unlock it.
  await authenticator.setUserVerified(false);
  await add.click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('Work laptop');
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  await adding.getByText('The browser created no passkey. Try again.').waitFor();
  await authenticator.setUserVerified(true);
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await fact(page, 'Second factor').getByText('one passkey; 10 recovery codes left').waitFor();
  // The same device makes no second one.
  await add.click();
  await adding.getByLabel('Name').fill('Again');
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  await adding.getByText('This device already has a passkey for you.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave' }).click();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await list.getByRole('button', { name: 'Passkey Work laptop' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
  await page.keyboard.press('Enter');
  const row = list.getByRole('button', { name: 'Passkey Old laptop' });
  await row.and(page.locator(':focus')).waitFor();
  await row.click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the passkey Old laptop?' });
  await removal.getByText('This is your last second factor').waitFor();
  await removal.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();
  await checkAccessibility(page);
});

test('a person without a password is told of the ways there are', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, { path: PATH });
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  const link = page.getByRole('link', { name: 'Request a link to set a password' });
  const target = await link.getAttribute('href');
  assert.equal(target, `/forgot-password?login_hint=${encodeURIComponent(person.email)}`);
  clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Set up app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('You have no password here').waitFor();
  const elsewhere = dialog.getByRole('link', { name: 'Use another sign-in method' });
  assert.match((await elsewhere.getAttribute('href')) ?? '', /^\/login\?prompt=login&/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').getByText('Sign in again to do this.').waitFor();
});
