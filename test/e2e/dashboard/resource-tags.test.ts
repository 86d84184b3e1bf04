import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { createClient } from '../../oauth/client-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { createPerson, signInAs } from '../../support/people.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

type Tags = Record<string, string | null>;

/** Writes tags as another program does. */
async function write(method: 'PUT' | 'PATCH', type: string, id: string, tags: Tags, more = {}) {
  const body = { resource_type: type, resource_id: id, tags, ...more };
  const answer = await server.call(method, `${server.account}/tags`, { body });
  assert.equal(answer.status, 200, answer.text);
}

/** What is stored of a resource; null for one without tags. */
async function stored(type: string, id: string): Promise<Json> {
  const query = new URLSearchParams({ resource_type: type, resource_id: id });
  return (await server.call('GET', `${server.account}/tags?${query.toString()}`)).json.result;
}

async function tagsOf(type: string, id: string): Promise<Json> {
  return (await stored(type, id))?.tags;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save tags' });

/** The field of the key that was added last. */
const lastKey = (page: Page) => page.getByLabel(/^Key \d+$/).last();

async function addTag(page: Page, key: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tag' }).click();
  await lastKey(page).fill(key);
  await page.getByLabel(`Value of ${key}`, { exact: true }).fill(value);
}

/** Goes to a page of the account as a link does. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${server.account}${path}')`);
}

test('tags are changed where they stand, and nobody overwrites anybody', async (t) => {
  const id = 'checkout/api';
  const tags = { env: 'staging', team: 'core', tier: 'gold', note: 'two\nlines' };
  await write('PUT', 'worker', id, tags, { name: 'Checkout API', zone_id: 'example.com' });
  await write('PUT', 'worker', 'other', { region: 'eu-west', env: 'production' });
  const { page, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags/worker/${encodeURIComponent(id)}`,
  });
  await page.getByRole('heading', { level: 1, name: 'Checkout API' }).waitFor();
  await page.getByRole('button', { name: 'Edit tags' }).click();

  // What the API would refuse is told at once, in its words, and is not sent.
  await page.getByRole('button', { name: 'Add tag' }).click();
  await lastKey(page).fill('not a key');
  await page.getByText('Invalid tag key').waitFor();
  await lastKey(page).fill('k'.repeat(257));
  await page.getByText('Tag key too long (maximum 256 characters)').waitFor();
  await lastKey(page).fill('team');
  await page.getByText('Duplicate key').waitFor();
  await lastKey(page).fill('reg');
  // Keys and values in use are suggested.
  await page.getByRole('option', { name: 'region' }).waitFor();
  await lastKey(page).fill('region');
  const region = page.getByLabel('Value of region');
  await region.click();
  await page.getByRole('option', { name: 'eu-west' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await region.inputValue(), 'eu-west');
  await region.fill('😀'.repeat(1_025));
  await page.getByText('Tag value too long (maximum 1024 characters)').waitFor();
  await save(page).click();
  await page.locator('[aria-invalid=true]:focus').waitFor();
  await checkAccessibility(page);
  assert.deepEqual(await tagsOf('worker', id), tags);
  await region.fill('😀'.repeat(1_024));
  await page.getByLabel('Value of env').fill('production');
  await page.getByText('Was staging').waitFor();
  await page.getByLabel('Value of team').fill('payments');
  await page.getByRole('button', { name: 'Remove tier' }).click();
  await page.getByText('4 changes, not saved yet').waitFor();

  // Somebody else is faster: with one tag that was changed here too, one that went here, and a new one.
  await write('PATCH', 'worker', id, { env: 'test', tier: 'silver', reviewed: 'yes' });
  await save(page).click();
  const clashes = page.getByRole('list', { name: 'Conflicting changes' }).getByRole('listitem');
  await clashes.first().waitFor();
  assert.equal(await clashes.count(), 2);
  await page.getByRole('list', { name: 'Changed elsewhere' }).getByText('reviewed').waitFor();
  assert.equal(await page.getByLabel('Value of env').inputValue(), 'production');
  assert.equal((await tagsOf('worker', id)).env, 'test');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Use other version: tier' }).click();
  await page.getByRole('button', { name: 'Use other version: env' }).click();
  await page.getByRole('button', { name: 'Keep my version: env' }).click();

  // A failure on the way loses nothing.
  await page.route('**/tags', (route) => route.fulfill({ status: 502, body: '' }));
  await save(page).click();
  await page.getByText('The server answered with status 502').waitFor();
  await page.unroute('**/tags');
  // Nor does leaving by mistake.
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.setViewportSize(NARROW.viewport);
  await checkFits(page);
  await save(page).click();
  const afterwards = {
    env: 'production',
    note: 'two\nlines',
    region: '😀'.repeat(1_024),
    reviewed: 'yes',
    team: 'payments',
    tier: 'silver',
  };
  await page.getByText('Saved: 3 changes').waitFor();
  const now = await stored('worker', id);
  assert.deepEqual(now.tags, afterwards);
  assert.deepEqual([now.name, now.zone_id], ['Checkout API', 'example.com']);

  // The last save can be taken back, as long as it is the last.
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  assert.deepEqual(await tagsOf('worker', id), {
    ...tags,
    env: 'test',
    reviewed: 'yes',
    tier: 'silver',
  });
  await page.getByRole('link', { name: 'silver' }).click();
  await page.waitForURL(`**${account}/tags?*`);
  assert.match(decodeURIComponent(new URL(page.url()).search), /tier=silver/);
});

