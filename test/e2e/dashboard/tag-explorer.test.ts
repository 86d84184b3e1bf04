import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';
import { type Tagging, createTagging } from '../../tags/tagging.ts';

const COUNT = 2_400;
const PER_PAGE = 50;

let server: TestServer;
let browser: Browser;
let tagging: Tagging;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
  tagging = createTagging(server);
});
after(() => server.stop());

const ENVS = ['production', 'staging', 'dev', 'Production'];

let tagged: Promise<void> | undefined;

/** Some thousand resources whose tags follow from their numbers. */
function tagMany(): Promise<void> {
  tagged ??= tagging.bulk(
    Array.from({ length: COUNT }, (_, i) => ({
      op: 'put',
      resource_type: i % 3 === 0 ? 'zone' : 'worker',
      resource_id: `r${i}`,
      name: `Service ${i}`,
      tags: {
        env: ENVS[i % 4] ?? '',
        team: `team-${i % 7}`,
        serial: `s${i}`,
        ...(i % 5 === 0 && { owner: '' }),
        ...(i % 60 === 0 && { note: 'a,b\\c' }),
      },
    })),
  );
  return tagged;
}

/** The ids on the page that is shown. */
async function shownIds(page: Page): Promise<string[]> {
  // The title may be known before they are.
  await page.locator('#results[aria-busy=false]').waitFor();
  const rows = page.getByRole('table', { name: 'Resources' }).getByRole('rowheader');
  const texts = await rows.allInnerTexts();
  return texts.map((text) => /\s·\s(r\d+)$/.exec(text.trim())?.[1] ?? text);
}

/** Waits until so many resources are said to match; a title, as of "45 resources". */
async function counted(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
}

async function firstIds(...parameters: [string, string][]): Promise<string[]> {
  return (await tagging.ids(...parameters)).slice(0, PER_PAGE);
}

function conditions(page: Page) {
  return page.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
}

/** The request that is shown as a command gives the very page that is shown. */
async function checkCommand(page: Page): Promise<void> {
  const command = await page.getByRole('region', { name: 'command' }).textContent();
  const answer: Json = JSON.parse(await runInShell(command ?? '', { TOKEN: server.token }));
  assert.deepEqual(
    answer.result.map(({ id }: Json) => id),
    await shownIds(page),
  );
}

