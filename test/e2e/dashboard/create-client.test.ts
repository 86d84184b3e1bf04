import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { findClientNameFault } from '../../../dashboard/src/lib/client-name.ts';
import { findCorsOriginFault } from '../../../dashboard/src/lib/cors-origin.ts';
import {
  describeRedirectUri,
  findRedirectUriFault,
} from '../../../dashboard/src/lib/redirect-uri.ts';
import { scopeWords } from '../../../dashboard/src/lib/scope-words.ts';
import { findWebUriFault } from '../../../dashboard/src/lib/web-uri.ts';
import { faultsOf, tryCreate } from '../../oauth/client-bodies.ts';
import { accepted, privateUse, refused, scriptSchemes } from '../../oauth/redirect-uri-cases.ts';
import { basic, postForm } from '../../support/authorizations.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

const PHONE = { viewport: { width: 360, height: 740 } };

/** The clients of the account, as the API has them. */
async function listClients(): Promise<Json[]> {
  const { json } = await server.call('GET', `${server.account}/oauth_clients`);
  return json.result;
}

const goOn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue' }).click();
const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();
const redirectUri = (page: Page, row: number) =>
  page.getByLabel(`Redirect URI ${row}`, { exact: true });

/** Waits until the focus is there. */
const focused = (page: Page, locator: Locator): Promise<void> =>
  locator.and(page.locator(':focus')).waitFor();

/** Presses Tab until the focus is on what it is for. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const label: string = await page.evaluate(
      `document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent`,
    );
    if (label.startsWith(name)) return;
  }
  assert.fail(`the tab key never comes to ${name}`);
}

/** The first two steps of a client on a server, by keyboard alone. */
async function typeFirstSteps(page: Page): Promise<void> {
  await heading(page, 'No OAuth clients yet');
  await page.getByRole('link', { name: 'Create client' }).press('Enter');
  await heading(page, 'What are you building?');
  // Nothing is chosen: it says so, and begins there.
  await tabTo(page, 'Continue');
  await page.keyboard.press('Enter');
  await page.getByText('Choose the closest type.').waitFor();
  await focused(page, page.getByRole('radio', { name: 'Web application with a server' }));
  await page.keyboard.press('Space');
  assert.ok(await page.getByRole('radio', { name: 'Web application with a server' }).isChecked());
  await page.keyboard.press('Enter');
  await heading(page, 'Name and URLs');
  await tabTo(page, 'Name');
  await page.keyboard.type('Tag reader');
  await tabTo(page, 'Redirect URI 1');
  await page.keyboard.type('http://app.example.com/callback');
  await tabTo(page, 'Use https://app.example.com/callback');
  assert.equal(await redirectUri(page, 1).getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await redirectUri(page, 1).inputValue(), 'https://app.example.com/callback');
  assert.equal(await redirectUri(page, 1).getAttribute('aria-invalid'), null);
  await tabTo(page, 'Add redirect URI');
  await page.keyboard.press('Enter');
  await focused(page, redirectUri(page, 2));
  await page.keyboard.type('http://localhost:3000/callback');
  await page.keyboard.press('Enter');
  await heading(page, 'Choose scopes');
}

/** Lets the API answer the next creation with this; answers what was sent. */
async function refuseOnce(page: Page, status: number, errors: Json[]): Promise<Promise<Json>> {
  const sent = Promise.withResolvers<Json>();
  await page.route(
    '**/oauth_clients',
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent.resolve({
        body: route.request().postDataJSON(),
        key: route.request().headers()['idempotency-key'],
      });
      return route.fulfill({ status, json: { success: false, errors, result: null } });
    },
    { times: 1 },
  );
  return sent.promise;
}

