import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const SESSIONS = '**/client/v4/user/sessions*';
const OWN_NAME = '**/client/v4/user';
const NARROW = { viewport: { width: 360, height: 500 } };

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

const open = (t: TestContext, options: Parameters<typeof openDashboard>[3] = {}) =>
  openDashboard(t, server, browser, { path: '/profile', ...options });

function place(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}

function title(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

function question(page: Page) {
  return page.getByRole('dialog', { name: 'Leave without saving?' });
}

/** Takes from the complaints of the browser those that the test has brought about. */
function expectTroubles(troubles: string[], expected: RegExp): void {
  const others = troubles.filter((trouble) => !expected.test(trouble));
  troubles.splice(0, troubles.length, ...others);
}

/** What has the focus, told by its id or its label. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(
    `(({ id, ariaLabel, textContent }) => id || ariaLabel || textContent)(document.activeElement)`,
  );
}

test('a slow answer is waited for in sight, a failed one can be asked for again', async (t) => {
  const { page } = await open(t);
  await title(page, 'Profile').waitFor();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let attempts = 0;
  await page.route(SESSIONS, async (route) => {
    attempts++;
    await isReleased;
    await route.fulfill({ status: 503, body: 'the proxy is alone' });
  });
  await place(page, 'Sessions').click();
  await page.getByText('Loading…').first().waitFor();
  release();
  // Reading is tried again by itself, but not for long.
  await page.getByText('The server answered with status 503.').waitFor();
  assert.equal(attempts, 3);
  await checkAccessibility(page);
  await page.unroute(SESSIONS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await title(page, 'Sessions').waitFor();
  await page.getByText('Loading failed').waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'main');
});

test('without the server at the start, the start can be tried again', async (t) => {
  const { page } = await open(t);
  await title(page, 'Profile').waitFor();
  const answer = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
  await page.route(OWN_NAME, (route) => route.fulfill(answer));
  await page.reload();
  await title(page, 'Loading failed').waitFor();
  await checkAccessibility(page);
  await page.unroute(OWN_NAME);
  await page.getByRole('button', { name: 'Try again' }).click();
  await title(page, 'Profile').waitFor();
});

test('a lost answer: nothing typed is lost, and trying again creates one thing', async (t) => {
  const { page, troubles } = await open(t, { path: '/profile/accounts' });
  await page.getByRole('button', { name: 'Create account' }).first().click();
  await page.getByLabel('Name').fill('Analytical Engines');
  const accounts: string[] = [];
  let attempts = 0;
  await page.route('**/client/v4/accounts', async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    const { result } = (await response.json()) as { result: { id: string } };
    accounts.push(result.id);
    attempts++;
    return attempts === 1 ? route.abort() : route.fulfill({ response });
  });
  const create = page.getByRole('button', { name: 'Create account' });
  await create.click();
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Analytical Engines');
  // What creates something is never sent again separately.
  assert.equal(attempts, 1);
  await create.dblclick();
  // It leads on without asking about what is saved.
  await page.waitForURL(`**/accounts/${accounts[0]}`);
  assert.deepEqual(accounts, [accounts[0], accounts[0]]);
  expectTroubles(troubles, /ERR_FAILED/);
});

test('leaving asks about what is not saved, whichever way', async (t) => {
  const { page } = await open(t, { path: '/profile/sessions' });
  await place(page, 'Profile').click();
  const name = page.getByLabel('First name');
  await name.fill('Augusta');
  await place(page, 'Sessions').click();
  await question(page).waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.goBack();
  await question(page).waitFor();
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, '/profile');
  assert.equal(await name.inputValue(), 'Augusta');
  // To skip to the page is not to leave it.
  await page.getByText('Skip to main content').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'main');

  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Saved your name').first().waitFor();
  await place(page, 'Sessions').click();
  await title(page, 'Sessions').waitFor();
  await page.goBack();
  // What is changed after something was saved is not saved again.
  await name.fill('Ada');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('button', { name: 'Save name', disabled: false }).waitFor();
  await name.fill('Nobody');
  await page.goBack();
  await question(page).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await title(page, 'Sessions').waitFor();
  await page.goForward();
  await title(page, 'Profile').waitFor();
  assert.notEqual(await name.inputValue(), 'Nobody');
});

test('an open tab survives an update that takes its files away', async (t) => {
  const { page, troubles } = await open(t);
  await title(page, 'Profile').waitFor();
  let isGone = true;
  let loads = 0;
  page.on('load', () => loads++);
  await page.route('**/dashboard/sessions-*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await place(page, 'Sessions').click();
  // It has loaded everything anew, and then goes on trying no more.
  await page.getByText('possibly because the server was updated.').waitFor();
  assert.equal(loads, 1);
  await place(page, 'Profile').click();
  await title(page, 'Profile').waitFor();
  await place(page, 'Sessions').click();
  await page.getByText('possibly because the server was updated.').waitFor();
  isGone = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await title(page, 'Sessions').waitFor();
  assert.equal(loads, 2);

  // Without any server the page that is open stays.
  await page.route('**/*', (route) => route.abort());
  await place(page, 'Profile').click();
  await place(page, 'Your accounts').click();
  await page.getByText('The server cannot be reached.').waitFor();
  assert.equal(loads, 2);
  await page.keyboard.press('Control+k');
  await page.getByText('The search could not be loaded.').first().waitFor();
  expectTroubles(troubles, /ERR_FAILED|Failed to fetch dynamically imported module/);
});

test('by keyboard in a narrow window', async (t) => {
  const { page } = await open(t, { browser: NARROW });
  await title(page, 'Profile').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'main');
  const menu = page.getByRole('button', { name: 'Menu' });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await menu.press('Enter');
  await drawer.waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'Menu');
  await menu.press('Enter');
  await place(page, 'Sessions').press('Enter');
  await title(page, 'Sessions').waitFor();
  await drawer.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'main');
  await checkFits(page);
  // It does not open again by itself where it was open before.
  await page.goBack();
  await title(page, 'Profile').waitFor();
  assert.equal(await drawer.count(), 0);
  await menu.press('Enter');
  await drawer.getByRole('button', { name: 'Search' }).press('Enter');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await menu.and(page.locator(':focus')).waitFor();
});

test('nothing that opens breaks the policy of the page, and each gives the focus back', async (t) => {
  const { page, person } = await open(t, { path: '/profile/accounts' });
  await page.evaluate(
    `document.addEventListener('securitypolicyviolation', (e) => console.error(e.blockedURI))`,
  );
  const you = page.getByRole('button', { name: person.email }).first();
  await you.click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  assert.equal(await page.evaluate(`document.documentElement.dataset.theme`), 'dark');
  await page.reload();
  assert.equal(await page.evaluate(`document.documentElement.dataset.theme`), 'dark');
  const create = page.getByRole('button', { name: 'Create account' }).first();
  await create.click();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await create.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await create.and(page.locator(':focus')).waitFor();
});