test('who has no tags is told what they are for, and how the first one comes', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  await page.getByRole('list', { name: 'Resources' }).getByRole('link', { name: 'Tags' }).click();
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
  await checkAccessibility(page);
  const command = await page.getByRole('region', { name: 'command' }).textContent();
  await page.getByRole('button', { name: 'Tag a resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag a resource' });
  await dialog.getByLabel('Type').selectOption('queue');
  await dialog.getByLabel('ID').fill('a/b c');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${account}/tags/queue/a%2Fb%20c`);
  // The command does what it says.
  await runInShell(command ?? '', { TOKEN: server.token });
  await page.goto(`${server.origin}${account}/tags`);
  await counted(page, '1 resource');
  await page.getByRole('link', { name: 'checkout-api' }).click();
  await page.waitForURL(`**${account}/tags/worker/checkout-api`);
  await tagging.clear();
});

test('a filter is built by keyboard, as text and by facets, and is the request it shows', async (t) => {
  await tagMany();
  const path = `${server.account}/tags`;
  const { page } = await openDashboard(t, server, browser, { path });
  await counted(page, '2,400 resources');
  await checkAccessibility(page);
  const { keyboard } = page;
  // A key and a value among the suggestions, another one that is typed.
  await page.getByRole('button', { name: 'Tag condition' }).focus();
  await keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Tag condition' });
  await form.getByRole('combobox', { name: 'Key' }).and(page.locator(':focus')).waitFor();
  await keyboard.type('en');
  await form.getByRole('option', { name: 'env' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await form.getByRole('option', { name: 'dev 600' }).waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await keyboard.press(key);
  await keyboard.type('staging');
  await keyboard.press('Enter');
  await form.getByText('env is dev or staging').waitFor();
  await keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Tag condition' }).and(page.locator(':focus')).waitFor();
  await counted(page, '1,200 resources');
  assert.deepEqual(await shownIds(page), await firstIds(['tag', 'env=dev,staging']));
  // Without a key; what is missing is said first.
  await keyboard.press('Enter');
  await form.getByRole('button', { name: 'Add condition' }).click();
  await form.getByText('Enter or choose a key.').waitFor();
  await form.getByRole('combobox', { name: 'Key' }).and(page.locator(':focus')).waitFor();
  await keyboard.type('owner');
  await form.getByLabel('Condition').selectOption("doesn't exist");
  await form.getByRole('button', { name: 'Add condition' }).click();
  await counted(page, 'More than 50 resources');
  const both: [string, string][] = [
    ['tag', 'env=dev,staging'],
    ['tag', '!owner'],
  ];
  assert.deepEqual(await shownIds(page), await firstIds(...both));
  await checkCommand(page);
  await page.getByText('that have env set to dev or staging and lack the key owner.').waitFor();
  // Page by page, and back.
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2', { exact: true }).waitFor();
  const all = await tagging.ids(...both);
  assert.deepEqual(await shownIds(page), all.slice(PER_PAGE, 2 * PER_PAGE));
  await checkCommand(page);
  await page.reload();
  await page.getByText('Page 2', { exact: true }).waitFor();
  assert.deepEqual(await shownIds(page), all.slice(PER_PAGE, 2 * PER_PAGE));
  await page.goBack();
  await page.getByText('Page 1', { exact: true }).waitFor();
  // A chip is changed, and taken away.
  await page.getByRole('button', { name: 'env is dev or staging', exact: true }).click();
  const change = page.getByRole('dialog', { name: 'Edit condition' });
  await change.getByRole('button', { name: 'Remove staging' }).click();
  await change.getByLabel('Condition').selectOption('has none of these values');
  await change.getByRole('button', { name: 'Change condition' }).click();
  await conditions(page).getByText('env is not dev').waitFor();
  await page.getByRole('button', { name: 'Remove: has no owner' }).click();
  await counted(page, '1,800 resources');
  await page.locator('li button:focus').getByText('env is not dev').waitFor();
  assert.deepEqual(await shownIds(page), await firstIds(['tag', 'env!=dev']));
  await page.goBack();
  await conditions(page).getByText('has no owner').waitFor();
  await page.goBack();
  await conditions(page).getByText('env is dev or staging').waitFor();
  // As text: it says the same, and the filter follows it.
  await page.getByRole('button', { name: 'Edit query string' }).click();
  const text = page.getByLabel('Query string');
  assert.equal(await text.inputValue(), 'tag=env=dev,staging&tag=!owner');
  await text.fill(`?tag=note=${encodeURIComponent(String.raw`a\,b\\c`)}&type=zone&name=SERVICE`);
  await counted(page, '40 resources');
  await checkCommand(page);
  await page.getByRole('tab', { name: 'URL', exact: true }).click();
  const address = await page.getByRole('region', { name: 'address' }).textContent();
  const headers = { authorization: `Bearer ${server.token}` };
  const answer: Json = await (await fetch(address ?? '', { headers })).json();
  assert.deepEqual(
    answer.result.map(({ id }: Json) => id),
    await shownIds(page),
  );
  await text.fill('env=production');
  await page.getByText('“env” is not a parameter of this list.').waitFor();
  await text.fill('tag=!env=production&tag=team');
  await page
    .getByRole('alert')
    .getByText('tag parameter must be in format key, key=value, key=v1,v2, !key or key!=value')
    .waitFor();
  await page.getByRole('button', { name: 'Remove: not understood: !env=production' }).click();
  await counted(page, '2,400 resources');
  assert.equal(await text.inputValue(), 'tag=team');
});

test('facets narrow the results, which are counted, exported and chosen', async (t) => {
  await tagMany();
  const path = `${server.account}/tags`;
  const { page } = await openDashboard(t, server, browser, { path });
  // What there is at all.
  const keys = page.getByRole('table', { name: 'Keys in use' });
  await keys.getByRole('row', { name: /^env .* 2,400$/ }).waitFor();
  await page.getByRole('searchbox', { name: 'Find a key' }).fill('no');
  await keys.getByRole('row', { name: /^env/ }).waitFor({ state: 'detached' });
  assert.equal(await keys.getByRole('row').count(), 2);
  await keys.getByRole('button', { name: 'note', exact: true }).click();
  await counted(page, '40 resources');
  const facets = page.getByRole('complementary', { name: 'Narrow results' });
  // All of them are known, so that they are counted too.
  await facets.getByRole('button', { name: 'Type zone 40 matches in 800' }).waitFor();
  await facets.getByRole('button', { name: 'owner 40 matches in 480' }).click();
  await facets.getByRole('button', { name: 'owner is (empty) 40 matches in 480' }).waitFor();
  await facets.getByRole('button', { name: 'env 40 matches in 2,400' }).click();
  const production = facets.getByRole('button', { name: /^env is production / });
  await production.click();
  await conditions(page).getByText('env is production').waitFor();
  await facets.getByRole('button', { name: /^env is dev / }).click();
  await conditions(page).getByText('env is production or dev').waitFor();
  await production.click();
  await facets.getByRole('button', { name: /^env is dev / }).click();
  await counted(page, '40 resources');
  await checkAccessibility(page);
  // Chosen ones lead to what is done with them.
  await page.getByRole('checkbox', { name: 'Select Service 60', exact: true }).check();
  await page.getByRole('button', { name: 'Edit tags of 1', exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  await page.getByRole('button', { name: 'Edit tags of 40', exact: true }).click();
  await page.getByRole('dialog', { name: 'Edit tags of 40 resources' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Edit tags of all 40 matching resources' }).click();
  await page.getByRole('dialog', { name: 'Edit tags of all matching resources' }).waitFor();
  await page.keyboard.press('Escape');
  // As a file.
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
  assert.equal(
    lines[0],
    '\u{feff}type,id,name,tags_updated_at,tag:env,tag:note,tag:owner,tag:serial,tag:team',
  );
  assert.equal(lines.length, 41);
  assert.match(lines[1] ?? '', /^zone,r0,Service 0,.*,production,"a,b\\c",,s0,team-0$/);
  // A tag of a resource asks for it too; a type, and the name while it is typed.
  await page.getByRole('button', { name: 'Show only serial s60', exact: true }).click();
  await conditions(page).getByText('serial is s60').waitFor();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page
    .getByRole('button', { name: /^Type worker/ })
    .first()
    .click();
  await counted(page, '1,600 resources');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('vice 1');
  await page.waitForURL('**name=vice+1*');
  const named: [string, string][] = [
    ['type', 'worker'],
    ['name', 'vice 1'],
  ];
  await counted(page, 'More than 50 resources');
  await page.getByRole('link', { name: 'Service 100', exact: true }).waitFor();
  assert.deepEqual(await shownIds(page), await firstIds(...named));
  await page.goBack();
  await counted(page, '1,600 resources');
  assert.equal(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue(), '');
});

test('limits are told as the API tells them, and case can be ignored', async (t) => {
  await tagMany();
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags`,
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByRole('button', { name: 'Edit query string' }).click();
  const text = page.getByLabel('Query string');
  const lacking = (count: number): string =>
    Array.from({ length: count }, (_, i) => `tag=!k${i}`).join('&');
  await text.fill(lacking(20));
  await counted(page, 'More than 50 resources');
  await page.getByText('No more conditions: too many tag filters (maximum 20)').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Tag condition' }).isDisabled());
  await checkFits(page);
  await text.fill(lacking(21));
  await page.getByRole('alert').getByText('too many tag filters (maximum 20)').waitFor();
  await page.getByRole('button', { name: 'Remove: has no k7' }).click();
  await counted(page, 'More than 50 resources');
  // Ten values, and one more.
  const values = Array.from({ length: 10 }, (_, i) => `s${i}`);
  await text.fill(`tag=serial=${values.join(',')}`);
  await page.getByRole('button', { name: /^serial is s0, s1/ }).click();
  const form = page.getByRole('dialog', { name: 'Edit condition' });
  await form.getByRole('combobox', { name: 'Values' }).fill('s10');
  await form.getByText('too many OR values in tag filter (maximum 10)').waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  await form.getByRole('combobox', { name: 'Values' }).fill('');
  await form.getByRole('combobox', { name: 'Key' }).fill('k'.repeat(257));
  await form.getByText('tag key too long (maximum 256 characters)').waitFor();
  await form.getByRole('combobox', { name: 'Key' }).fill('a b');
  await form.getByText('Invalid tag key').waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'ID', exact: true }).click();
  const ids = page.getByRole('dialog', { name: 'ID' });
  await ids.getByLabel('IDs').fill(Array.from({ length: 51 }, (_, i) => `r${i}`).join('\n'));
  await ids.getByText('id must NOT have more than 50 items').waitFor();
  await ids.getByLabel('IDs').fill('r4\nr5');
  await ids.getByRole('button', { name: 'Use these IDs' }).click();
  await counted(page, '2 resources');
  await text.fill('type=nope');
  await page.getByRole('alert').getByText('Invalid resource type').waitFor();
  // What is only there in another case.
  await text.fill('tag=ENV=PRODUCTION&id=r0&id=r3');
  await page.getByRole('heading', { name: 'No matching resources' }).waitFor();
  await checkFits(page);
  await page.getByRole('button', { name: 'Ignore case in tags' }).click();
  await counted(page, '2 resources');
  assert.ok(await page.getByRole('checkbox', { name: 'Ignore case in tags' }).isChecked());
  await page.getByRole('button', { name: 'API request' }).click();
  await checkCommand(page);
  await page.getByRole('button', { name: 'Narrow by type or tag' }).click();
  await checkFits(page);
  await checkAccessibility(page);
});

test('who may only look changes nothing, and who may not look is told why', async (t) => {
  await tagMany();
  const reader = await openDashboard(t, server, browser, {
    roles: ['administrator-read-only'],
    path: `${server.account}/tags`,
  });
  await counted(reader.page, '2,400 resources');
  assert.equal(await reader.page.getByRole('checkbox', { name: /^Select/ }).count(), 0);
  assert.equal(
    await reader.page.getByRole('button', { name: /Tag a resource|Edit tags/ }).count(),
    0,
  );
  await reader.page.getByText("Your role doesn't allow you to change tags").waitFor();
  const { page } = await openDashboard(t, server, browser, {
    roles: ['member'],
    path: `${server.account}/tags`,
  });
  await page.getByRole('heading', { name: "You can't view tags" }).waitFor();
  await page.getByText('Tag Admin').waitFor();
  await checkAccessibility(page);
});
