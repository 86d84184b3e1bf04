import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { openDashboard } from '../../support/dashboard.ts';
import { type TestServer, bootServer } from '../../support/server.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
});
after(() => server.stop());

/** Replaces every text, or moves it into other elements, as the page translations of browsers do. */
async function translate(page: Page, way: 'replace' | 'wrap'): Promise<void> {
  await page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode);
    for (const text of texts) {
      const parent = text.parentElement;
      if (parent === null || parent.closest('script, style, font, textarea') !== null) continue;
      if (text.data.trim() === '') continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      outer.append(inner);
      if (${way === 'replace'}) {
        inner.textContent = text.data;
        text.replaceWith(outer);
      } else {
        text.before(outer);
        inner.append(text);
      }
    }
  }`);
}

for (const way of ['replace', 'wrap'] as const) {
  test(`a translated token form keeps working (${way})`, async (t) => {
    const { page } = await openDashboard(t, server, browser, {
      path: `${server.account}/tokens/new`,
    });
    const save = page.getByRole('button', { name: 'Create token' });
    await save.waitFor();
    await translate(page, way);
    await save.click();
    await page.getByText('Enter a name').first().waitFor();
    await translate(page, way);
    await page.getByLabel('Name', { exact: true }).fill('translated');
    const policy = page.getByRole('region', { name: 'Policy 1' });
    for (const permission of ['Tags Read', 'AI Gateway Run', 'Account Members Read']) {
      await policy.getByLabel(permission).check({ force: true });
      await translate(page, way);
    }
    await policy.getByLabel('Tags Read').uncheck({ force: true });
    await translate(page, way);
    await policy.getByLabel('Search permissions').fill('oauth');
    await translate(page, way);
    await policy.getByLabel('Search permissions').fill('');
    const result = page.getByRole('complementary', { name: 'Result' });
    await result.getByText('Run AI Gateway').waitFor();
    // New text is shown although the browser has replaced the old one.
    await result.getByText('Read Account Members').waitFor();
    assert.equal(await result.getByText('Read Tags').count(), 0);
    await save.click();
    await page.getByRole('status', { name: 'Token', exact: true }).waitFor();
    assert.equal(await page.getByText('This page has a fault').count(), 0);
  });

  test(`a translated wizard keeps working (${way})`, async (t) => {
    const { page } = await openDashboard(t, server, browser, {
      path: `${server.account}/oauth-clients/new`,
    });
    const next = page.getByRole('button', { name: 'Continue' });
    await next.waitFor();
    await translate(page, way);
    await next.click();
    await page.getByText('Invalid input in:').first().waitFor();
    await translate(page, way);
    await page.getByRole('radio').first().check({ force: true });
    await next.click();
    for (let round = 0; round < 3; round++) {
      await translate(page, way);
      await next.click();
      await page.getByText('Enter a name').first().waitFor();
    }
    await page.getByLabel('Name', { exact: true }).fill('Translated');
    await translate(page, way);
    await page.getByText('Enter a name').first().waitFor({ state: 'detached' });
    assert.equal(await page.getByText('This page has a fault').count(), 0);
  });
}

test('every page survives a translation', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  for (const path of [
    '',
    '/members',
    '/tokens',
    '/oauth-clients',
    '/ai-gateway/gateways',
    '/tags',
  ]) {
    await page.goto(server.origin + account + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await translate(page, 'replace');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('mem');
    await translate(page, 'wrap');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  }
  for (const name of ['API tokens', 'Members', 'Tags']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await translate(page, 'replace');
  }
  assert.equal(await page.getByText('This page has a fault').count(), 0);
});

test('Enter for a candidate of an input method adds nothing', async (t) => {
  const tagged = await server.call('PUT', `${server.account}/tags`, {
    body: { resource_type: 'account', resource_id: server.accountId, tags: { city: '京都' } },
  });
  assert.equal(tagged.status, 200, tagged.text);
  const { page, context } = await openDashboard(t, server, browser, {
    path: `${server.account}/tags`,
  });
  await page.getByRole('button', { name: 'Tag condition' }).click();
  const form = page.getByRole('dialog', { name: 'Tag condition' });
  await form.getByRole('combobox', { name: 'Key' }).fill('city');
  const field = form.getByRole('combobox', { name: 'Values' });
  await field.focus();
  const keyboard = await context.newCDPSession(page);
  const text = 'とうきょう';
  await keyboard.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
  for (const key of ['Enter', 'Escape'])
    await keyboard.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key,
      code: key,
      windowsVirtualKeyCode: 229,
    });
  assert.equal(await field.inputValue(), text);
  await keyboard.send('Input.insertText', { text: '東京' });
  assert.equal(await field.inputValue(), '東京');
  await field.press('Enter');
  assert.equal(await field.inputValue(), '');
  await form.getByText('city is 東京').waitFor();
});

test('a dialog asks before it discards input', async (t) => {
  const { page } = await openDashboard(t, server, browser, { path: `${server.account}/members` });
  await page.getByRole('button', { name: 'Invite' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  const question = page.getByRole('dialog', { name: 'Close without saving?' });
  // Without input it closes.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Invite' }).first().click();
  const email = dialog.getByLabel('Email address');
  await email.fill('ada@example.com');
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await close();
    await question.waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await email.inputValue(), 'ada@example.com');
  }
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Leave' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Invite' }).first().click();
  assert.equal(await email.inputValue(), '');
});
