import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { signInAs } from '../../support/people.ts';
import { type TestServer, allowPolicy, bootServer } from '../../support/server.ts';

// One database will do: what is stored here is stored by tests without a browser on both.
let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

test('a person makes a token of their own, and hands on no more than they hold', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser, {
    roles: ['tag-admin'],
    path: '/profile/tokens',
    browser: { viewport: { width: 360, height: 740 } },
  });
  await page.getByText('A personal token lets a script or tool').waitFor();
  await checkFits(page);
  await page.getByRole('main').getByRole('link', { name: 'Create token' }).first().click();
  await page.getByRole('button', { name: 'Manage tags' }).click();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Manage tags');

  // In one account the roles there bound it; the token that follows the person is bound at each use.
  const other = page.getByLabel('OAuth Clients Read');
  assert.equal(await other.isEnabled(), true);
  await page.getByLabel('Selected accounts or AI gateways').check();
  await page.getByLabel('First account').check();
  assert.equal(await other.isDisabled(), true);
  await page.getByText('a permission that you do not have in First account').first().waitFor();
  await checkAccessibility(page);
  await checkFits(page);

  // The role goes while the form is being filled in.
  const roles = (await server.call('GET', `${account}/roles`)).json.result;
  const { id: role } = roles.find(({ name }: { name: string }) => name === 'Member');
  const body = { roles: [{ id: role }] };
  const lost = await server.call('PUT', `${account}/members/${person.memberId}`, { body });
  assert.equal(lost.status, 200, lost.text);
  await page.getByRole('button', { name: 'Create token' }).click();
  const policy = page.getByRole('region', { name: 'Policy 1' });
  await policy.getByText('"Tags Write" is missing').waitFor();
  assert.equal(await policy.getByLabel('First account').isChecked(), true);

  await page.getByLabel('Your own data only').check();
  await page.getByLabel('Tags Write').uncheck({ force: true });
  await page.getByLabel('User Details Read').check({ force: true });
  await page.getByRole('button', { name: 'Create token' }).click();
  const value =
    (await page.getByRole('status', { name: 'Token', exact: true }).textContent()) ?? '';
  assert.ok(value.startsWith('lkut_'));
  await checkFits(page);
  const user = await server.call('GET', '/user', { token: value });
  assert.equal(user.json.result.id, person.userId);
  assert.equal((await server.call('GET', '/memberships', { token: value })).status, 403);

  // Leaving for all that asks; the token is on the list.
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('link', { name: 'Manage tags' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete token' }).click();
  await page.getByText('A personal token lets a script or tool').waitFor();
  assert.equal((await server.call('GET', '/user', { token: value })).status, 401);
});

test('what has no box of its own in the form can be typed, and stays', async (t) => {
  const { page, person } = await openDashboard(t, server, browser);
  const session = await signInAs(server, person.userId);
  const gateways = 'com.latchkey.api.account.*.ai-gateway';
  const { json } = await server.call('POST', '/user/tokens', {
    token: null,
    headers: session,
    body: {
      name: 'before',
      policies: [
        {
          effect: 'deny',
          permission_groups: allowPolicy('', ['ai-gateway.run']).permission_groups,
          resources: { [`${gateways}.secret`]: '*', [`${gateways}.other`]: '*' },
        },
      ],
    },
  });
  await page.goto(`${server.origin}/profile/tokens/${json.result.id}`);
  await page.getByText('Gateway secret of all your accounts').waitFor();
  await page.getByRole('button', { name: /^Remove .* other/ }).click();
  await page.getByLabel('Gateway ID').fill('No such id');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Gateway IDs contain lowercase letters').waitFor();
  await page.getByLabel('Gateway ID').fill('typed');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Save token' }).click();
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  const path = `/user/tokens/${json.result.id}`;
  const after = await server.call('GET', path, { token: null, headers: session });
  assert.deepEqual(Object.keys(after.json.result.policies[0].resources), [
    `${gateways}.secret`,
    `com.latchkey.api.account.${server.accountId}.ai-gateway.typed`,
  ]);
});
