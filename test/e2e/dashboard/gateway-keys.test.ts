import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type TestServer, bootServer } from '../../support/server.ts';
import { type Upstream, headerOf, startUpstream } from '../../support/upstream-process.ts';

const FIRST_KEY = 'sk-first-0123456789abcdef';
const BATCH_KEY = 'sk-batch-0123456789abcdef';
const NEW_KEY = 'sk-newer-0123456789abcdef';
const NARROW = { viewport: { width: 360, height: 740 } };

let upstream: Upstream;
let server: TestServer;
let browser: Browser;
before(async () => {
  upstream = await startUpstream();
  server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
      UPSTREAM_ALLOW: new URL(upstream.baseUrl).host,
    },
  });
  browser = await sharedBrowser();
});
after(async () => {
  await server.stop();
  await upstream.stop();
});

async function createGateway(id: string, fields: object = {}): Promise<string> {
  const path = `${server.account}/ai-gateway/gateways`;
  const { status, text } = await server.call('POST', path, { body: gatewayBody(id, fields) });
  assert.equal(status, 200, text);
  return `${path}/${id}`;
}

/** One completion through a gateway. */
function complete(
  gateway: string,
  model: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    headers: { 'cf-aig-gateway-id': gateway, ...headers },
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  });
}

/** The key with which the provider is called. */
async function keySent(gateway: string, headers: Record<string, string> = {}): Promise<unknown> {
  const { status, text } = await complete(gateway, 'openai/plain', headers);
  assert.equal(status, 200, text);
  return headerOf(await upstream.lastSent(), 'authorization');
}

