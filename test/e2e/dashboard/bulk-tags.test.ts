import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import { createClient } from '../../oauth/client-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

const WORKERS = 3_000;

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
  for (let start = 0; start < WORKERS; start += 1_000) await tagWorkers(start, start + 1_000);
});
after(() => server.stop());

/** Sends operations that must all succeed. */
async function bulk(operations: object[]): Promise<void> {
  const { json, text } = await server.call('POST', `${server.account}/tags/bulk`, {
    body: { operations },
  });
  assert.equal(json.result?.failed, 0, text);
}

/** Every third worker is in development, the others are staged. */
async function tagWorkers(start: number, end: number): Promise<void> {
  const numbers = Array.from({ length: end - start }, (_one, index) => start + index);
  await bulk(
    numbers.map((number) => ({
      op: 'put',
      resource_type: 'worker',
      resource_id: `w${number}`,
      name: `Worker ${number}`,
      tags: { env: number % 3 === 0 ? 'dev' : 'staging', team: `team-${number % 7}` },
    })),
  );
}

/** On how many resources each value of a key is. */
async function countsOf(key: string): Promise<Record<string, number>> {
  const { json } = await server.call('GET', `${server.account}/tags/summary?prefix=${key}`);
  const facets: Json[] = json.result.find((one: Json) => one.key === key)?.facets ?? [];
  return Object.fromEntries(facets.map(({ value, count }) => [value, count]));
}

/** The three figures of the dialog: what changes, what is so already, what cannot be changed. */
async function figures(page: Page): Promise<(string | null)[]> {
  return page.getByRole('dialog').getByRole('definition').allTextContents();
}

test('chosen resources are changed, and what fails is told', async (t) => {
  const client = await createClient(server, { client_name: 'Ledger' });
  const names = Array.from({ length: 12 }, (_one, index) => `q${index}`);
  const queues = names.map((id) => ({ op: 'put', resource_type: 'queue', resource_id: id }));
  const tagged = { op: 'put', resource_type: 'oauth_client', resource_id: client.client_id };
  await bulk([
    ...queues.map((one, index) => ({
      ...one,
      tags: { env: 'dev', owner: index < 2 ? 'ops' : '' },
    })),
    { ...tagged, tags: { env: 'dev' } },
  ]);
  const { page, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags?type=${encodeURIComponent('["queue","oauth_client"]')}`,
  });
  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  await page.getByRole('button', { name: 'Edit tags of 13' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit tags of 13 resources' });
  await dialog.getByLabel('Key 1').fill('no key');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Invalid tag key').waitFor();
  await page.locator('[aria-invalid=true]:focus').waitFor();
  await checkAccessibility(page);
  await dialog.getByLabel('Key 1').fill('owner');
  await dialog.getByLabel('Value of owner').fill('ops');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByLabel('Action for tag 2').selectOption('Remove');
  await dialog.getByLabel('Key 2').fill('cost');

  // One of them is deleted meanwhile.
  await server.call('DELETE', `${account}/oauth_clients/${client.client_id}`);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Change 10 resources' }).waitFor();
  assert.deepEqual(await figures(page), ['10', '2', '1']);
  const reason = `resource not found: type=oauth_client id=${client.client_id}`;
  await dialog.getByText(reason).waitFor();
  await dialog.getByRole('heading', { name: 'The first 5 of 10' }).waitFor();
  const sample = dialog.getByRole('list', { name: 'Changes of q2' });
  assert.equal(await sample.textContent(), '~Changed: ownerempty to ops');
  assert.deepEqual(await countsOf('owner'), { '': 10, ops: 2 });
  await checkAccessibility(page);

  // Back and forth: nothing that was written is lost.
  await dialog.getByRole('button', { name: 'Back' }).click();
  assert.equal(await dialog.getByLabel('Value of owner').inputValue(), 'ops');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Change 10 resources' }).click();
  await dialog.getByText('10 resources were changed, 1 not.').waitFor();
  assert.deepEqual(await countsOf('owner'), { ops: 12 });
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download JSON' }).click();
  const failures: Json[] = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  assert.deepEqual(
    failures.map((one) => [one.resource_id, one.errors[0].code]),
    [[client.client_id, 1004]],
  );
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Select this page').waitFor();
});

test('all that match are changed in parts, each once, whatever happens on the way', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags?type=${encodeURIComponent('["worker"]')}&tag=${encodeURIComponent('["env=staging"]')}`,
  });
  await page.getByRole('button', { name: /^Edit tags of all/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit tags of all matching resources' });
  const filter = await dialog.getByRole('list', { name: 'Filter' }).textContent();
  assert.equal(filter, 'tag=env=stagingtype=worker');
  await dialog.getByLabel('Key 1').fill('env');
  await dialog.getByLabel('Value of env').fill('production');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const apply = dialog.getByRole('button', { name: 'Change 2,000 resources' });
  await apply.waitFor();
  await dialog.getByRole('button', { name: 'Show request' }).click();
  const json = await dialog.getByRole('region', { name: 'JSON' }).textContent();
  assert.deepEqual(JSON.parse(json ?? ''), {
    filter: { tag: ['env=staging'], type: ['worker'] },
    tags: { env: 'production' },
  });

  // The answer of the second part is lost: it is asked for again, and done once.
  const keys: (string | undefined)[] = [];
  await page.route('**/tags/bulk', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    return keys.length === 2
      ? route.fulfill({ status: 502, body: '' })
      : route.fulfill({ response });
  });
  await apply.click();
  await dialog.getByText('The server answered with status 502').waitFor();
  assert.deepEqual(await figures(page), ['1,000', '0', '0']);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Done: 2,000 resources were changed.').waitFor();
  assert.equal(keys.length, 3);
  assert.equal(keys[1], keys[2]);
  assert.notEqual(keys[0], keys[1]);
  await page.unroute('**/tags/bulk');
  assert.deepEqual(await countsOf('env'), { dev: 1_012, production: 2_000 });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('env=staging').first().waitFor();
});

