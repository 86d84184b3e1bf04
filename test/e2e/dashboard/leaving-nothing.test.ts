import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/chromium.ts';
import { checkAccessibility, openDashboard, sessionCookies } from '../../support/dashboard.ts';
import { createPerson } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const PASSWORD = 'blue kettle on the roof';
const STORED = `Object.entries(sessionStorage).filter(([key]) => key !== 'latchkey:person')`;

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await launchBrowser();
});
after(() => server.stop());
after(() => browser.close());

function application(page: Page) {
  return page.getByRole('radio', { name: 'Web application with a server' });
}

/** Fills in what this tab keeps until it is sent. */
async function beginClient(page: Page): Promise<void> {
  await application(page).check();
  await page.waitForFunction(`${STORED}.length > 0`);
}

/** As browsers do that show a page again which they have kept as it was. */
async function showAgain(page: Page): Promise<void> {
  await page.evaluate(
    `setTimeout(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))`,
  );
}

test('who comes after a person in the same tab finds nothing of that person', async (t) => {
  const path = `/accounts/${server.accountId}/oauth-clients/new`;
  const { page, context } = await openDashboard(t, server, browser, { path, firstName: 'Ada' });
  const other = await createPerson(server, {
    accountId: server.accountId,
    roles: ['super-administrator'],
  });
  await beginClient(page);
  await page.reload();
  await application(page).waitFor();
  assert.equal(await application(page).isChecked(), true);

  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  assert.deepEqual(await page.evaluate(`Object.keys(sessionStorage)`), []);
  await page.goBack();
  await page.waitForURL('**/login?return_to=**');

  // Somebody who did not sign out, and somebody else who signs in.
  await context.addCookies(await sessionCookies(server, other.userId));
  await page.goto(server.origin + path);
  await beginClient(page);
  const next = await createPerson(server, {
    accountId: server.accountId,
    roles: ['super-administrator'],
  });
  await context.addCookies(await sessionCookies(server, next.userId));
  await page.goto(server.origin + path);
  await application(page).waitFor();
  assert.equal(await application(page).isChecked(), false);
});

test('a page that the browser has kept is shown again to whoever it belongs to', async (t) => {
  const { page, context } = await openDashboard(t, server, browser, { path: '/profile' });
  const name = page.getByLabel('First name');
  await name.fill('Augusta');
  await showAgain(page);
  assert.equal(await name.inputValue(), 'Augusta');
  await context.clearCookies();
  await showAgain(page);
  await page.waitForURL('**/login?return_to=%2Fprofile');
});

test('half a session is mended by signing in again', async (t) => {
  const { page, context, person } = await openDashboard(t, server, browser, {
    path: '/profile',
    password: PASSWORD,
  });
  // A browser that tells pages nothing about cookies.
  await page.addInitScript(`Object.defineProperty(window, 'cookieStore', { value: undefined })`);
  await page.reload();
  const name = page.getByLabel('First name');
  await name.fill('Augusta');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  for (const cookie of ['', 'made-up']) {
    await context.clearCookies({ name: 'latchkey_csrf' });
    const { hostname: domain } = new URL(server.origin);
    if (cookie !== '') {
      await context.addCookies([{ name: 'latchkey_csrf', value: cookie, domain, path: '/' }]);
    }
    await page.getByRole('button', { name: 'Save name' }).click();
    await dialog.waitFor();
    await checkAccessibility(page);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), 'Augusta');
    await page.getByText('Saved your name').first().waitFor();
    await name.fill('Ada');
    await name.fill('Augusta');
  }

  await context.clearCookies({ name: 'latchkey_csrf' });
  await page.goto(`${server.origin}/profile/sessions`);
  await page.waitForURL('**/login?return_to=%2Fprofile%2Fsessions&prompt=login');
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${server.origin}/profile/sessions`);
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
});

test('a right that is lost in the middle takes nothing that was typed, and the next page knows', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser, {
    path: `/accounts/${server.accountId}/settings`,
    roles: ['administrator'],
  });
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Analytical Engines');
  const roles = (await server.call('GET', `${server.account}/roles`)).json.result;
  const { id } = roles.find((role: { name: string }) => role.name === 'Member');
  const body = { roles: [{ id }] };
  const lost = await server.call('PUT', `${server.account}/members/${person.memberId}`, { body });
  assert.equal(lost.status, 200, lost.text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Account Settings Write' }).waitFor();
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  assert.equal(await name.inputValue(), 'Analytical Engines');
  const places = page.getByRole('navigation', { name: 'Main' });
  await places.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`**${account}`);
  await places.getByRole('link', { name: 'Settings' }).click();
  await page.getByText(/Your role doesn't allow you to/).waitFor();
});
