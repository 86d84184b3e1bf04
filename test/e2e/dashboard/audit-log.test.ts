import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { clientBody } from '../../oauth/client-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { signInAs } from '../../support/people.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

/** Calls the API as a person does whose session it is. */
async function callerOf(userId: string) {
  const headers = await signInAs(server, userId);
  return async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await server.call(method, path, { token: null, headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  };
}

function entries(page: Page) {
  return page.getByRole('table', { name: 'Entries, newest first' }).getByRole('row');
}

/** Waits until the log has so many entries; the first row is that of the titles. */
async function shown(page: Page, count: number): Promise<void> {
  await page.getByRole('status').getByText(`${count} entries, newest first`).waitFor();
  assert.equal(await entries(page).count(), count + 1);
}

test('somebody finds out what was changed, by filters that the way back goes through', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser);
  const call = await callerOf(person.userId);
  const clients = `${account}/oauth_clients`;
  const scopes = ['tags.read', 'tags.write'];
  const client = await call('POST', clients, clientBody({ client_name: 'Ledger', scopes }));
  const ofClient = `${clients}/${client.client_id}`;
  await call('PATCH', ofClient, {
    client_name: 'Ledger Sync',
    scopes: ['tags.read', 'members.read'],
    policy_uri: 'https://ledger.example.com/privacy',
  });
  await call('POST', `${ofClient}/rotate_secret`);
  await page
    .getByRole('list', { name: 'Account' })
    .getByRole('link', { name: 'Audit log' })
    .click();
  // With what the first start has written.
  await shown(page, 4);
  assert.match((await entries(page).nth(1).textContent()) ?? '', /Rotated the secret/);
  // One filter after another.
  const category = page.getByLabel('Area');
  await category.selectOption({ label: 'Developer platform' });
  await shown(page, 3);
  await page.getByLabel('Time').selectOption({ label: 'Last hour' });
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Compare').selectOption({ label: 'Action' });
  await page.getByLabel('Comparison').selectOption({ label: 'is not' });
  await page.getByLabel('Value').fill('rotate_secret');
  await page.keyboard.press('Enter');
  await shown(page, 2);
  await page.getByText('Action is not Rotated a secret').waitFor();
  assert.match(
    page.url(),
    /\?product_category=developer_platform&range=1h&action_type\.not=rotate/,
  );
  // An entry, and what it changed.
  await page.getByRole('link', { name: 'Changed an OAuth client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changed an OAuth client' });
  const changes = dialog.getByRole('listitem');
  await changes.first().waitFor();
  assert.deepEqual((await changes.allTextContents()).sort(), [
    '+Added: policy_urihttps://ledger.example.com/privacy',
    '+Added: scopesmembers.read',
    '~Changed: client_nameLedger to Ledger Sync',
    '−Removed: scopestags.write',
  ]);
  for (const text of [person.email, '127.0.0.1', 'PATCH']) {
    await dialog.getByText(text).first().waitFor();
  }
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: /^Show \d+ unchanged$/ }).click();
  await dialog.getByText('redirect_uris').waitFor();
  // From one entry to the one before, and back by the same way.
  await dialog.getByRole('link', { name: 'the previous change' }).click();
  const created = page.getByRole('dialog', { name: 'Created an OAuth client' });
  await created.getByRole('heading', { name: 'Result' }).waitFor();
  await created.getByText('Secret, not logged').waitFor();
  assert.ok(!(await created.textContent())?.includes(client.client_secret));
  await page.goBack();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  await shown(page, 3);
  assert.equal(await page.getByLabel('Time').inputValue(), '1h');
  await page.goBack();
  assert.equal(await page.getByLabel('Time').inputValue(), '7d');
  await page.getByRole('button', { name: 'Remove filter: Area' }).click();
  await shown(page, 4);
  await page.locator('[role=search]:focus').waitFor();
  assert.equal(await category.inputValue(), '');
});