test('a client for a server, in steps, and nothing is lost on the way', async (t) => {
  const { page, context, account } = await openDashboard(t, server, browser, {
    path: `/accounts/${server.accountId}/oauth-clients`,
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  // A scope that this page knows of, and the server no more.
  await page.route('**/oauth/scopes', async (route) => {
    const answer = await route.fetch();
    const json: Json = await answer.json();
    json.result.push({ id: 'ghosts.read', name: 'Ghosts Read', category: 'account', scopes: [] });
    await route.fulfill({ response: answer, json });
  });
  await typeFirstSteps(page);
  await page.getByLabel('Search scopes').fill('tags');
  await page.getByText('2 found').waitFor();
  await page.getByRole('checkbox', { name: /^Tags Read/ }).check();
  await page.getByRole('checkbox', { name: 'Optional: users may decline it: Tags Read' }).check();
  await page.getByLabel('Search scopes').fill('');
  await page.getByRole('checkbox', { name: /^Ghosts Read/ }).check();
  assert.ok(await page.getByRole('checkbox', { name: /^Sign-in/ }).isDisabled());
  await checkAccessibility(page);

  // Back and forward, and a reload in the middle.
  await page.goBack();
  await heading(page, 'Name and URLs');
  assert.equal(await redirectUri(page, 2).inputValue(), 'http://localhost:3000/callback');
  await page.getByLabel('Name', { exact: true }).fill("Ada's reader");
  await page.goForward();
  await heading(page, 'Choose scopes');
  await page.reload();
  assert.ok(await page.getByRole('checkbox', { name: /^Tags Read/ }).isChecked());
  await goOn(page);
  await heading(page, 'Review and create');
  const curl = await page.getByRole('region', { name: 'curl command' }).textContent();
  assert.ok(curl?.includes(`"client_name": "Ada'\\''s reader"`), curl ?? '');

  // The server fails, then refuses what only it can know. Everything is still there.
  const create = page.getByRole('button', { name: 'Create client' });
  const failed = refuseOnce(page, 500, [{ code: 1_000, message: 'Internal server error' }]);
  await create.click();
  await page.getByRole('alert').getByText('Internal server error').waitFor();
  const first = await failed;
  await create.click();
  await heading(page, 'Choose scopes');
  await page.getByText('ghosts.read is not in the list of scopes').waitFor();
  await page.getByRole('checkbox', { name: /^Ghosts Read/ }).uncheck();
  const entry = { code: 4_005, message: 'Refused by a plug-in' };
  const refused = refuseOnce(page, 400, [{ ...entry, source: { pointer: '/redirect_uris/1' } }]);
  await goOn(page);
  await create.click();
  await page.getByText('Refused by a plug-in').waitFor();
  await focused(page, redirectUri(page, 2));
  const second = await refused;
  assert.notEqual(second.key, first.key);
  assert.deepEqual(second.body, { ...first.body, scopes: ['profile', 'email', 'tags.read'] });
  await page.getByRole('button', { name: 'Remove Redirect URI 2' }).click();
  await goOn(page);
  await goOn(page);
  await create.click();
  await heading(page, "Created Ada's reader");

  const [client] = await listClients();
  assert.equal(client.client_name, "Ada's reader");
  assert.deepEqual(client.redirect_uris, ['https://app.example.com/callback']);
  assert.deepEqual(client.scopes, ['profile', 'email', 'tags.read', 'openid', 'offline_access']);
  assert.deepEqual(client.optional_scopes, ['tags.read']);
  const secret = await page.getByRole('status', { name: 'Client secret' }).textContent();
  await checkSecret(client.client_id, secret ?? '');
  const stored: string = await page.evaluate(
    `JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])`,
  );
  assert.ok(!stored.includes('lkcs_'));
  assert.ok(!stored.includes('reader'), stored);

  // The secret is nowhere else yet.
  await page.getByRole('link', { name: 'View client' }).click();
  await page.getByRole('dialog', { name: 'Close without copying the secret?' }).waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(`navigator.clipboard.readText()`), secret);
  await page.getByRole('link', { name: 'View client' }).click();
  await page.waitForURL(`${server.origin}${account}/oauth-clients/${client.client_id}`);
  await heading(page, "Ada's reader");
  await page.goBack();
  await heading(page, 'OAuth clients');
  await context.clearPermissions();
});

/** The token endpoint knows the client by its secret: what is wrong is the code. */
async function checkSecret(clientId: string, secret: string): Promise<void> {
  for (const [presented, error] of [
    [secret, 'invalid_grant'],
    [secret.slice(0, -1), 'invalid_client'],
  ] as const) {
    const answer = await postForm(
      server,
      '/oauth2/token',
      {
        grant_type: 'authorization_code',
        code: 'none',
        redirect_uri: 'https://app.example.com/callback',
      },
      { authorization: basic(clientId, presented) },
    );
    assert.equal(answer.json.error, error, answer.text);
  }
}

// Each with a word of what the page says, and what it offers instead.
const shown: readonly [text: string, says: string, offers?: string][] = [
  ['app.example.com/callback', 'complete', 'https://app.example.com/callback'],
  ['localhost:3000/callback', 'complete', 'http://localhost:3000/callback'],
  ['http://app.example.com/', 'Use https', 'https://app.example.com/'],
  ['https:/app.example.com/', 'complete', 'https://app.example.com/'],
  ['https://app.example.com/#top', 'fragment', 'https://app.example.com/'],
  ['https://*.example.com/', 'Wildcards'],
  ['https://me:pw@app.example.com/', 'a user name or password'],
  ['https://münchen.example/', 'Punycode', 'https://xn--mnchen-3ya.example/'],
  ['https://app.example.com\\callback', 'backslashes', 'https://app.example.com/callback'],
  ['https://app.example.com/100%', 'hex digits', 'https://app.example.com/100%25'],
  ['https://0x7f.1/', 'Browsers read the host as 127.0.0.1'],
  ['javascript:alert(1)', 'javascript:'],
  ['myapp:callback', 'Any app could claim'],
  ['com.example.app:callback', 'A slash must follow', 'com.example.app:/callback'],
];

test('a single-page app on a small screen, and addresses are judged while they are typed', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, {
    path: `/accounts/${server.accountId}/oauth-clients/new`,
    browser: PHONE,
  });
  await page.getByRole('radio', { name: 'Single-page app' }).check();
  await page.getByText('Authorization code with PKCE, without a secret').waitFor();
  await checkFits(page);
  await goOn(page);
  await goOn(page);
  await page.getByText('Enter a name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Board');
  const field = redirectUri(page, 1);
  for (const [text, says, offers] of shown) {
    await field.fill(text);
    await page.getByText(says).first().waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true', text);
    const offered = page.getByRole('button', { name: `Use ${offers}`, exact: true });
    assert.equal(await offered.count(), offers === undefined ? 0 : 1, text);
  }
  await checkFits(page);
  await checkAccessibility(page);
  await field.fill('http://localhost:3000/callback');
  await page.getByText('Any port is accepted').waitFor();
  await page.getByRole('button', { name: 'Add origin' }).click();
  await page.getByLabel('Origin 1', { exact: true }).fill('http://localhost:3000/');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.getByRole('button', { name: 'Use http://localhost:3000', exact: true }).click();
  await goOn(page);
  await heading(page, 'Choose scopes');
  await checkFits(page);
  await goOn(page);
  await heading(page, 'Review and create');
  await checkFits(page);
  await page.getByRole('button', { name: 'Create client' }).click();
  await heading(page, 'Created Board');
  await page.getByText('This client has no secret').waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  const client = (await listClients()).find(({ client_name: name }) => name === 'Board');
  assert.equal(client.token_endpoint_auth_method, 'none');
  assert.deepEqual(client.grant_types, ['authorization_code']);
  assert.deepEqual(client.allowed_cors_origins, ['http://localhost:3000']);
  // Nothing would be lost: nobody asks.
  await page.getByRole('link', { name: 'View client' }).click();
  await page.waitForURL(`${server.origin}${account}/oauth-clients/${client.client_id}`);
});

