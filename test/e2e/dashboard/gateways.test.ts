import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { type Json, type TestServer, bootServer, request } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

// SQLite only: other tests store the same settings on both databases.
let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

function gatewaysPath(): string {
  return `${server.account}/ai-gateway/gateways`;
}

async function settingsOf(id: string): Promise<Json> {
  return (await server.call('GET', `${gatewaysPath()}/${id}`)).json.result;
}

const body = { model: 'local/echo', messages: [{ role: 'user', content: 'Hello' }] };

/** Sends a request to a gateway and returns its status: `ask` on the REST API, `askHost` on the gateway host. */
async function ask(gatewayId: string, token: string | null): Promise<number> {
  const headers = { 'cf-aig-gateway-id': gatewayId };
  const path = `${server.account}/ai/v1/chat/completions`;
  return (await server.call('POST', path, { token, headers, body })).status;
}

async function askHost(gatewayId: string, token: string): Promise<number> {
  const address = `${server.origin}/v1/${server.accountId}/${gatewayId}/local/chat/completions`;
  const headers = { 'cf-aig-authorization': `Bearer ${token}` };
  return (await request('POST', address, { headers, body: { ...body, model: 'echo' } })).status;
}

/** Waits until the log of a gateway contains the requests, which are written shortly after the response. */
async function logged(gatewayId: string, requests: number): Promise<void> {
  await eventually('all are logged', async () => {
    const { json } = await server.call('GET', `${gatewaysPath()}/${gatewayId}/logs?per_page=1`);
    return json.result_info.total_count === requests;
  });
}

/** Finds a card of the settings, which is saved separately. */
function card(page: Page, name: string): Locator {
  return page.getByRole('form', { name });
}

/** Saves a card, and waits until it has no unsaved changes. */
async function save(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Save' }).click();
  await form.locator('button[type=submit][aria-disabled=true]:not([aria-busy])').waitFor();
}

/** Creates a gateway without authentication, and opens its page. */
async function createOpenGateway(page: Page, id: string): Promise<void> {
  const name = page.getByLabel('Name');
  await name.fill('Front Desk');
  await page.getByText('Use lowercase letters.').waitFor();
  await name.fill('taken');
  await page.getByText('A gateway with this name already exists.').waitFor();
  await page.getByRole('button', { name: 'Create gateway' }).click();
  await page.locator('input[name=id]:focus').waitFor();
  await name.fill(id);
  await page.getByLabel('Any client that can reach this server').check();
  await page.getByRole('button', { name: 'Create gateway' }).click();
  await page.getByRole('heading', { name: id, level: 1 }).waitFor();
}