test('a resource is tagged for the first time, emptied, and has its tags back', async (t) => {
  await write('PUT', 'queue', 'jobs', { env: 'dev' });
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags/queue/jobs`,
  });
  await page.getByRole('button', { name: 'Tag another resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag a resource' });
  await dialog.getByLabel('Type').selectOption('Worker version');
  await dialog.getByLabel('ID', { exact: true }).fill('v1');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Enter the worker ID').waitFor();
  await checkAccessibility(page);
  await dialog.getByLabel('Worker ID').fill('42');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'v1' }).waitFor();
  await page.getByLabel('Name (optional)').fill('First version');
  await page.getByLabel('Key 1').fill('env');
  await page.getByLabel('Value of env').fill(`it's "new"`);
  await addTag(page, '__proto__', '');

  // The command that is shown does what the form does; then there is nothing left to do.
  await page.getByRole('button', { name: 'Show request' }).click();
  await page.getByRole('tab', { name: 'curl' }).click();
  const command = (await page.getByRole('region', { name: 'command' }).textContent()) ?? '';
  const expected: Json = JSON.parse(`{"env":"it's \\"new\\"","__proto__":""}`);
  await runInShell(command, { TOKEN: server.token });
  await save(page).click();
  await page.getByText('There is nothing to save').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const made = await stored('worker_version', 'v1');
  assert.deepEqual(made.tags, expected);
  assert.deepEqual([made.name, made.worker_id], ['First version', '42']);
  // Sent once more, it is too late.
  assert.match(await runInShell(command, { TOKEN: server.token }), /Precondition Failed/);

  await page.getByRole('button', { name: 'Remove all tags' }).click();
  await checkAccessibility(page);
  const question = page.getByRole('dialog', { name: 'Remove all tags of First version?' });
  await write('PATCH', 'worker_version', 'v1', { late: 'yes' });
  await question.getByRole('button', { name: 'Remove all tags' }).click();
  await question.getByText('These tags have changed in the meantime').waitFor();
  await question.getByRole('button', { name: 'Remove all tags' }).click();
  await page.getByText('No tags yet.').waitFor();
  assert.equal(await stored('worker_version', 'v1'), null);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  const back = await stored('worker_version', 'v1');
  assert.deepEqual(Object.entries(back.tags).length, 3);
  assert.deepEqual([back.name, back.worker_id], ['First version', '42']);

  // What does not exist here cannot be tagged, and what was written stays.
  await goTo(page, '/tags/oauth_client/nobody');
  await page.getByRole('heading', { level: 1, name: 'nobody' }).waitFor();
  await page.getByLabel('Key 1').fill('env');
  await save(page).click();
  await page.getByText('resource not found: type=oauth_client id=nobody').waitFor();
  assert.equal(await page.getByLabel('Key 1').inputValue(), 'env');
});

// Has the form of a GitHub token, which the audit log removes.
const CREDENTIAL = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2';