/** What the server says about each of these in a field, true where it refuses. */
async function verdictsOf(field: string, texts: string[], changes: Json = {}): Promise<boolean[]> {
  // One that is always refused, so that nothing is created.
  const answer = await tryCreate(server, { ...changes, [field]: [...texts, 'x y'] });
  const faults = new Set(faultsOf(answer).map((fault) => fault.split(' ')[1]));
  assert.ok(faults.has(`/${field}/${texts.length}`), answer.text);
  return texts.map((_text, index) => faults.has(`/${field}/${index}`));
}

test('the page refuses the addresses and names that the server refuses, and no others', async () => {
  const scripts = scriptSchemes.map((scheme) => `${scheme}:alert(1)`);
  const cases = [
    ...accepted,
    ...privateUse,
    ...refused,
    ...scripts,
    ...shown.map(([text]) => text),
  ];
  const uris = [...new Set(cases)];
  for (const method of ['none', 'client_secret_basic'] as const) {
    const changes = { token_endpoint_auth_method: method };
    const find = (text: string) => findRedirectUriFault(text, method !== 'none');
    for (let start = 0; start < uris.length; start += 50) {
      const some = uris.slice(start, start + 50);
      const verdicts = await verdictsOf('redirect_uris', some, changes);
      for (const [index, text] of some.entries()) {
        const fault = find(text);
        assert.equal(fault !== undefined, verdicts[index], `${method}: ${JSON.stringify(text)}`);
        if (fault === undefined) continue;
        assert.match(fault.reason, /^[“A-Z].*[.]$/);
        if (fault.suggestion !== undefined) assert.equal(find(fault.suggestion), undefined, text);
      }
    }
  }
  for (let start = 0; start < uris.length; start += 50) {
    const some = uris.slice(start, start + 50);
    const verdicts = await verdictsOf('allowed_cors_origins', some);
    const own = some.map((text) => findCorsOriginFault(text) !== undefined);
    assert.deepEqual(own, verdicts);
  }
  // The same texts once more, one for each of the single addresses.
  const fields = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri'];
  const present = uris.filter((text) => text !== '');
  for (let start = 0; start < present.length; start += fields.length) {
    const some = fields.map((field, index) => [field, present[start + index] ?? ''] as const);
    const answer = await tryCreate(server, { ...Object.fromEntries(some), redirect_uris: [] });
    const faults = faultsOf(answer);
    for (const [field, text] of some.filter(([, text]) => text !== '')) {
      const isRefused = faults.includes(`4001 /${field}`);
      assert.equal(findWebUriFault(text) !== undefined, isRefused, JSON.stringify(text));
    }
  }
  assert.match(describeRedirectUri('com.example.app:/callback', false) ?? '', /opens the app/i);
});

