import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

// One database will do: what is stored here is stored by tests without a browser on both.
let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
  const path = `${server.account}/ai-gateway/gateways`;
  assert.equal((await server.call('POST', path, { body: gatewayBody('production') })).status, 200);
});
after(() => server.stop());

/** The tokens of the account with a name. */
async function tokensNamed(name: string): Promise<Json[]> {
  const path = `${server.account}/tokens?per_page=1000&include_expired=true`;
  const { json } = await server.call('GET', path);
  return json.result.filter((token: Json) => token.name === name);
}

async function statusWith(token: string, path = '/tokens/verify'): Promise<number> {
  return (await server.call('GET', server.account + path, { token })).status;
}

/** What a token is made of, without what each has of its own. */
function definitionOf({ name, policies, not_before, expires_on, condition }: Json): Json {
  const rules = policies.map(({ id: _id, ...policy }: Json) => policy);
  return { name, policies: rules, not_before, expires_on, condition };
}

/** Opens the menu of a row of the list, and takes an item of it. */
async function pick(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

// Time enough for a second click.
const SLOW_MS = 300;

const NAME = `Ada's "checkout" $HOME`;

/** Fills in a token with two policies, but for its addresses. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  const first = page.getByRole('region', { name: 'Policy 1' });
  await first.getByLabel('Search permissions').fill('oauth');
  await first.getByLabel('OAuth Clients Write').check({ force: true });
  await first.getByLabel('Search permissions').fill('');
  await first.getByLabel('AI Gateway Run').check({ force: true });
  await page.getByRole('button', { name: 'Add policy' }).click();
  const second = page.getByRole('region', { name: 'Policy 2' });
  await second.getByLabel('Deny').check();
  await second.getByLabel('AI Gateway Run').check({ force: true });
  await second.getByLabel('Selected AI gateways').check();
  await second.getByLabel('production').check();
  await second.getByLabel('Another gateway').fill('staging');
  await second.getByLabel('Another gateway').press('Enter');
  await page.getByRole('button', { name: '1 year' }).click();
}

test('a token is built, refused, mended, made once, and its value is shown once', async (t) => {
  const { page, context, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/tokens`,
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await page.getByRole('link', { name: 'Create token' }).click();
  await fillIn(page);
  const result = page.getByRole('complementary', { name: 'Result' });
  await result.getByText('Allowed, in the whole account').waitFor();
  await result
    .getByText(/^Denied, in the AI gateway production and the AI gateway staging/)
    .waitFor();

  // What the API refuses is marked where it was filled in, and nothing is lost.
  const from = page.getByLabel('Allowed addresses');
  await from.fill('127.0.0.0/8\n10.0.0.0/33');
  const save = page.getByRole('button', { name: 'Create token' });
  await save.click();
  await page.getByText('10.0.0.0/33 is neither an address nor a CIDR range').waitFor();
  assert.equal(await from.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), NAME);
  await checkAccessibility(page);
  assert.deepEqual(await tokensNamed(NAME), []);
  await from.fill('127.0.0.0/8');

  const shown = await result.getByRole('region', { name: 'JSON' }).textContent();
  await result.getByRole('tab', { name: 'curl' }).click();
  const command = await result.getByRole('region', { name: 'command' }).textContent();

  // The first answer is lost, the second slow; whoever clicks again, and twice, gets one token.
  const keys: (string | undefined)[] = [];
  await page.route(`**${account}/tokens`, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    if (keys.length === 1) return route.fulfill({ status: 502, body: 'Bad gateway' });
    await setTimeout(SLOW_MS);
    return route.fulfill({ response });
  });
  await save.click();
  await page.getByText('The server answered with status 502').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), NAME);
  await save.dblclick();
  const shownValue = page.getByRole('status', { name: 'Token', exact: true });
  const value = (await shownValue.textContent()) ?? '';
  assert.ok(value.startsWith('lkat_'));
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.match(keys[0] ?? '', /^[0-9a-f-]{32,}$/);
  const [made, ...others] = await tokensNamed(NAME);
  assert.deepEqual(others, []);

  // The JSON and the command make the same token.
  const posted = await server.call('POST', `${account}/tokens`, { body: shown ?? '' });
  assert.deepEqual(definitionOf(posted.json.result), definitionOf(made));
  const stdout = await runInShell(command ?? '', { TOKEN: server.token });
  assert.deepEqual(definitionOf(JSON.parse(stdout).result), definitionOf(made));
  for (const { id } of [posted.json.result, JSON.parse(stdout).result]) {
    await server.call('DELETE', `${account}/tokens/${id}`);
  }

  // It may do exactly what was built.
  assert.deepEqual(
    [await statusWith(value), await statusWith(value, '/oauth_clients')],
    [200, 200],
  );
  assert.equal(await statusWith(value, '/members'), 403);
  const run = allowPolicy(server.accountId, ['ai-gateway.run']).permission_groups[0]?.id;
  const { policies } = made;
  assert.deepEqual(
    policies.map(({ effect }: Json) => effect),
    ['allow', 'deny'],
  );
  assert.deepEqual(policies[1].permission_groups, [{ id: run, name: 'AI Gateway Run' }]);
  assert.equal(Object.keys(policies[1].resources).length, 2);

  // The only moment at which it can be copied is not left by mistake.
  await checkAccessibility(page);
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Close without copying the token?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), value);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('link', { name: NAME }).waitFor();
  await context.clearPermissions();
  await liveOn(page, value);
});

/** Rolls, disables, enables and deletes the token that was made. */
async function liveOn(page: Page, first: string): Promise<void> {
  await pick(page, NAME, 'Roll');
  await page.getByRole('button', { name: 'Roll token' }).click();
  const dialog = page.getByRole('dialog', { name: `New value of ${NAME}` });
  const value =
    (await dialog.getByRole('status', { name: 'Token', exact: true }).textContent()) ?? '';
  assert.deepEqual([await statusWith(first), await statusWith(value)], [401, 200]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });

  const row = page.getByRole('row').filter({ hasText: NAME });
  await pick(page, NAME, 'Disable');
  await page.getByRole('button', { name: 'Disable token' }).click();
  await row.getByText('Disabled').waitFor();
  assert.equal(await statusWith(value), 401);
  await pick(page, NAME, 'Enable');
  await page.getByRole('button', { name: 'Enable token' }).click();
  await row.getByText('Active').waitFor();
  assert.equal(await statusWith(value), 200);

  await pick(page, NAME, 'Delete');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Delete token' }).click();
  // No row is to be found as long as the dialog is above them.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  assert.equal(await statusWith(value), 401);
  // The button that opened the dialog is gone: the focus is on the page, not nowhere.
  await page.locator('main:focus').waitFor();
}

