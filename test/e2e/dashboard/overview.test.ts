import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { createClient } from '../../oauth/client-bodies.ts';
import { addAccount } from '../../oauth/consent-form.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { addMember, createPerson, signInAs } from '../../support/people.ts';
import { type TestServer, allowPolicy, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';

const FIVE_DAYS_MS = 5 * 86_400_000;

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

const stepOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

test('an empty account says what to do first, and what of it is done', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, { path: '/profile' });
  const empty = await addAccount(server, person.userId, 'Fresh', {
    roles: ['super-administrator'],
  });
  const account = `/accounts/${empty}`;
  await page.goto(server.origin + account);
  await page.getByText('0 of 5 done').waitFor();
  await checkAccessibility(page);
  // The first place that it leads to.
  await stepOf(page, 'Invite a colleague').getByRole('link').click();
  await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  // The command works as it stands, with the value of a token.
  const step = stepOf(page, 'Call the API');
  const command = await step.getByRole('region', { name: 'Command to try' }).innerText();
  const session = await signInAs(server, person.userId);
  const { json } = await server.call('POST', `${account}/tokens`, {
    token: null,
    headers: session,
    body: { name: 'first', policies: [allowPolicy(empty, ['tags.read'])] },
  });
  const verified = JSON.parse(await runInShell(command, { TOKEN: json.result.value }));
  assert.equal(verified.result.id, json.result.id);
  await server.app.database.transaction((tx) =>
    // The server itself takes up to a minute to write this.
    tx
      .updateTable('api_tokens')
      .set({ last_used_at: Date.now() })
      .where('id', '=', json.result.id)
      .execute(),
  );
  const colleague = await createPerson(server, {});
  await addMember(server, colleague.userId, empty, ['member']);
  await page.reload();
  await page.getByText('2 of 5 done').waitFor();
  await stepOf(page, 'Call the API').getByText('done').waitFor();
  // Whoever knows all that puts it away, and it stays away.
  await page.getByRole('button', { name: 'Dismiss first steps' }).click();
  await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(`document.activeElement.id`), 'main');
  await page.reload();
  await page.getByRole('button', { name: 'Show first steps' }).click();
  await page.getByText('2 of 5 done').waitFor();
  await server.call('POST', `${account}/ai-gateway/gateways`, {
    token: null,
    headers: session,
    body: gatewayBody('first'),
  });
  // The last thing of the account: it is new no more.
  await server.call('POST', `${account}/oauth_clients`, {
    token: null,
    headers: session,
    body: {
      client_name: 'App',
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['https://app.example.com/callback'],
      scopes: ['tags.read'],
    },
  });
  await page.reload();
  await page.getByRole('link', { name: 'Your sign-in' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
});

test('what needs attention is on the overview, and a failing list keeps nothing else away', async (t) => {
  const client = await createClient(server, { client_name: 'Ledger Sync' });
  await server.call('POST', `${server.account}/oauth_clients/${client.client_id}/rotate_secret`);
  await server.call('POST', `${server.account}/tokens`, {
    body: {
      name: 'checkout service',
      policies: [allowPolicy(server.accountId, ['tags.read'])],
      expires_on: new Date(Date.now() + FIVE_DAYS_MS).toISOString().replace(/\.\d+/, ''),
    },
  });
  const { page, account } = await openDashboard(t, server, browser, {
    browser: { viewport: { width: 360, height: 740 } },
  });
  const attention = page.locator('section', {
    has: page.getByRole('heading', { name: 'Needs attention' }),
  });
  await attention.getByText('Two secrets are active').waitFor();
  await attention.getByText('This API token expires in 4 days.').waitFor();
  await page.getByText('Rotated the secret of an OAuth client').waitFor();
  await checkFits(page);
  // On a telephone the places are behind a button.
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await checkAccessibility(page);
  await menu.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  await checkFits(page);
  await page.keyboard.press('Escape');
  // The tokens cannot be read just now.
  const tokens = `**${account}/tokens?**`;
  await page.route(tokens, (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(server.origin + account);
  await attention.getByText('Two secrets are active').waitFor();
  await page.getByRole('alert').filter({ hasText: 'answered with status 503' }).waitFor();
  await page.unroute(tokens);
  await page.getByRole('button', { name: 'Try again' }).click();
  await attention.getByRole('link', { name: 'checkout service' }).waitFor();
});

test('who may read nothing but the settings is asked for nothing else', async (t) => {
  const refused: string[] = [];
  const { page, account } = await openDashboard(t, server, browser, {
    path: '/profile',
    roles: ['member'],
  });
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.goto(server.origin + account);
  await page.getByText('Your role here: Member').waitFor();
  await page.getByRole('link', { name: 'Your sign-in' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Settings' }).waitFor();
  assert.equal(await page.getByRole('option', { name: /Invite|Create|Members/ }).count(), 0);
  assert.deepEqual(refused, []);
});

test('everything can be reached by typing a few letters of it', async (t) => {
  await createClient(server, { client_name: 'Paper Mill' });
  const { page, account } = await openDashboard(t, server, browser);
  await page.getByRole('heading', { name: 'First account', level: 1 }).waitFor();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const box = palette.getByRole('combobox', { name: 'Search and commands' });
  const chosen = palette.getByRole('option', { selected: true });
  const open = async (): Promise<void> => {
    await page.keyboard.press('Control+k');
    await box.and(page.locator(':focus')).waitFor();
  };
  // It is closed as it was opened, or with Escape, and the focus is where it was.
  await page.getByRole('button', { name: 'Search' }).focus();
  await open();
  await checkAccessibility(page);
  await page.keyboard.press('Control+k');
  await palette.waitFor({ state: 'detached' });
  await open();
  await page.keyboard.type('xyzzy');
  await palette.getByText('No results.').waitFor();
  await palette.getByRole('status').filter({ hasText: '0 results' }).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(`document.activeElement.innerText.includes('Search')`), true);
  // A place, with the arrows; its page has the focus then.
  await open();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await chosen.filter({ hasText: /^OAuth clients$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${account}/oauth-clients`);
  await page.locator('main:focus').waitFor();
  // A deed, by words in any order.
  await open();
  await page.keyboard.type('member new');
  await chosen.filter({ hasText: /^Invite member$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  await page.keyboard.press('Escape');
  // A thing.
  await open();
  await page.keyboard.type('paper');
  await chosen.filter({ hasText: 'Paper Mill' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${account}/oauth-clients/*`);
  await page.locator('main:focus').waitFor();
  // Colours, and the way out.
  await open();
  await page.keyboard.type('dark');
  await chosen.filter({ hasText: 'Use dark colors' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme=dark]').waitFor();
  await open();
  await page.keyboard.type('sign out');
  await chosen.filter({ hasText: /^Sign out$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
});
