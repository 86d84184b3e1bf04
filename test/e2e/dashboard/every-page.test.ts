import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { createClient } from '../../oauth/client-bodies.ts';
import { authorize } from '../../support/authorizations.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { createPerson, createUserToken, signInAs } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

const ROUTES = path.join(import.meta.dirname, '../../../dashboard/src/routes.tsx');

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

/** An account in which something of everything exists, and what the ids in addresses stand for. */
async function fill(userId: string): Promise<Record<string, string>> {
  const { account } = server;
  const client = await createClient(server, {
    client_name: 'Ledger Sync',
    client_uri: 'https://ledger.example.com',
    scopes: ['tags.read', 'tags.write'],
    optional_scopes: ['tags.write'],
  });
  await server.call('POST', `${account}/oauth_clients/${client.client_id}/rotate_secret`);
  await authorize(server, { userId, clientId: client.client_id });
  const token = await server.createToken(['tags.read', 'ai-gateway.run']);
  // Its page is called like it, and no two pages are called the same.
  const named = { ...(await server.call('GET', `${account}/tokens/${token.id}`)).json.result };
  await server.call('PUT', `${account}/tokens/${token.id}`, {
    body: { name: 'checkout service', policies: named.policies },
  });
  await createPerson(server, { accountId: server.accountId, firstName: 'Grace' });
  const session = await signInAs(server, userId);
  const own = await createUserToken(server, session, ['tags.read']);
  const gateway = gatewayBody('checkout');
  await server.call('POST', `${account}/ai-gateway/gateways`, { body: gateway });
  const tagged = { resource_type: 'worker', resource_id: 'checkout-api', tags: { team: 'pay' } };
  await server.call('PUT', `${account}/tags`, { body: tagged });
  const { json } = await server.call('GET', `${account}/roles`);
  const roles = [json.result[0].id];
  await server.call('POST', `${account}/members`, { body: { email: 'new@example.com', roles } });
  return {
    accountId: server.accountId,
    clientId: client.client_id,
    gatewayId: 'checkout',
    resourceType: 'worker',
    resourceId: 'checkout-api',
    tokenId: token.id,
    ownTokenId: own.id,
  };
}

/** The addresses that the dashboard declares, with real ids in them. */
async function addresses(ids: Record<string, string>): Promise<string[]> {
  const source = await readFile(ROUTES, 'utf8');
  // Each route is declared in one of these three ways; see the file.
  const routes = [...source.matchAll(/\.\.\.(inAccount|inProfile),\s*path: '([^']+)'/g)];
  assert.equal(routes.length, [...source.matchAll(/\bpath: '/g)].length - 3);
  return routes.map(([, parent, route = '']) => {
    const isOwn = parent === 'inProfile';
    const suffix = route === '/' ? '' : route;
    const address = isOwn
      ? `/profile${suffix.replace('$tokenId', '$ownTokenId')}`
      : `/accounts/$accountId${suffix}`;
    return address.replaceAll(/\$(\w+)/g, (_match, name: string) => ids[name] ?? '');
  });
}

/** Goes there as a link does, and waits until everything that the page loads is there. */
async function show(page: Page, address: string): Promise<void> {
  const last = await page.title();
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await eventually('another page is shown', async () => (await page.title()) !== last);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading…').waitFor({ state: 'detached' });
}

const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 360, height: 740 };

test('every page can be used by everybody', async (t) => {
  // A page of its own kind: each of the others is another one than that before it.
  const { page, person } = await openDashboard(t, server, browser, { path: '/profile/nothing' });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  const pages = await addresses(await fill(person.userId));
  const titles: string[] = [];
  for (const address of pages) {
    await t.test(address, async () => {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: 'light' });
      await show(page, address);
      titles.push(await page.title());
      await checkAccessibility(page);
      await checkFits(page);
      await page.setViewportSize(NARROW);
      await page.emulateMedia({ colorScheme: 'dark' });
      await checkAccessibility(page);
      await checkFits(page);
    });
  }
  // Each tells by its title which it is, also in the list of the browser's tabs.
  assert.deepEqual(titles, [...new Set(titles)]);
});

test('an address that leads nowhere says so', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, { path: '/profile/nothing' });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goto(`${server.origin}${account}/nothing`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goto(`${server.origin}/accounts/${'0'.repeat(32)}`);
  await page.getByRole('heading', { name: 'Not one of your accounts' }).waitFor();
  await checkAccessibility(page);
});

test('somebody without an account is led to where accounts come from', async (t) => {
  const { page } = await openDashboard(t, server, browser, { path: '/', isMember: false });
  await page.waitForURL('**/profile/accounts');
  await page.getByRole('heading', { level: 1, name: 'Your accounts' }).waitFor();
});
