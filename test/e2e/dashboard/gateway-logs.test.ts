import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import type { Json } from '../../support/server.ts';
import { type GatewayServer, bootGatewayServer } from './gateway-traffic.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

let server: GatewayServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([bootGatewayServer(), sharedBrowser()]);
  await server.sendTraffic(2_000);
});
after(() => server.stop());

function logsPath(): string {
  return `${server.account}/ai-gateway/gateways/default/logs`;
}

/** What the API lists. */
async function listed(query: string): Promise<Json> {
  const { json, text } = await server.call('GET', `${logsPath()}?${query}`);
  assert.equal(json?.success, true, text);
  return json;
}

async function countOf(query: string): Promise<number> {
  return (await listed(`${query}&per_page=1`)).result_info.total_count;
}

function rows(page: Page) {
  return page.getByRole('table', { name: 'Logs of the gateway' }).locator('tbody').getByRole('row');
}

/** Waits until the page says that there are as many as the API counts. */
async function showsAll(page: Page, query: string, words = 'logs match'): Promise<number> {
  const count = await countOf(query);
  assert.ok(count > 0, query);
  await page
    .getByRole('status')
    .getByText(`${count.toLocaleString('en')} ${words}`, { exact: true })
    .waitFor();
  return count;
}

function addFilter(page: Page) {
  return page.getByRole('button', { name: 'Add filter' });
}

const OPENAI_OR_ANTHROPIC =
  'filters.key=provider&filters.operator=eq&filters.value=openai&filters.value=anthropic';
const MANY_TOKENS = 'filters.key=tokens_in&filters.operator=gt&filters.value=30';
const FAILED = 'filters.key=success&filters.operator=eq&filters.value=false';

test('logs are found by filters, a search and an order, which the way back goes through', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  await page.goto(`${server.origin}${account}/ai-gateway/gateways/default/logs`);
  await showsAll(page, '', 'logs');
  assert.equal(await rows(page).count(), 50);
  await checkAccessibility(page);

  // Values are suggested; any of them will do.
  await addFilter(page).click();
  const dialog = page.getByRole('dialog', { name: 'Add filter' });
  await dialog.getByLabel('Field').selectOption('provider');
  await dialog.getByLabel('openai').check();
  await dialog.getByLabel('anthropic').check();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Add filter' }).click();
  await showsAll(page, OPENAI_OR_ANTHROPIC);

  // What is no number is said where it was typed.
  await addFilter(page).click();
  await dialog.getByLabel('Field').selectOption('tokens_in');
  await dialog.getByLabel('Number').fill('many');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a number').waitFor();
  await dialog.getByLabel('Number').fill('30');
  await page.keyboard.press('Enter');
  const both = `${OPENAI_OR_ANTHROPIC}&${MANY_TOKENS}`;
  await showsAll(page, both);
  assert.deepEqual(
    await page
      .getByRole('list', { name: 'Active filters' })
      .getByRole('listitem')
      .allTextContents(),
    ['Provider is openai or anthropic', 'Tokens in is over 30'],
  );

  await page.getByRole('searchbox').fill('haiku');
  await showsAll(page, `${both}&search=haiku`);
  assert.equal(
    new URL(page.url()).search,
    '?f=provider.eq.openai*anthropic+tokens_in.gt.30&q=haiku',
  );

  // The greatest first, then the least.
  const out = page.getByRole('button', { name: 'Tokens out' });
  await out.click();
  await page.waitForURL(/sort=tokens_out\.desc/);
  await out.click();
  await page.waitForURL(/sort=tokens_out\.asc/);
  const { result } = await listed(
    `${both}&search=haiku&order_by=tokens_out&order_by_direction=asc&per_page=50`,
  );
  await rows(page).first().locator(`a[data-log="${result[0].id}"]`).waitFor();
  const ids: string[] = await page.evaluate(
    `[...document.querySelectorAll('tbody a')].map((link) => link.dataset.log)`,
  );
  assert.deepEqual(
    ids,
    result.map(({ id }: Json) => id),
  );
  assert.equal(await page.getByLabel('Order').inputValue(), 'tokens_out.asc');

  // Back, step by step.
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/q=haiku$/);
  await page.goBack();
  await showsAll(page, both);
  assert.equal(await page.getByRole('searchbox').inputValue(), '');
  await page.goBack();
  await showsAll(page, OPENAI_OR_ANTHROPIC);

  // A chip opens what it says, and can be taken away.
  await page.getByRole('button', { name: 'Provider is openai or anthropic', exact: true }).click();
  const change = page.getByRole('dialog', { name: 'Change filter' });
  await change.getByLabel('Comparison').selectOption('neq');
  await change.getByLabel('openai').uncheck();
  await change.getByRole('button', { name: 'Change filter' }).click();
  await showsAll(page, 'filters.key=provider&filters.operator=neq&filters.value=anthropic');
  await page.getByLabel('Time range').selectOption('1h');
  await page.getByRole('button', { name: 'Remove: Provider is not anthropic' }).click();
  await showsAll(page, '');
  await page.locator('[role=search]:focus').waitFor();
  assert.equal(new URL(page.url()).search, '?range=1h');

  // Nothing is like that.
  await page.getByRole('searchbox').fill('no such model');
  await page.getByRole('heading', { name: 'No matching logs' }).waitFor();
  await page.getByRole('button', { name: 'Remove filters' }).click();
  await showsAll(page, '');
});