test('an entry has an address, and leads to what it is about', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser, { browser: NARROW });
  const call = await callerOf(person.userId);
  const name = 'Far Client';
  const { client_id: id } = await call(
    'POST',
    `${account}/oauth_clients`,
    clientBody({ client_name: name }),
  );
  const window = `since=2020-01-01&before=2100-01-01&resource_id=${id}`;
  const [row] = await call('GET', `${account}/logs/audit?${window}`);
  await page.goto(`${server.origin}${account}/audit-log?range=1h&action_type=delete&row=${row.id}`);
  const dialog = page.getByRole('dialog', { name: 'Created an OAuth client' });
  await dialog.getByText(row.raw.request_id).waitFor();
  await dialog.getByRole('button', { name: 'Show as JSON' }).click();
  await dialog.getByRole('region', { name: 'Entry as JSON' }).getByText(name).waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  await dialog.getByRole('link', { name: 'Open the OAuth client' }).click();
  await page.waitForURL(`**/oauth-clients/${id}`);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.goto(`${server.origin}${account}/audit-log?row=no-such-entry`);
  await page.getByRole('dialog', { name: 'Entry not found' }).waitFor();
  await page.keyboard.press('Escape');
  await entries(page).first().waitFor();
  await checkFits(page);
  assert.equal(new URL(page.url()).search, '');
});

test('a long log is read page by page, and may be slow or fail', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser);
  const call = await callerOf(person.userId);
  const names = Array.from({ length: 60 }, (_name, index) => `First account ${index}`);
  for (const name of names) await call('PUT', account, { name });
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isBroken = true;
  await page.route('**/logs/audit?**', async (route) => {
    await isReleased;
    return isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue();
  });
  await page.goto(`${server.origin}${account}/audit-log?actor_email=${person.email}`);
  await page.getByRole('main').getByText('Loading…').waitFor();
  release();
  await page.getByRole('alert').getByText('Loading failed').waitFor();
  await checkAccessibility(page);
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await shown(page, 50);
  const more = page.getByRole('button', { name: 'Load more' });
  isBroken = true;
  await more.click();
  await page.getByRole('alert').getByText('Loading failed').waitFor();
  assert.equal(await entries(page).count(), 51);
  isBroken = false;
  await more.focus();
  await page.keyboard.press('Enter');
  await shown(page, 60);
  await page.locator('p:focus').getByText('No more entries in this period.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const rows: Json[] = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  assert.equal(rows.length, 60);
  assert.equal(rows[0].resource.request.name, names.at(-1));
  // Nothing in a time that is over.
  await page.getByLabel('Time').selectOption({ label: 'From … to …' });
  await page.getByLabel('From').fill('2026-01-01T00:00');
  await page.getByLabel('To', { exact: true }).fill('2025-01-01T00:00');
  await page.getByText('The end must be after the start.').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2026-01-02T00:00');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
  await page.getByRole('button', { name: 'Show the last 30 days' }).click();
  await shown(page, 50);
});

test('a member without the role is told which it takes', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser, {
    roles: ['member'],
    browser: NARROW,
  });
  await page.goto(`${server.origin}${account}/audit-log`);
  await page.getByRole('heading', { name: "You can't view the audit log" }).waitFor();
  await page.getByText('Audit Logs Viewer').waitFor();
  await page.getByText('Administrator Read Only or Audit Logs Viewer').waitFor();
  await checkFits(page);
  // What happened to the person is for the person to see.
  const call = await callerOf(person.userId);
  await call('PATCH', '/user', { first_name: 'Grace' });
  await call('PATCH', '/user', { first_name: 'Grace', last_name: 'Hopper' });
  await page.getByRole('link', { name: 'View your own activity' }).click();
  await shown(page, 2);
  await page.getByRole('link', { name: 'Changed their name' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Changed their name' });
  await dialog.getByText('last_name').waitFor();
  await checkFits(page);
  await dialog.getByRole('link', { name: 'Open your profile' }).click();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
});