/** Creates a token in the open dialog. Returns its value and the example command. */
async function makeToken(page: Page): Promise<{ value: string; command: string }> {
  const dialog = page.getByRole('dialog', { name: /^Create an authentication token/ });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('front desk service');
  await dialog.getByLabel('Expires').selectOption({ label: 'Never' });
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'The token front desk service' });
  const value = (await shown.getByRole('status', { name: 'Token' }).textContent()) ?? '';
  await checkAccessibility(page);
  await shown.getByRole('tab', { name: 'Gateway host' }).click();
  const command = await shown.getByRole('region', { name: 'command' }).textContent();
  // The dialog asks for confirmation before the value is copied.
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Close without copying the token?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await shown.getByRole('button', { name: 'Copy', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  return { value, command: command ?? '' };
}

test('a gateway is made and made safe: a token, sent on each request, then the switch', async (t) => {
  await server.call('POST', gatewaysPath(), { body: gatewayBody('taken') });
  const { page, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/gateways`,
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await page.getByRole('link', { name: 'Create gateway' }).click();
  await createOpenGateway(page, 'front');
  assert.equal((await settingsOf('front')).authentication, false);
  const steps = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  await page.getByText('No token of this account is limited to this gateway').waitFor();

  await steps.first().getByRole('button', { name: 'Create token' }).click();
  const { value, command } = await makeToken(page);
  await steps.first().getByText('Done').waitFor();
  assert.deepEqual([await ask('front', value), await askHost('front', value)], [200, 200]);
  assert.match(await runInShell(command), /"content":"Hello"/);
  // The token is valid for this gateway only.
  assert.equal(await ask('taken', value), 401);
  assert.equal((await server.call('GET', gatewaysPath(), { token: value })).status, 403);

  // A request without a token was logged, and would be rejected.
  assert.equal(await ask('front', null), 200);
  await logged('front', 4);
  await page.reload();
  await page
    .getByText('3 of 4 requests of the last 24 hours had a valid token, 1 did not.')
    .waitFor();
  const today = page.getByRole('region', { name: 'Today' });
  await today.getByText('none yesterday', { exact: true }).first().waitFor();
  assert.match((await today.textContent()) ?? '', /^Requests4none yesterdayErrors0%0/);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const warning = page.getByRole('dialog', { name: 'Turn on Authenticated Gateway for front?' });
  await warning.getByText('1 of 4 requests of the last 24 hours had no valid token').waitFor();
  await checkAccessibility(page);
  await warning.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Authenticated', { exact: true }).waitFor();
  assert.deepEqual([await ask('front', null), await ask('front', value)], [401, 200]);

  // The dialog for turning it off states the consequences.
  const pages = page.getByRole('navigation', { name: 'Pages of front' });
  await pages.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL(`**${account}/ai-gateway/gateways/front/settings`);
  const lending = card(page, 'Stored keys for unauthenticated clients');
  await lending.getByLabel('Let all clients use the stored keys').check();
  await save(lending);
  await page.getByRole('button', { name: 'Turn off' }).click();
  const opening = page.getByRole('dialog', { name: 'Turn off Authenticated Gateway for front?' });
  await opening.getByText('Unauthenticated clients can use stored keys').waitFor();
  await opening.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Open', { exact: true }).waitFor();
  assert.equal(await ask('front', null), 200);
  assert.equal((await settingsOf('front')).allow_stored_keys_unauthenticated, true);
});

/** Changes and saves the settings without lists. */
async function fillGroups(page: Page): Promise<void> {
  const log = card(page, 'Logs');
  await log.getByLabel('Omit bodies').check();
  await log.getByLabel('Limit the number of logs').check();
  await log.getByRole('textbox', { name: 'Logs' }).fill('none');
  await log.getByRole('button', { name: 'Save' }).click();
  await log.getByText('Enter a whole number.').waitFor();
  await log.getByRole('textbox', { name: 'Logs' }).fill('5,000');
  await log.getByLabel('Stop logging').check();
  await log.getByText('Logging stops at 5,000 logs.').waitFor();
  await save(log);
  const cache = card(page, 'Cache');
  await cache.getByLabel('Cache responses').check();
  await cache.getByLabel('Duration', { exact: true }).fill('2');
  await cache.getByLabel('Duration: unit').selectOption({ label: 'hours' });
  await cache.getByText('repeats a request within 2 hours').waitFor();
  const rate = card(page, 'Rate limit');
  await rate.getByLabel('Limit requests').check();
  await rate.getByLabel('Requests', { exact: true }).fill('250');
  await rate.getByText('At most 250 requests per minute').waitFor();
  await rate.getByLabel('Sliding window').check();
  await rate.getByText('At most 250 requests in any period of 1 minute.').waitFor();
  // Two saves at once do not overwrite each other.
  await Promise.all([save(cache), save(rate)]);
  const retries = card(page, 'Retries');
  await retries.getByLabel('Provider calls').selectOption({ label: 'Up to 3 times' });
  await retries.getByLabel('Delay between').fill('200');
  await retries.getByLabel('Delay', { exact: true }).selectOption({ label: 'Exponential' });
  await retries.getByText('after a delay of 200 ms and 400 ms, 600 ms together').waitFor();
  await save(retries);
  await retries.getByLabel('Delay between').fill('9');
  await retries.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await retries.getByLabel('Delay between').inputValue(), '200');
}

/** Adds a rule for what each team spends on a model. */
async function addSpendRule(page: Page): Promise<void> {
  for (const label of ['Require a provider key', 'Trust the cost that clients state']) {
    const form = page.getByRole('form').filter({ has: page.getByLabel(label) });
    await form.getByLabel(label).check();
    await save(form);
  }
  const spend = card(page, 'Spend limits');
  await spend.getByRole('button', { name: 'Add rule' }).click();
  const rule = spend.getByRole('listitem', { name: 'Rule 2' });
  await rule.locator('input[name="rules.1.limit"]:focus').waitFor();
  await rule.getByLabel('US dollars').fill('20');
  await rule.getByLabel('Period', { exact: true }).selectOption({ label: 'Other period…' });
  await rule.getByLabel('Length of the window', { exact: true }).fill('12');
  await rule.getByLabel('Length of the window: unit').selectOption({ label: 'hours' });
  await rule.getByLabel('Window', { exact: true }).selectOption({ label: 'Sliding window' });
  await rule.getByLabel('Models', { exact: true }).selectOption({ label: 'Selected models only' });
  await spend.getByRole('button', { name: 'Save' }).click();
  await rule.getByText('Enter at least one value.').waitFor();
  // An API error in a collapsed rule expands it.
  await rule.getByLabel('Selected: Models').fill('x'.repeat(300));
  await rule.getByRole('button', { name: 'Close rule 2' }).click();
  await spend.getByRole('button', { name: 'Save' }).click();
  await rule.getByText('must NOT have more than 256 characters').waitFor();
  await rule.getByLabel('Selected: Models').fill('openai/gpt-5\nopenai/gpt-5-pro');
  await rule.getByRole('button', { name: 'Add metadata' }).click();
  await rule.getByLabel('Entry', { exact: true }).fill('team.name');
  await rule
    .getByText(
      'Up to $20.00 in any period of 12 hours, for each metadata team.name separately, of requests with model openai/gpt-5 or openai/gpt-5-pro.',
    )
    .waitFor();
  await save(spend);
}

test('every group of settings is explained, saved and refused by itself', async (t) => {
  const otel = [
    { url: 'https://otlp.example.com/', authorization: 'Bearer a-secret-of-some-length' },
  ];
  const rules = [{ id: 'first', limit: 100, limitType: 'cost', window: 86_400 }];
  const kept = { authentication: true, otel, spend_limits: { rules } };
  await server.call('POST', gatewaysPath(), { body: gatewayBody('settled', kept) });
  const path = `${server.account}/ai-gateway/gateways/settled/settings`;
  const { page } = await openDashboard(t, server, browser, { path, browser: NARROW });
  await fillGroups(page);
  await addSpendRule(page);

  // An API error marks the field and keeps the input.
  const collectors = card(page, 'OpenTelemetry');
  const first = collectors.getByRole('listitem', { name: 'Collector 1' });
  assert.equal(await first.getByLabel('Authorization').inputValue(), '…ngth');
  await collectors.getByRole('button', { name: 'Add collector' }).click();
  const second = collectors.getByRole('listitem', { name: 'Collector 2' });
  const url = second.getByLabel('URL');
  await url.fill('http://10.0.0.1/v1/traces');
  await second.getByRole('button', { name: 'Add header' }).click();
  await second.getByLabel('Name').fill('x-team');
  await second.getByLabel('Value').fill('search');
  await collectors.getByRole('button', { name: 'Save' }).click();
  await second.getByText('it must be an https URL').waitFor();
  assert.equal(await url.getAttribute('aria-invalid'), 'true');
  assert.equal(await second.getByLabel('Value').inputValue(), 'search');
  await checkFits(page);
  await checkAccessibility(page);
  await url.fill('https://spans.example.com');
  await second.getByLabel('Name').fill('host');
  await collectors.getByRole('button', { name: 'Save' }).click();
  await second.getByText('the header host is reserved').waitFor();
  await second.getByLabel('Name').fill('x-team');
  await save(collectors);

  const aliases = card(page, 'Model aliases');
  await aliases.getByRole('button', { name: 'Add alias' }).click();
  await aliases.getByLabel('Alias', { exact: true }).fill('fa/st');
  await aliases.getByLabel('Model', { exact: true }).fill('nowhere/x');
  await aliases.getByRole('button', { name: 'Save' }).click();
  await aliases.getByText('without spaces and slashes').waitFor();
  await aliases.getByLabel('Alias', { exact: true }).fill('fast.1');
  await aliases.getByRole('button', { name: 'Save' }).click();
  await aliases.getByText('unknown provider nowhere').waitFor();
  assert.equal(
    await aliases.getByLabel('Model', { exact: true }).getAttribute('aria-invalid'),
    'true',
  );
  await aliases.getByLabel('Model', { exact: true }).fill('openai/gpt-4o-mini');
  await save(aliases);

  const { spend_limits: limits, otel: sent, ...settings } = await settingsOf('settled');
  assert.deepEqual(
    { ...settings, created_at: undefined, modified_at: undefined },
    {
      id: 'settled',
      authentication: true,
      allow_stored_keys_unauthenticated: false,
      collect_logs: true,
      zdr: true,
      trust_custom_cost: true,
      byok_only: true,
      log_management: 5_000,
      log_management_strategy: 'STOP_INSERTING',
      cache_ttl: 7_200,
      cache_invalidate_on_update: true,
      rate_limiting_limit: 250,
      rate_limiting_interval: 60,
      rate_limiting_technique: 'sliding',
      retry_max_attempts: 3,
      retry_delay: 200,
      retry_backoff: 'exponential',
      model_aliases: { 'fast.1': 'openai/gpt-4o-mini' },
      logpush: false,
      workers_ai_billing_mode: 'postpaid',
      is_default: false,
      created_at: undefined,
      modified_at: undefined,
    },
  );
  assert.deepEqual(
    limits.rules.map(({ id: _id, ...rule }: Json) => rule),
    [
      {
        enabled: true,
        limit: 100,
        limitType: 'cost',
        window: 86_400,
        technique: 'fixed',
        unpriced: 'estimate',
      },
      {
        enabled: true,
        limit: 20,
        limitType: 'cost',
        window: 43_200,
        technique: 'sliding',
        unpriced: 'estimate',
        model: { mode: 'filter', values: ['openai/gpt-5', 'openai/gpt-5-pro'] },
        metadata: { 'team.name': { mode: 'partition' } },
      },
    ],
  );
  assert.equal(limits.rules[0].id, 'first');
  assert.deepEqual(
    sent.map(({ url: to, authorization }: Json) => [to, authorization]),
    [
      ['https://otlp.example.com/', '…ngth'],
      ['https://spans.example.com', undefined],
    ],
  );

  // Deletion requires the name.
  await page.getByRole('button', { name: 'Delete gateway' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete settled?' });
  assert.ok(await dialog.getByRole('button', { name: 'Delete gateway' }).isDisabled());
  await dialog.getByLabel('Type settled to confirm').fill('settled');
  await dialog.getByRole('button', { name: 'Delete gateway' }).click();
  await page.waitForURL(`**${server.account}/ai-gateway/gateways`);
  assert.equal((await server.call('GET', `${gatewaysPath()}/settled`)).status, 404);
});

test('among many gateways one is found, and those without the role see why not', async (t) => {
  const ids = Array.from({ length: 120 }, (_id, index) => `many-${index + 100}`);
  await Promise.all(
    ids.map((id) => server.call('POST', gatewaysPath(), { body: gatewayBody(id) })),
  );
  // More than any other had.
  for (let count = 0; count < 9; count++) await ask('many-217', server.token);
  await logged('many-217', 9);
  const { page } = await openDashboard(t, server, browser, {
    path: gatewaysPath(),
    roles: ['administrator-read-only'],
  });
  const rows = page.getByRole('table', { name: 'Gateways' }).getByRole('row');
  await page.getByText("Your role doesn't allow you to create or change gateways").waitFor();
  assert.ok(await page.getByRole('button', { name: 'Create gateway' }).isDisabled());
  assert.equal(await rows.count(), 101);
  const order = page.getByLabel('Order');
  await page
    .getByRole('region', { name: 'Today' })
    .getByText(/^since/)
    .waitFor();
  await order.selectOption({ label: 'Most requests today' });
  await rows.nth(1).getByRole('link', { name: 'many-217' }).waitFor();
  await page.getByLabel('Search by name').fill('217');
  await page.getByText(/^1 of \d+ gateways$/).waitFor();
  assert.match((await rows.nth(1).textContent()) ?? '', /^many-217.*Authenticated.*9.*0.*\$0/);
  await checkAccessibility(page);

  await page.getByRole('link', { name: 'many-217' }).click();
  await page
    .getByText("Your role doesn't allow you to create tokens or turn off authentication")
    .waitFor();
  assert.ok(await page.getByRole('button', { name: 'Create token' }).isDisabled());
  await page.getByRole('link', { name: 'Rate limit' }).click();
  await page.getByText("Your role doesn't allow you to change the settings").waitFor();
  assert.ok(await page.getByLabel('Limit requests').isDisabled());
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);

  // An AI Gateway Admin can change the gateway, but cannot create a token for it.
  const admin = await openDashboard(t, server, browser, {
    path: `${gatewaysPath()}/many-217`,
    roles: ['ai-gateway-admin'],
    browser: NARROW,
  });
  await admin.page.getByText("Your role doesn't allow you to create tokens").waitFor();
  assert.ok(await admin.page.getByRole('button', { name: 'Create token' }).isDisabled());
  assert.ok(await admin.page.getByRole('button', { name: 'Turn off' }).isEnabled());
  await checkFits(admin.page);
});