test('history tells who changed what, and brings earlier tags back', async (t) => {
  const id = 'ledger';
  await write('PUT', 'd1_database', id, { env: 'dev', team: 'core' });
  const { accountId } = server;
  const grace = await createPerson(server, { accountId, roles: ['tag-admin'] });
  const headers = await signInAs(server, grace.userId);
  const own = { resource_type: 'd1_database', resource_id: id };
  await server.call('PATCH', `${server.account}/tags`, {
    token: null,
    headers,
    body: { ...own, tags: { env: 'production', team: null, zone: CREDENTIAL } },
  });
  const counting = Array.from({ length: 50 }, (_one, index) => ({
    ...own,
    op: 'patch',
    tags: { count: String(index) },
  }));
  const body = { operations: counting };
  assert.equal((await server.call('POST', `${server.account}/tags/bulk`, { body })).status, 200);
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags/d1_database/${id}`,
  });
  const steps = page.getByRole('button', { name: 'Restore' });
  await page.getByText('Current tags').waitFor();
  assert.equal(await steps.count(), 49);
  // What lies further back is not known yet, and so nothing is said of it.
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('Set all tags').waitFor();
  assert.equal(await steps.count(), 51);
  await page.getByText(grace.email).waitFor();
  await page.getByText('Not in the log').waitFor();

  await steps.nth(49).click();
  const dialog = page.getByRole('dialog', { name: 'Restore these tags?' });
  assert.deepEqual(await changesIn(page), ['−Removed: count49']);
  await dialog.getByText('so they stay as they are now: zone').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await steps.nth(50).click();
  assert.deepEqual(await changesIn(page), [
    '−Removed: count49',
    '~Changed: envproduction to dev',
    '+Added: teamcore',
    `−Removed: zone${CREDENTIAL}`,
  ]);
  await checkAccessibility(page);
  await write('PATCH', 'd1_database', id, { team: 'web' });
  await dialog.getByRole('button', { name: 'Restore tags' }).click();
  await dialog.getByText('These tags have changed in the meantime').waitFor();
  assert.ok((await changesIn(page)).includes('~Changed: teamweb to core'));
  await dialog.getByRole('button', { name: 'Restore tags' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(await tagsOf('d1_database', id), { env: 'dev', team: 'core' });
  await page.getByText('Saved: 4 changes').waitFor();
  // The entry of the log is a click away.
  await page.getByTitle('Audit log entry').first().click();
  await page.getByRole('dialog', { name: 'Changed tags of a resource' }).waitFor();
});

/** What the open dialog says that becomes of tags. */
async function changesIn(page: Page): Promise<string[]> {
  return page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allTextContents();
}

test('tags stand on the pages of clients and gateways, as far as a role lets see them', async (t) => {
  const client = await createClient(server, { client_name: 'Ledger Sync' });
  const id = client.client_id;
  const path = `${server.account}/oauth-clients/${id}`;
  const { page } = await openDashboard(t, server, browser, { path, browser: NARROW });
  await page.getByText('No tags yet.').waitFor();
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByLabel('Key 1').fill('team');
  await page.getByLabel('Value of team').fill('finance');
  await checkFits(page);
  await checkAccessibility(page);
  await page.keyboard.press('Enter');
  await page.getByText('Saved: 1 change').waitFor();
  assert.deepEqual(await tagsOf('oauth_client', id), { team: 'finance' });
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ledger Sync' }).waitFor();
  await page.getByRole('link', { name: 'Open the OAuth client' }).waitFor();
  await checkFits(page);

  // So they do on the page of a gateway.
  const gateways = `${server.account}/ai-gateway/gateways`;
  await server.call('POST', gateways, { body: gatewayBody('checkout') });
  await goTo(page, '/ai-gateway/gateways/checkout');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByLabel('Key 1').fill('tier');
  await save(page).click();
  await page.getByText('Saved: 1 change').waitFor();
  assert.deepEqual(await tagsOf('ai_gateway', 'checkout'), { tier: '' });

  const reader = await openDashboard(t, server, browser, {
    path,
    roles: ['administrator-read-only'],
  });
  await reader.page.getByRole('link', { name: 'finance' }).waitFor();
  assert.equal(await reader.page.getByRole('button', { name: /tags/ }).count(), 0);
  await reader.page.getByRole('link', { name: 'History' }).click();
  await reader.page.getByText("Your role doesn't allow you to change tags").waitFor();
  await reader.page.getByText('Changed tags').waitFor();
  assert.equal(await reader.page.getByRole('button', { name: /tags|Restore/ }).count(), 0);

  const admin = await openDashboard(t, server, browser, {
    path: `${server.account}/tags/oauth_client/${id}`,
    roles: ['tag-admin', 'oauth-client-read'],
  });
  await admin.page.getByText("Your role doesn't allow you to view the history of tags").waitFor();
  await admin.page.getByRole('button', { name: 'Edit tags' }).waitFor();

  const other = await openDashboard(t, server, browser, { path, roles: ['oauth-client-read'] });
  await other.page.getByRole('heading', { name: 'Active users' }).waitFor();
  assert.equal(await other.page.getByRole('heading', { name: 'Tags' }).count(), 0);
  await goTo(other.page, `/tags/oauth_client/${id}`);
  await other.page.getByRole('heading', { name: "You can't view tags" }).waitFor();
});