async function pick(page: Page, what: string, deed: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${what}` }).click();
  await page.getByRole('menuitem', { name: deed }).click();
}

test('a key is stored, used, replaced and deleted, and never shown', async (t) => {
  const path = await createGateway('keys');
  const { page } = await openDashboard(t, server, browser, { path: `${path}/keys` });
  await page.getByText('No keys yet').waitFor();
  await page.getByRole('button', { name: 'Add key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a key' });
  const add = dialog.getByRole('button', { name: 'Add key' });

  // What can be seen to be wrong is said before anything is sent, beside its field.
  const key = dialog.getByLabel('Key', { exact: true });
  await add.click();
  await dialog.getByText('Choose a provider.').waitFor();
  await dialog.getByLabel('Provider').selectOption('Google Vertex AI');
  await key.fill('{"client_email": "a@b", ');
  await add.click();
  await dialog.getByText('The JSON is incomplete').waitFor();
  await dialog.getByLabel('Provider').selectOption('OpenAI');
  await key.fill(`Bearer ${FIRST_KEY}`);
  await add.click();
  await dialog.getByText('Remove “Bearer”').waitFor();
  assert.equal(await key.getAttribute('aria-invalid'), 'true');
  await checkAccessibility(page);
  await key.fill(FIRST_KEY);
  await add.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: '…cdef' }).getByText('By default').waitFor();
  assert.equal((await page.content()).includes(FIRST_KEY), false);
  assert.equal(await keySent('keys'), `Bearer ${FIRST_KEY}`);

  // What only the server knows comes to its field as well, and what was typed stays.
  await page.getByRole('button', { name: 'Add key' }).click();
  await dialog.getByLabel('Provider').selectOption('OpenAI');
  await key.fill(BATCH_KEY);
  await dialog.getByText('Replaces main as the default').waitFor();
  await dialog.getByLabel('Use by default').uncheck();
  await add.click();
  await dialog.getByText('already has a key of this provider with this alias').waitFor();
  assert.equal(await key.inputValue(), BATCH_KEY);
  await dialog.getByLabel('Alias').fill('batch');
  // Whoever closes it by mistake is asked.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stay' }).click();
  await add.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'batch' }).getByText('By alias').waitFor();
  assert.equal(await keySent('keys', { 'cf-aig-byok-alias': 'batch' }), `Bearer ${BATCH_KEY}`);
  assert.equal(await keySent('keys'), `Bearer ${FIRST_KEY}`);
  await replaceAndDelete(page);
});

async function replaceAndDelete(page: Page): Promise<void> {
  await pick(page, 'main of openai', 'Edit or replace');
  const dialog = page.getByRole('dialog', { name: 'Key main of OpenAI' });
  await dialog.getByLabel('New key').fill(NEW_KEY);
  await dialog.getByLabel('Requests').fill('1.5');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await dialog.getByText('Enter a whole number from 1').waitFor();
  await dialog.getByLabel('Requests').fill('1');
  await dialog.getByLabel('Seconds').fill('2592000');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('1 request every 30 days').waitFor();
  assert.equal(await keySent('keys'), `Bearer ${NEW_KEY}`);
  assert.equal((await complete('keys', 'openai/plain')).status, 429);

  await pick(page, 'batch of openai', 'Make default');
  await page.getByRole('row').filter({ hasText: 'batch' }).getByText('By default').waitFor();
  assert.equal(await keySent('keys'), `Bearer ${BATCH_KEY}`);

  await pick(page, 'batch of openai', 'Delete');
  const question = page.getByRole('dialog', { name: 'Delete the key batch of openai?' });
  await question.getByText('make main the default first').waitFor();
  await checkAccessibility(page);
  await question.getByRole('button', { name: 'Delete key' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'batch' }).waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  assert.equal(await keySent('keys'), undefined);
  const refused = await complete('keys', 'openai/plain', { 'cf-aig-byok-alias': 'batch' });
  assert.equal(refused.json.error.code, '2040');
}

test('a provider of one’s own is added, reached with a key, switched off and deleted', async (t) => {
  const gateway = await createGateway('own');
  const path = `${server.account}/ai-gateway/custom-providers`;
  const { page } = await openDashboard(t, server, browser, { path, browser: NARROW });
  await page.getByText('No custom providers yet').waitFor();
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a provider' });
  await dialog.getByLabel('Name').fill('Große Modelle');
  assert.equal(await dialog.getByLabel('Slug').inputValue(), 'grosse-modelle');
  const baseUrl = dialog.getByLabel('Base URL');
  const add = dialog.getByRole('button', { name: 'Add provider' });

  // The reason comes while it is typed, the refusal from the server.
  await baseUrl.fill('http://10.9.8.7:8000/v1');
  await dialog.getByText('This host is not on the public Internet.').waitFor();
  await dialog.getByText('10.9.8.7:8000', { exact: true }).waitFor();
  await checkAccessibility(page);
  await checkFits(page);
  await add.click();
  await dialog.getByText('Invalid base_url: it must be an https URL').waitFor();
  assert.equal(await baseUrl.getAttribute('aria-invalid'), 'true');
  await baseUrl.fill(`${server.origin}/v1`);
  await dialog.getByText('This URL belongs to this server.').waitFor();
  await baseUrl.fill(upstream.baseUrl);
  await dialog.getByLabel('Link').fill('javascript:alert(1)');
  await add.click();
  await dialog.getByText('link must be an http or https URL').waitFor();
  await dialog.getByLabel('Link').fill('https://wiki.example.com/models');
  await add.click();

  const reach = page.getByRole('dialog', { name: 'Added Große Modelle' });
  await reach.getByLabel('Gateway').selectOption('own');
  const address = `/v1/${server.accountId}/own/custom-grosse-modelle`;
  await reach.getByText(server.origin + address, { exact: true }).waitFor();
  await checkAccessibility(page);
  await checkFits(page);
  await reach.getByRole('link', { name: 'Store it in own' }).click();
  const keyDialog = page.getByRole('dialog', { name: 'Add a key' });
  const chosen = keyDialog.getByLabel('Provider');
  assert.equal(await chosen.inputValue(), 'custom-grosse-modelle');
  await keyDialog.getByLabel('Key', { exact: true }).fill('own-key-0123456789');
  await checkFits(page);
  await keyDialog.getByRole('button', { name: 'Add key' }).click();
  await page.getByRole('rowheader').getByText('Große Modelle').waitFor();
  await checkFits(page);
  assert.equal(new URL(page.url()).pathname, `${gateway}/keys`);
  assert.equal((await complete('own', 'custom-grosse-modelle/plain')).status, 200);
  const { url, headers } = await upstream.lastSent();
  assert.equal(url, '/v1/chat/completions');
  assert.equal(headerOf({ headers }, 'authorization'), 'Bearer own-key-0123456789');
  await page.goto(server.origin + path);
  await switchAndDelete(page);
});

async function switchAndDelete(page: Page): Promise<void> {
  const model = 'custom-grosse-modelle/plain';
  const link = page.getByRole('link', { name: 'Große Modelle' });
  assert.equal(await link.getAttribute('href'), 'https://wiki.example.com/models');
  await checkFits(page);
  await pick(page, 'Große Modelle', 'Disable');
  await page.getByRole('button', { name: 'Disable provider' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('cell').getByText('Disabled', { exact: true }).waitFor();
  assert.equal((await complete('own', model)).json.error.code, '2008');

  await page.getByLabel('Search by name, slug or ID').fill('nothing');
  await page.getByText('No matching providers').waitFor();
  await page.getByLabel('Search by name, slug or ID').fill('modelle');
  await page.getByLabel('Status').selectOption('Disabled');
  await link.waitFor();
  await page.waitForURL((url) => url.search === '?search=modelle&show=off');
  await pick(page, 'Große Modelle', 'Enable');
  await page.getByText('No matching providers').waitFor();
  await page.getByRole('button', { name: 'Show all providers' }).click();
  assert.equal((await complete('own', model)).status, 200);

  // Where gateways keep keys for it, its address stays.
  await pick(page, 'Große Modelle', 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Change Große Modelle' });
  await dialog.getByLabel('Base URL').fill('https://models.example.com/v1');
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await dialog.getByText('Gateways store keys for this provider').waitFor();
  await dialog.getByLabel('Base URL').fill(upstream.baseUrl);
  await dialog.getByLabel('Name').fill('Models');
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await dialog.waitFor({ state: 'detached' });

  await pick(page, 'Models', 'Delete');
  await page.getByLabel('Type grosse-modelle to confirm').fill('grosse-modelle');
  await page.getByRole('button', { name: 'Delete provider' }).click();
  await page.getByText('No custom providers yet').waitFor();
  assert.equal((await complete('own', model)).json.error.code, '2008');
}

test('who may not change them sees why, and what there is to see', async (t) => {
  const path = await createGateway('seen');
  const key = { alias: 'main', default_config: true, provider_slug: 'openai', secret: FIRST_KEY };
  await server.call('POST', `${path}/provider_configs`, { body: key });
  const { page, account } = await openDashboard(t, server, browser, {
    roles: ['administrator-read-only'],
    path: `${path}/keys`,
  });
  await page.getByText("Your role doesn't allow you to add or change keys").waitFor();
  await page.getByText('Requires the role').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add key' }).isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: /^Actions/ }).count(), 0);
  await page.goto(`${server.origin}${account}/ai-gateway/custom-providers`);
  await page.getByText("Your role doesn't allow you to add or change custom providers").waitFor();
});

test('spend limits fill with requests, and say when they are near and reached', async (t) => {
  const window = 31_536_000;
  const path = await createGateway('money', {
    spend_limits: {
      rules: [
        { limit: 10, limitType: 'cost', window },
        { limit: 4, limitType: 'cost', window, metadata: { team: { mode: 'partition' } } },
        { limit: 1, limitType: 'cost', window, enabled: false },
      ],
    },
  });
  const spend = async (dollars: number, team: string): Promise<number> => {
    const price = { per_token_in: dollars / 2, per_token_out: dollars / 2 };
    const { status } = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: {
        'cf-aig-gateway-id': 'money',
        'cf-aig-custom-cost': JSON.stringify(price),
        'cf-aig-metadata': JSON.stringify({ team }),
      },
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'Hello' }] },
    });
    return status;
  };
  const { page } = await openDashboard(t, server, browser, { path });
  const limits = page.locator('section').filter({ hasText: 'Spend limits' });
  await limits.getByText('$0.00 of $10.00').waitFor();
  await limits.getByText('No spending in this period yet.').waitFor();
  await limits.getByText('One more rule is disabled.').waitFor();

  for (const [dollars, team] of [
    [3.5, 'red'],
    [5, 'blue'],
    [0.004, 'green'],
  ] as const) {
    assert.equal(await spend(dollars, team), 200);
  }
  // What a request costs is counted after its answer.
  await eventually('blue has spent it', async () => (await spend(0.000_001, 'blue')) === 429);
  await page.reload();
  const whole = limits.getByRole('meter', { name: '$10.00 every 365 days' });
  await whole.waitFor();
  assert.equal(await whole.getAttribute('aria-valuetext'), '$8.50 of $10.00, 85%');
  const teams = limits.getByRole('meter', { name: /^team / });
  const names = (await teams.all()).map((meter) => meter.getAttribute('aria-label'));
  assert.deepEqual(await Promise.all(names), ['team blue', 'team red', 'team green']);
  assert.equal(await limits.getByText('Near the limit').count(), 2);
  assert.equal(await limits.getByText('Limit reached').count(), 1);
  await limits.getByText('$5.00 of $4.00 · 125%').waitFor();
  await limits.getByText('Requests are rejected. Money becomes available again').waitFor();
  await checkAccessibility(page);
  await limits.getByRole('link', { name: 'Change limits' }).click();
  await page.waitForURL((url) => url.pathname === `${path}/settings`);
});