test('new logs come by themselves, and do not move what is being read', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/gateways/default/logs`,
  });
  await showsAll(page, '', 'logs');
  await page.getByRole('switch', { name: 'Live' }).click();
  await page.waitForURL(/live=yes/);
  await server.sendTraffic(20);
  const newest = (await listed('per_page=1')).result[0].id;
  await rows(page).first().locator(`a[data-log="${newest}"]`).waitFor();
  await page
    .getByRole('status')
    .getByText(/^\d+ new logs$/)
    .waitFor();
  await showsAll(page, '', 'logs');

  // Further down nothing moves; a button says what has come.
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
  const first = await rows(page).first().locator('a').getAttribute('data-log');
  await server.sendTraffic(10);
  const button = page.getByRole('button', { name: /^\d+ new$/ });
  await button.waitFor();
  assert.equal(await rows(page).first().locator('a').getAttribute('data-log'), first);
  await button.click();
  const last = (await listed('per_page=1')).result[0].id;
  await rows(page).first().locator(`a[data-log="${last}"]`).waitFor();
  await page.locator('main:focus').waitFor();

  // While the API fails, what was shown stays.
  await page.getByRole('switch', { name: 'Live' }).click();
  await page.route('**/logs?**', (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByLabel('Order').selectOption('cost.desc');
  await page.getByRole('alert').getByText('Loading failed').waitFor();
  await page.getByText('Earlier results are shown below.').waitFor();
  assert.ok((await rows(page).count()) >= 50);
  await page.unroute('**/logs?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  const dearest = (await listed('order_by=cost&per_page=1')).result[0].id;
  await rows(page).first().locator(`a[data-log="${dearest}"]`).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);

  // A long list goes on page by page, then somewhere else.
  await page.goto(`${server.origin}${account}/ai-gateway/gateways/default/logs`);
  for (let shown = 50; shown < 300; shown += 50) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows(page)
      .nth(shown + 49)
      .waitFor();
  }
  const { result } = await listed('per_page=100&page=4');
  await page.getByRole('button', { name: 'Continue from here' }).click();
  await rows(page).first().locator(`a[data-log="${result[0].id}"]`).waitFor();
  await showsAll(page, '', 'logs');
  await page.getByRole('button', { name: 'Back to the first page' }).click();
  await rows(page).first().locator(`a[data-log="${last}"]`).waitFor();
});

test('what the filters show is exported, and deleted after it was counted', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/gateways/default/logs?f=success.eq.false`,
  });
  const count = await showsAll(page, FAILED);
  const wanted: Json[] = [];
  for (let at = 1; wanted.length < count; at++) {
    wanted.push(...(await listed(`${FAILED}&per_page=100&page=${at}`)).result);
  }
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export logs' });
  await dialog.getByText(`${count} logs · Failed.`).waitFor();
  const [jsonl] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(jsonl.suggestedFilename(), 'default-logs.jsonl');
  const lines = (await readFile(await jsonl.path(), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    wanted,
  );
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByLabel('CSV').check();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  const table = (await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(table.length, count + 1);
  assert.ok(table[1]?.startsWith(`${wanted[0].id},${wanted[0].created_at},`));

  // A search cannot be deleted by.
  const more = page.getByRole('button', { name: 'More actions' });
  await page.getByRole('searchbox').fill('gpt');
  await page.waitForURL(/q=gpt/);
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete these logs' }).click();
  const question = page.getByRole('dialog', { name: 'Delete these logs' });
  await question.getByRole('button', { name: 'Remove search' }).click();
  await page.waitForURL(/false$/);
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete these logs' }).click();
  await question.getByText(`Deletes ${count} logs of default`).waitFor();
  await question.getByRole('listitem').getByText('Failed').waitFor();
  await checkAccessibility(page);
  // What comes while somebody thinks it over is not meant.
  await server.sendTraffic(100);
  const all = await countOf('');
  const later = (await countOf(FAILED)) - count;
  assert.ok(later > 0);
  const deed = question.getByRole('button', { name: `Delete ${count} logs` });
  assert.equal(await deed.isDisabled(), true);
  await question.getByLabel('Type default to confirm').fill('default');
  await deed.click();
  await page.getByText(`Deleted ${count} logs`).first().waitFor();
  await showsAll(page, FAILED);
  assert.deepEqual([await countOf(FAILED), await countOf('')], [later, all - count]);
});

test('on a narrow screen the keyboard goes through the logs, and roles are told', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    browser: NARROW,
    path: `${server.account}/ai-gateway/gateways/default/logs?f=status_code.eq.200`,
    roles: ['administrator-read-only'],
  });
  await rows(page).first().waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  const links = rows(page).locator('a');
  const id = await links.nth(1).getAttribute('data-log');
  await links.first().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`log=${id}$`));
  await page.goBack();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Show API request' }).click();
  const command = page.getByRole('region', { name: 'command' });
  assert.match(
    (await command.textContent()) ?? '',
    /'filters\.key=status_code' [^]*'filters\.value=200'/,
  );
  await checkFits(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete these logs' }).click();
  await page.getByText("Your role doesn't allow you to delete logs").waitFor();
  await checkFits(page);
});

// The heading of each page that begins with gateways, behind `/ai-gateway`.
const PAGES = {
  '/gateways': 'Gateways',
  '/analytics': 'Analytics',
  '/custom-providers': 'Custom providers',
  '/gateways/default': 'Gateway',
  '/gateways/default/playground': 'Playground',
  '/gateways/default/logs': 'Logs',
  '/gateways/default/analytics': 'Analytics',
  '/gateways/default/keys': 'Keys',
  '/gateways/default/settings': 'Settings',
};

test('who may not see gateways is told so on every page, and asks for nothing that is refused', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, { roles: ['ai-gateway-run'] });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const [path, title] of Object.entries(PAGES)) {
    await page.evaluate(`history.pushState(null, '', '${account}/ai-gateway${path}')`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByRole('heading', { name: /^You can't view/ }).waitFor();
  }
  assert.deepEqual(refused, []);
});
