import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findRoleBySlug } from '../../../src/iam/roles.ts';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, openDashboard } from '../../support/dashboard.ts';
import { createPerson } from '../../support/people.ts';
import { type Json, type TestServer, allowPolicy, bootServer } from '../../support/server.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

async function read(path: string): Promise<Json> {
  const { status, json, text } = await server.call('GET', path);
  assert.equal(status, 200, text);
  return json.result;
}

/** A change by another user, who reads the record first. */
async function change(path: string, changes: object, method = 'PUT'): Promise<void> {
  const body = { ...(method === 'PUT' ? await read(path) : {}), ...changes };
  const { status, text } = await server.call(method, path, { body });
  assert.equal(status, 200, text);
}

async function create(path: string, body: object): Promise<Json> {
  const { status, json, text } = await server.call('POST', path, { body });
  assert.equal(status, 200, text);
  return json.result;
}

const CONFLICT = 'Another user changed this in the meantime';

async function assertConflict(page: Page, text: string | RegExp): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: CONFLICT });
  await notice.waitFor();
  await notice.getByText(text).waitFor();
  await checkAccessibility(page);
}

test('a stale token page does not restore removed permissions', async (t) => {
  const policies = [
    allowPolicy(server.accountId, ['tags.read', 'ai-gateway.run', 'members.write']),
  ];
  const { id } = await create(`${server.account}/tokens`, { name: 'deploy', policies });
  const path = `${server.account}/tokens/${id}`;
  const { page } = await openDashboard(t, server, browser, { path });
  await page.getByLabel('Name', { exact: true }).fill('deploy 2');

  await change(path, { policies: [allowPolicy(server.accountId, ['tags.read'])] });
  await page.getByRole('button', { name: 'Save token' }).click();
  await assertConflict(page, /^policies: allow: .*Account Members Write.* → allow: Tags Read$/);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'deploy 2');
  const stored = await read(path);
  assert.equal(stored.name, 'deploy');
  assert.deepEqual(groupsOf(stored), ['Tags Read']);

  // A second change in between is shown, too; after that, the user decides.
  await change(path, { name: 'renamed' });
  await page.getByRole('button', { name: 'Save token' }).click();
  await assertConflict(page, 'name: deploy → renamed');
  await page.getByRole('button', { name: 'Save token' }).click();
  await page.getByText('Saved the token', { exact: true }).waitFor();
  assert.equal((await read(path)).name, 'deploy 2');
});

function groupsOf(token: Json): string[] {
  return token.policies.flatMap((policy: Json) =>
    policy.permission_groups.map(({ name }: Json) => name),
  );
}

test('the roles of a member are not restored with another tick', async (t) => {
  const role = (slug: string) => ({ id: findRoleBySlug(slug)?.id ?? '' });
  const { memberId } = await createPerson(server, {
    accountId: server.accountId,
    roles: ['tag-admin', 'administrator'],
    email: 'grace@example.com',
  });
  const path = `${server.account}/members/${memberId}`;
  const { page } = await openDashboard(t, server, browser, { path: `${server.account}/members` });
  await page.getByRole('button', { name: 'Actions for grace@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('AI Gateway Run').check({ force: true });

  await change(path, { roles: [role('tag-admin')], policies: null });
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await assertConflict(page, /^roles: .*Administrator.* → Tag Admin$/);
  assert.deepEqual(
    (await read(path)).roles.map(({ name }: Json) => name),
    ['Tag Admin'],
  );
});

test('a card of a gateway keeps what others have changed', async (t) => {
  const gateways = `${server.account}/ai-gateway/gateways`;
  await create(gateways, gatewayBody('stale'));
  const path = `${gateways}/stale`;
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/gateways/stale/settings`,
  });
  const logs = page.getByRole('form', { name: 'Logs' });
  await logs.getByLabel('Limit the number of logs').check();
  await logs.getByRole('textbox', { name: 'Logs' }).fill('5,000');
  // Another card is about this one, which is merged.
  await change(path, { cache_ttl: 60 });
  await change(path, { zdr: true });
  await logs.getByRole('button', { name: 'Save' }).click();
  await assertConflict(page, 'zdr: false → true');
  const stored = await read(path);
  assert.deepEqual([stored.zdr, stored.cache_ttl], [true, 60]);

  await page.reload();
  await logs.getByLabel('Limit the number of logs').check();
  await logs.getByRole('textbox', { name: 'Logs' }).fill('5,000');
  await change(path, { cache_ttl: 120 });
  await logs.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved', { exact: true }).waitFor();
  const saved = await read(path);
  assert.deepEqual([saved.zdr, saved.cache_ttl, saved.log_management > 0], [true, 120, true]);
});

test('forms that send single members notice changes of these members only', async (t) => {
  const client = await create(`${server.account}/oauth_clients`, {
    client_name: 'Example',
    redirect_uris: ['https://app.example/cb'],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const path = `${server.account}/oauth_clients/${client.client_id}`;
  const { page } = await openDashboard(t, server, browser, {
    path: `${path.replace('oauth_clients', 'oauth-clients')}/edit`,
  });
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Mine');
  await change(path, { client_name: 'Theirs', policy_uri: 'https://app.example/p' }, 'PATCH');
  await page.getByRole('button', { name: 'Save client' }).click();
  await assertConflict(page, 'client name: Example → Theirs');
  await page.getByRole('button', { name: 'Save client' }).click();
  await page.getByText('Saved the client', { exact: true }).waitFor();
  const saved = await read(path);
  assert.deepEqual([saved.client_name, saved.policy_uri], ['Mine', 'https://app.example/p']);
});

test('deletions show the change of another user first', async (t) => {
  const policies = [allowPolicy(server.accountId, ['tags.read'])];
  const token = await create(`${server.account}/tokens`, { name: 'old', policies });
  const tokenPath = `${server.account}/tokens/${token.id}`;
  const gatewayId = 'deleted';
  const gatewayPath = `${server.account}/ai-gateway/gateways/${gatewayId}`;
  await create(`${server.account}/ai-gateway/gateways`, gatewayBody(gatewayId));
  const { page } = await openDashboard(t, server, browser, { path: tokenPath });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await change(tokenPath, { name: 'in use' });
  await dialog.getByRole('button', { name: 'Delete token' }).click();
  await assertConflict(page, 'name: old → in use');
  assert.equal((await read(tokenPath)).name, 'in use');
  await dialog.getByRole('button', { name: 'Delete token' }).click();
  await page.waitForURL(`**${server.account}/tokens`);
  assert.equal((await server.call('GET', tokenPath)).status, 404);

  await page.goto(`${server.origin}${server.account}/ai-gateway/gateways/${gatewayId}/settings`);
  await page.getByRole('button', { name: 'Delete gateway' }).click();
  await change(gatewayPath, { cache_ttl: 60 });
  await dialog.getByLabel(`Type ${gatewayId} to confirm`).fill(gatewayId);
  await dialog.getByRole('button', { name: 'Delete gateway' }).click();
  await assertConflict(page, /^cache ttl: .* → 60$/);
  await read(gatewayPath);
  await dialog.getByRole('button', { name: 'Delete gateway' }).click();
  await page.waitForURL(`**${server.account}/ai-gateway/gateways`);
  assert.equal((await server.call('GET', gatewayPath)).status, 404);
});