test('what is not touched in the form stays to the letter', async (t) => {
  const account = `com.example.api.account.${server.accountId}`;
  const [run] = allowPolicy(server.accountId, ['ai-gateway.run']).permission_groups;
  const [write] = allowPolicy(server.accountId, ['tags.write']).permission_groups;
  const { json } = await server.call('POST', `${server.account}/tokens`, {
    body: {
      name: 'before',
      policies: [
        {
          effect: 'allow',
          permission_groups: [write, run],
          resources: { [account]: '*', [`${account}.ai-gateway.elsewhere`]: '*' },
        },
        { effect: 'deny', permission_groups: [run], resources: { [account]: '*' } },
      ],
      not_before: '2020-01-01T10:20:30.456Z',
      expires_on: '2098-12-31T23:59:59.999Z',
      condition: { 'request.ip': { in: ['10.0.0.0/8', '::/0'], not_in: ['10.1.2.3'] } },
    },
  });
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tokens/${json.result.id}`,
  });
  await page.getByLabel('Name', { exact: true }).fill('after');

  // Leaving with it unsaved asks; then it is saved.
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save token' }).click();
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  const [after] = await tokensNamed('after');
  assert.deepEqual(definitionOf(after), { ...definitionOf(json.result), name: 'after' });
});

test('the list comes in pages, and its address leads back to where one was', async (t) => {
  for (let count = 0; count < 21; count++) await server.createToken(['tags.read']);
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/tokens`,
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByText('page 1 of 2').waitFor();
  await checkFits(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('page 2 of 2').waitFor();
  await page.getByRole('link', { name: 'First token' }).click();
  await page.getByRole('heading', { level: 1, name: 'First token' }).waitFor();
  await checkFits(page);
  await page.goBack();
  await page.getByText('page 2 of 2').waitFor();
  await page.getByLabel('Order').selectOption('Oldest first');
  await page.getByText('page 1 of 2').waitFor();
  await page.getByRole('link', { name: 'First token' }).waitFor();
});

test('who may not make tokens is told why, and sees what the role shows', async (t) => {
  const { id } = await server.createToken(['tags.read']);
  const { page, account } = await openDashboard(t, server, browser, {
    roles: ['administrator-read-only'],
    path: `${server.account}/tokens`,
  });
  await page.getByText("Your role doesn't allow you to create or change API tokens").waitFor();
  assert.equal(await page.getByRole('link', { name: 'Create token' }).count(), 0);
  await page.goto(`${server.origin}${account}/tokens/${id}`);
  await page.getByText('Read Tags').waitFor();
  await checkAccessibility(page);
  assert.equal(await page.getByRole('button', { name: 'Roll' }).count(), 0);
  await page.goto(`${server.origin}${account}/tokens/new`);
  await page.getByText('Super Administrator, Administrator or API Token Provisioning.').waitFor();

  const other = await openDashboard(t, server, browser, {
    roles: ['member'],
    path: `${server.account}/tokens`,
  });
  await other.page.getByText('Administrator Read Only or API Token Provisioning.').waitFor();
});