test('all tags are replaced, and nobody is overwritten', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags?type=${encodeURIComponent('["worker"]')}&tag=${encodeURIComponent('["env=dev"]')}`,
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByRole('button', { name: /^Edit tags of all/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit tags of all matching resources' });
  await dialog.getByLabel('Replace all tags').check();
  await dialog
    .getByText('If this list is empty, all tags of these resources are removed')
    .waitFor();
  await dialog.getByLabel('Key 1').fill('state');
  await dialog.getByLabel('Value of state').fill(`it's "old"`);
  await checkFits(page);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const apply = dialog.getByRole('button', { name: 'Change 1,000 resources' });
  await apply.waitFor();
  await checkFits(page);
  await checkAccessibility(page);

  // Between reading and writing somebody else changes one of them; then the person stops.
  const stop = dialog.getByRole('button', { name: 'Stop' });
  let parts = 0;
  await page.route('**/tags/bulk', async (route: Route) => {
    parts++;
    const other = { op: 'patch', resource_type: 'worker', resource_id: 'w0' };
    if (parts === 1) await bulk([{ ...other, tags: { late: 'yes' } }]);
    if (parts === 2) await stop.click();
    return route.continue();
  });
  await apply.click();
  await dialog.getByText('Stopped early').waitFor();
  await page.unroute('**/tags/bulk');
  assert.deepEqual(await figures(page), ['499', '0', '1']);
  await dialog.getByText('Precondition Failed').waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('999 resources were changed, 1 not.').waitFor();
  await checkFits(page);
  await dialog.getByRole('button', { name: 'Retry failed resources' }).click();
  const again = page.getByRole('dialog', { name: 'Edit tags of 1 resource' });
  await again.getByRole('button', { name: 'Show request' }).click();
  await again.getByRole('tab', { name: 'curl' }).click();
  const command = (await again.getByRole('region', { name: 'command' }).textContent()) ?? '';
  // The command does the same, so that there is nothing left.
  assert.equal(JSON.parse(await runInShell(command, { TOKEN: server.token })).result.succeeded, 1);
  await again.getByRole('button', { name: 'Change 1 resource' }).click();
  await again.getByText('Done: 0 resources were changed.').waitFor();
  assert.deepEqual(await countsOf('state'), { [`it's "old"`]: 1_000 });
  const { json } = await server.call(
    'GET',
    `${server.account}/tags?resource_type=worker&resource_id=w0`,
  );
  assert.deepEqual(json.result.tags, { state: `it's "old"` });
  assert.equal(json.result.name, 'Worker 0');
});
