import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { logRecord, openLogStore } from '../../gateway/log-records.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type Json, createDataDir } from '../../support/server.ts';
import { type GatewayServer, bootGatewayServer } from './gateway-traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NARROW = { viewport: { width: 360, height: 740 } };

/** The time as it is, or some while ago. */
class ShiftedClock {
  byMs = 0;

  now(): number {
    return Date.now() + this.byMs;
  }
}

const clock = new ShiftedClock();
let server: GatewayServer;
let browser: Browser;
let dataDir: string;
before(async () => {
  dataDir = await createDataDir();
  // What is seeded into the past happened while the gateways were there.
  clock.byMs = -100 * DAY_MS;
  server = await bootGatewayServer({}, { clock, dataDir });
  for (const id of ['default', 'quiet']) {
    const body = gatewayBody(id);
    const { status } = await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
    assert.equal(status, 200);
  }
  await seedPast();
  clock.byMs = 0;
  await awayFromTheHour();
  await server.sendTraffic(3_000);
  browser = await sharedBrowser();
});
after(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

// As long as it takes from the first request to the last look at the hour in which it came.
const HOUR_NEEDED_MS = 40_000;

/** What is shown of a day is told by the hour: that of the traffic must not end while it is looked at. */
async function awayFromTheHour(): Promise<void> {
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < HOUR_NEEDED_MS) await delay(leftMs);
}

const DAY_BEFORE = 500;

/** Writes the logs of requests that came in a day and a half ago, and of a few before. */
async function seedPast(): Promise<void> {
  const { json } = await server.call('GET', `${server.account}/ai-gateway/gateways/default`);
  const createdAt = Date.parse(json.result.created_at);
  const store = openLogStore(server, dataDir, clock);
  const rowAt = (agoMs: number, index: number) =>
    logRecord(server.accountId, 'default', Date.now() - agoMs, {
      row: {
        gateway_created_at: createdAt,
        provider: 'openai',
        model: 'gpt-4o-mini',
        success: index % 10 === 0 ? 0 : 1,
        status_code: index % 10 === 0 ? 500 : 200,
        tokens_in: 10,
        tokens_out: 5,
        cost_nano_usd: 1_000_000,
        metadata: JSON.stringify({ team: index % 2 === 0 ? 'search' : '<b>pay</b>' }),
      },
    });
  await store.insert(
    Array.from({ length: DAY_BEFORE }, (_row, index) => rowAt(36 * HOUR_MS, index)),
  );
  await store.insert(Array.from({ length: 40 }, (_row, index) => rowAt(20 * DAY_MS, index)));
  await store.close();
}

/** What the API answers about the gateway `default`. */
async function analytics(query: string): Promise<Json> {
  const path = `${server.account}/ai-gateway/gateways/default/analytics?${query}`;
  const { status, json, text } = await server.call('GET', path);
  assert.equal(status, 200, text);
  return json.result;
}

function sinceAgo(agoMs: number): string {
  return new Date(Date.now() - agoMs).toISOString();
}

function tile(page: Page, name: string): Locator {
  return page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition');
}

const number = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** The numbers of a table, row by row, without its titles; of the column of totals only the value. */
async function cellsOf(table: Locator): Promise<string[][]> {
  const rows = await table.getByRole('row').all();
  const read = rows.slice(1).map(async (row) => {
    const cells = await row.locator('th, td').all();
    return Promise.all(cells.map((cell) => cell.innerText()));
  });
  return Promise.all(read);
}

test('the figures of a day are those of the API, in every form', async (t) => {
  const path = `${server.account}/ai-gateway/gateways/default/analytics`;
  const { page } = await openDashboard(t, server, browser, { path });
  const { totals, groups } = await analytics(`since=${sinceAgo(DAY_MS)}`);
  assert.ok(totals.requests >= 3_000 && totals.errors > 0 && totals.cached > 0);

  // The headline, compared with the day before.
  await tile(page, 'Requests').getByText(number.format(totals.requests)).waitFor();
  const times = number.format(Number((totals.requests / DAY_BEFORE).toFixed(1)));
  await tile(page, 'Requests').getByText(`${times} times as many`).waitFor();
  assert.match(
    (await tile(page, 'Errors').textContent()) ?? '',
    new RegExp(`^${percent.format(totals.errors / totals.requests)}.*points lower`),
  );
  await tile(page, 'Tokens')
    .getByTitle(number.format(totals.tokens_in + totals.tokens_out))
    .waitFor();

  await exactByKeyboard(page, groups[0].series.at(-1));
  await sameAsTable(page, groups[0].series);

  // By model, in the order of what is asked for.
  const table = page.getByRole('table', { name: 'By model' });
  const byModel = await analytics(`since=${sinceAgo(DAY_MS)}&group_by=model&order_by=tokens`);
  await table.getByRole('button', { name: 'Tokens' }).click();
  await page.waitForURL('**/analytics?sort=tokens');
  await table.getByRole('row').nth(1).getByText(byModel.groups[0].value).waitFor();
  const told = (await cellsOf(table)).map(([model = '', requests = '']) => [
    model.trim(),
    requests.split(/\s/)[0],
  ]);
  assert.deepEqual(
    told,
    byModel.groups.map((group: Json) => [group.value, number.format(group.totals.requests)]),
  );

  const [downloaded] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  assert.equal(downloaded.suggestedFilename(), 'analytics-by-model.csv');
  const csv = await readFile(await downloaded.path(), 'utf8');
  assert.ok(csv.startsWith('\u{feff}'));
  assert.deepEqual(
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(1, 3)),
    byModel.groups.map((group: Json) => [group.value, String(group.totals.requests)]),
  );
});

