import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addAccount } from '../../oauth/consent-form.ts';
import { sharedBrowser, newContext } from '../../support/chromium.ts';
import { checkAccessibility, openDashboard, watchTroubles } from '../../support/dashboard.ts';
import { createPerson } from '../../support/people.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: name });

/** Chooses something from the menu at the end of a row. */
async function choose(page: Page, name: string, deed: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: deed }).click();
}

/** What the focus is on, by its accessible name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.id`);

/** A new person opens the link of an invitation in a browser of their own, and joins. */
async function join(t: TestContext, link: string): Promise<Page> {
  const context = await newContext(browser);
  const page = await context.newPage();
  const troubles = watchTroubles(page);
  t.after(async () => {
    await context.close();
    assert.deepEqual(troubles, []);
  });
  await page.goto(link);
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByLabel('Password', { exact: true }).fill('blue kettle on the roof');
  await page.getByRole('button', { name: 'Join' }).click();
  return page;
}

test('the only account of an installation stays, and others go by their name', async (t) => {
  const { page, person, account } = await openDashboard(t, server, browser, {
    path: `${server.account}/settings`,
  });
  const dialog = page.getByRole('dialog');
  const remove = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Delete account' }).click();
    assert.ok(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled());
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
  };
  await remove('First account');
  await dialog.getByRole('alert').filter({ hasText: 'only account' }).waitFor();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  const doomed = await addAccount(server, person.userId, 'Doomed', {
    roles: ['super-administrator'],
  });
  await page.goto(`${server.origin}/accounts/${doomed}/settings`);
  // Its name and contact are changed first; a fault comes back to its field with all that was typed.
  await page.getByLabel('Name').fill('Very doomed');
  await page.getByLabel('Abuse contact').fill('nobody');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('is not an email address').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Very doomed');
  await page.getByLabel('Abuse contact').fill('abuse@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Account: Very doomed' }).waitFor();
  await remove('Very doomed');
  await page.waitForURL(server.origin + account);
  await page.getByRole('heading', { name: 'First account', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Account: First account' }).click();
  assert.equal(await page.getByRole('menuitem', { name: 'doomed' }).count(), 0);
});