test('the page knows names and scopes as the server does', async () => {
  const names = [
    '',
    'Ada',
    '🧑‍🚀',
    'a\u200Bb',
    'a\u202Eb',
    '\u2800',
    '\t',
    'a'.repeat(256),
    '\u200D',
  ];
  for (const name of names) {
    const answer = await tryCreate(server, { client_name: name, redirect_uris: [] });
    const isRefused = faultsOf(answer).includes('4001 /client_name');
    assert.equal(findClientNameFault(name) !== undefined, isRefused, JSON.stringify(name));
  }
  const { json } = await server.call('GET', '/oauth/scopes');
  const ids = (json.result as Json[]).map(({ id }) => id as string);
  const unknown = ids.filter((id) => scopeWords(id) === undefined);
  assert.deepEqual(unknown, []);
});

test('who may not create clients sees why, and who can help', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, {
    roles: ['oauth-client-read'],
    path: `/accounts/${server.accountId}/oauth-clients`,
    browser: PHONE,
  });
  await heading(page, 'OAuth clients');
  assert.ok(await page.getByRole('button', { name: 'Create client' }).isDisabled());
  await page.getByText('Requires the role Super Administrator, Administrator or').waitFor();
  await checkFits(page);
  await checkAccessibility(page);
  await page.goto(`${server.origin}${account}/oauth-clients/new`);
  await page.getByText("Your role doesn't allow you to create OAuth clients").waitFor();
  assert.equal(await page.getByRole('radio').count(), 0);
  await checkFits(page);
  await checkAccessibility(page);
});