/** The last point of the chart of requests, reached with the arrow keys. */
async function exactByKeyboard(page: Page, last: Json): Promise<void> {
  const chart = page.getByRole('application', { name: /^Requests:/ });
  await chart.focus();
  const point = page.getByRole('status').filter({ hasText: 'Total' });
  // One point after the other, 24 hours and the one that goes on.
  for (let index = 0; index < 24; index++) {
    const before = await point.textContent();
    await chart.press('ArrowRight');
    await point.filter({ hasNotText: before ?? '' }).waitFor();
  }
  const { requests, cached, errors } = last;
  const text = (await point.textContent()) ?? '';
  assert.ok(text.includes('so far'), text);
  for (const [name, count] of [
    ['provider', requests - cached - errors],
    ['cache', cached],
    ['Errors', errors],
    ['Total', requests],
  ]) {
    assert.ok(text.includes(`${name} ${number.format(count)}`), `${name} ${count}: ${text}`);
  }
  await checkAccessibility(page);
}

/** The chart of requests as a table has each interval, with what the API says of it. */
async function sameAsTable(page: Page, series: Json[]): Promise<void> {
  await page.getByRole('button', { name: 'Show Requests as a table' }).click();
  const rows = await cellsOf(page.getByRole('table', { name: 'Requests' }));
  assert.equal(rows.length, 25);
  const filled = rows.filter((row) => row.at(-1) !== '0').map((row) => row.slice(1));
  const expected = series.map(({ requests, cached, errors }) =>
    [requests - cached - errors, cached, errors, requests].map((count) => number.format(count)),
  );
  assert.deepEqual(filled, expected);
  await page.getByRole('button', { name: 'Show Requests as a chart' }).click();
}

test('what is shown stands in the address, and stays while and where the next cannot be had', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/analytics`,
    browser: NARROW,
  });
  const day = await analytics(`since=${sinceAgo(DAY_MS)}`);
  await tile(page, 'Requests').getByText(number.format(day.totals.requests)).waitFor();
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last 30 days' });
  const month = day.totals.requests + DAY_BEFORE + 40;
  await tile(page, 'Requests').getByText(number.format(month)).waitFor();
  await tile(page, 'Requests').getByText('none in the previous period').waitFor();

  // Groups of one's own, one line or bar for each.
  await page.getByLabel('Break down by').selectOption({ label: 'Metadata…' });
  await page.getByLabel('Metadata key').fill('team');
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'By metadata “team”' });
  await table.getByRole('rowheader', { name: '<b>pay</b>' }).waitFor();
  await page.getByLabel('Show each value of metadata “team” in the charts').check();
  await page.waitForURL('**/analytics?range=30d&by=metadata.team&split=yes');
  await page.getByRole('application', { name: /^Duration \(p95\):/ }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'search' }).first().waitFor();
  await checkFits(page);
  await checkAccessibility(page);

  // A gateway leads to its logs.
  await page.getByLabel('Break down by').selectOption({ label: 'Gateway' });
  const link = page
    .getByRole('table', { name: 'By gateway' })
    .getByRole('link', { name: 'default', exact: true });
  assert.match((await link.getAttribute('href')) ?? '', /\/gateways\/default\/logs\?range=30d$/);
  await page.goBack();
  await table.waitFor();

  // Without an answer, the old one stays.
  await page.route('**/analytics?*', (route) => route.fulfill({ status: 400, body: '{}' }));
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last hour' });
  const alert = page.getByRole('alert').filter({ hasText: 'The page shows earlier figures' });
  await alert.waitFor();
  assert.ok(((await tile(page, 'Requests').textContent()) ?? '').includes(number.format(month)));
  await page.unroute('**/analytics?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await tile(page, 'Requests').getByText(number.format(day.totals.requests)).waitFor();
  await alert.waitFor({ state: 'detached' });

  // A time of one's own.
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'From … to …' });
  const [from, to] = [22 * DAY_MS, 18 * DAY_MS].map((agoMs) => sinceAgo(agoMs).slice(0, 10));
  await page.getByLabel('From', { exact: true }).fill(`${to}T00:00`);
  await page.getByLabel('To', { exact: true }).fill(`${from}T00:00`);
  await page.getByText('The end must be after the start.').waitFor();
  await page.getByLabel('From', { exact: true }).fill(`${from}T00:00`);
  await page.getByLabel('To', { exact: true }).fill(`${to}T00:00`);
  await page.getByRole('search').getByRole('button', { name: 'Show' }).first().click();
  await tile(page, 'Requests').getByText('40', { exact: true }).waitFor();
  await checkFits(page);

  // Nothing happened there at all.
  await page.goto(`${server.origin}${account}/ai-gateway/gateways/quiet/analytics`);
  await page.getByRole('heading', { name: 'No requests in this period' }).waitFor();
});