test('somebody is invited, joins, gets other roles, and is removed', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/members?invite=yes`,
    firstName: 'Ada',
  });
  const dialog = page.getByRole('dialog');
  const email = 'grace@example.com';
  // What is wrong is said beside it, by the page and by the API.
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('Enter an email address').waitFor();
  await dialog.getByText('Choose at least one role').waitFor();
  await dialog.getByLabel('Email address').fill('grace at example');
  await dialog.getByRole('checkbox', { name: 'OAuth Client Write' }).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('not an email address').waitFor();
  await checkAccessibility(page);
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  // The link is shown once: nothing but the button closes it.
  const link = await dialog.getByRole('status', { name: 'Invitation link' }).innerText();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
  await rowOf(page, email).getByText('Invited').waitFor();
  // A new link takes the place of the one before.
  await choose(page, email, 'Renew invitation');
  await dialog.getByRole('button', { name: 'Renew invitation' }).click();
  const renewed = await dialog.getByRole('status', { name: 'Invitation link' }).innerText();
  assert.notEqual(renewed, link);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const theirs = await join(t, renewed);
  await theirs.getByRole('heading', { name: 'First account', level: 1 }).waitFor();
  assert.equal(await theirs.getByRole('link', { name: 'Members', exact: true }).count(), 0);
  // Other roles, and the search that finds who has them.
  await page.reload();
  await page.getByLabel('Search by name or email address').fill('GRACE h');
  await page.getByText('1 user').waitFor();
  await choose(page, 'Grace Hopper', 'Change roles');
  await dialog.getByRole('checkbox', { name: 'OAuth Client Write' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Administrator Read Only' }).check();
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await rowOf(page, 'Grace').getByText('Administrator Read Only').waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'Actions for Grace Hopper');
  await theirs.reload();
  await theirs.getByRole('link', { name: 'Members', exact: true }).first().click();
  await theirs.getByText("Your role doesn't allow you to invite or change members").waitFor();
  // Away.
  await choose(page, 'Grace Hopper', 'Remove');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await page.getByText('No members found').waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'main');
  await theirs.reload();
  await theirs.getByRole('heading', { name: 'Not one of your accounts' }).waitFor();
});

test('who may not change anything is told so, and whoever may do less is refused', async (t) => {
  const reader = await openDashboard(t, server, browser, {
    path: `${server.account}/members`,
    roles: ['administrator-read-only'],
  });
  const { page } = reader;
  await page.getByText(': Administrator Read Only. A Super').waitFor();
  await rowOf(page, reader.person.email).waitFor();
  assert.equal(await page.getByRole('button', { name: /Actions for|Invite/ }).count(), 0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Requires the role Super Administrator or Administrator.').waitFor();
  assert.equal(await page.getByRole('textbox').count(), 0);
  await page.getByText('Requires the role Super Administrator.').waitFor();

  const { page: second, person } = await openDashboard(t, server, browser, {
    path: `${server.account}/members?invite=yes`,
    roles: ['administrator'],
  });
  const dialog = second.getByRole('dialog');
  const highest = dialog.getByRole('checkbox', { name: 'Super Administrator' });
  assert.ok(await highest.isDisabled());
  await dialog.getByText('Only a Super Administrator can give or take this role.').waitFor();
  await dialog.getByLabel('Email address').fill('late@example.com');
  await dialog.getByRole('checkbox', { name: 'Tag Admin' }).check();
  // Meanwhile somebody takes the role away: the API says so, and what was typed stays.
  const { json } = await server.call('GET', `${server.account}/roles`);
  const member = json.result.find((role: { name: string }) => role.name === 'Member');
  await server.call('PUT', `${server.account}/members/${person.memberId}`, {
    body: { roles: [{ id: member.id }] },
  });
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Account Members Write' }).waitFor();
  assert.equal(await dialog.getByLabel('Email address').inputValue(), 'late@example.com');
  await second.reload();
  await second.getByText("You can't view the members of this account").waitFor();
  await second.getByRole('heading', { name: 'Permissions of roles' }).waitFor();
});

test('the last Super Administrator stays, and a second factor is required of all', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, { path: '/profile' });
  const own = await addAccount(server, person.userId, 'Own', { roles: ['super-administrator'] });
  await createPerson(server, { accountId: own, firstName: 'Alan', lastName: 'Turing' });
  await page.goto(`${server.origin}/accounts/${own}/members`);
  const dialog = page.getByRole('dialog');
  await choose(page, person.email, 'Leave account');
  await dialog.getByRole('heading', { name: "You can't leave yet" }).waitFor();
  await dialog.getByText('Close').first().click();
  await choose(page, person.email, 'Change roles');
  await dialog.getByText('An account needs at least one Super Administrator').waitFor();
  assert.ok(await dialog.getByRole('checkbox', { name: 'Super Administrator' }).isDisabled());
  await page.keyboard.press('Escape');
  // With another one, the person can take rights from themselves, and is warned.
  await choose(page, 'Alan Turing', 'Change roles');
  await dialog.getByRole('checkbox', { name: 'Super Administrator' }).check();
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await rowOf(page, 'Alan').getByText('Super Administrator').waitFor();
  await choose(page, person.email, 'Change roles');
  await dialog.getByRole('checkbox', { name: 'Administrator', exact: true }).check();
  await dialog.getByRole('checkbox', { name: 'Super Administrator' }).uncheck();
  await dialog.getByText('You are about to remove your own permissions').waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await rowOf(page, '(you)').getByRole('cell', { name: 'Administrator', exact: true }).waitFor();

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('2 of 2 members have no second factor.').waitFor();
  await page.getByRole('link', { name: 'Show members' }).click();
  assert.equal(await page.getByLabel('Show').inputValue(), 'no-second-factor');
  await page.goBack();
  await page.getByRole('button', { name: 'Require for all members' }).click();
  await dialog.getByText('1 other member will lose access immediately.').waitFor();
  await dialog.getByText('You will lose access yourself').waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Require' }).click();
  await page.getByText('This account requires a second factor').waitFor();
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await page.waitForURL('**/profile/security');
});
