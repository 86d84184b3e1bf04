import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { endSessions } from '../../../src/iam/sessions/end-sessions.ts';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { type Json, type TestServer, bootServer } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';
import { type Upstream, startUpstream } from '../../support/upstream-process.ts';

const PASSWORD = 'teal orchard 4 lanterns';

// One database will do: what is stored here is stored by tests without a browser on both.
let server: TestServer;
let upstream: Upstream;
let browser: Browser;
before(async () => {
  upstream = await startUpstream();
  server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
    },
  });
  browser = await sharedBrowser();
  for (const [id, authentication] of [
    ['production', true],
    ['open', false],
  ] as const) {
    const body = gatewayBody(id, { authentication });
    await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
  }
});
after(async () => {
  await server.stop();
  await upstream.stop();
});

const playgroundOf = (gateway: string): string =>
  `${server.account}/ai-gateway/gateways/${gateway}/playground`;

const message = (page: Page) => page.getByLabel('Message', { exact: true });
const conversation = (page: Page) => page.getByRole('region', { name: 'Messages' });

async function choose(page: Page, model: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).fill(model);
  await page.keyboard.press('Escape');
}

async function send(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.keyboard.press('Control+Enter');
}

/** The row to which the last link of the conversation leads. */
async function linkedRow(page: Page): Promise<Json> {
  const link = conversation(page).getByRole('link', { name: 'Log entry' }).last();
  const id = new URL((await link.getAttribute('href')) ?? '', server.origin).searchParams.get(
    'log',
  );
  const path = `${server.account}/ai-gateway/gateways/production/logs/${id}`;
  let row: Json;
  await eventually('the row is there', async () => {
    const answer = await server.call('GET', path);
    row = answer.json.result;
    return answer.status === 200;
  });
  return row;
}

test('a conversation: in pieces, stopped, refused by the provider, asked again', async (t) => {
  const { page, person } = await openDashboard(t, server, browser, {
    path: playgroundOf('production'),
    password: PASSWORD,
  });

  // A streamed answer appears as it comes; screen readers are told when it is there.
  await choose(page, 'openai/streams');
  await page.getByLabel('System prompt').fill('Count in German.');
  await page.getByText('Cache and metadata').click();
  await page.getByLabel('Metadata').fill('{"team": "süd"}');
  await send(page, 'Count');
  await conversation(page).getByText('eins', { exact: true }).waitFor();
  const told = page.getByRole('status').filter({ hasText: 'esponse' });
  assert.equal(await told.textContent(), 'Waiting for the response.');
  assert.equal(await message(page).inputValue(), '');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await checkAccessibility(page);
  await upstream.release();
  await conversation(page).getByText('eins zwei 🌍').waitFor();
  await told.filter({ hasText: 'Response: eins zwei 🌍' }).waitFor();
  await conversation(page).getByText('First token').waitFor();
  await conversation(page).getByText('Tokens in11').waitFor();
  // Nobody knows its price.
  await conversation(page).getByText('Costunknown').waitFor();
  const counted = await linkedRow(page);
  assert.deepEqual([counted.user_id, counted.metadata], [person.userId, '{"team":"süd"}']);
  assert.deepEqual(JSON.parse((await upstream.lastSent()).body), {
    model: 'streams',
    messages: [
      { role: 'system', content: 'Count in German.' },
      { role: 'user', content: 'Count' },
    ],
    stream: true,
    stream_options: { include_usage: true },
  });

  // What is stopped is stopped at the provider, too.
  await choose(page, 'openai/goes-silent');
  await send(page, 'Go on');
  await conversation(page).getByText('Receiving…').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await conversation(page).getByText('Stopped', { exact: true }).waitFor();
  assert.equal((await linkedRow(page)).status_code, 499);
  await page.getByRole('button', { name: 'Send' }).and(page.locator(':focus')).waitFor();

  // Refusals of a provider and of the gateway are told, and can be tried again.
  await choose(page, 'openai/rate-limited');
  await send(page, 'Faster');
  await conversation(page).getByText('openai returned 429').waitFor();
  await conversation(page).getByText('slow down. Wait 7 s.').waitFor();
  await checkAccessibility(page);
  await choose(page, 'a-model-of-no-provider');
  await page.getByRole('button', { name: 'Retry' }).click();
  await conversation(page).getByText('The gateway rejected the request (400)').waitFor();
  await page.getByRole('combobox', { name: 'Model' }).fill('openai/gpt-4o-mi');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Stream the response').uncheck();
  await page.getByRole('button', { name: 'Retry' }).click();
  await conversation(page).getByText('Grüße 🌍').waitFor();
  // 11 tokens in and 7 out, at public prices.
  await conversation(page).getByText('Cost$0.00000585').waitFor();
  const { messages } = JSON.parse((await upstream.lastSent()).body);
  assert.deepEqual(
    messages.map(({ content }: Json) => content),
    ['Count in German.', 'Count', 'eins zwei 🌍', 'Go on', 'eins ', 'Faster'],
  );

  // Faults are told beside their fields, and nothing is sent.
  const sent = (await upstream.recorded()).length;
  await page.getByLabel('Temperature').fill('3');
  await page.getByLabel('Metadata').fill('{"team": {}}');
  await send(page, 'Warm');
  await page.getByText('Enter a number from 0 to 2.').waitFor();
  await page.getByLabel('Temperature').and(page.locator(':focus')).waitFor();
  await page.getByText('Values must be strings, numbers, true or false.').waitFor();
  assert.equal((await upstream.recorded()).length, sent);
  await page.getByLabel('Temperature').fill('0.5');
  await page.getByLabel('Metadata').fill('');

  // The command asks the same.
  // It is drawn after what is typed.
  const shown = page.getByRole('region', { name: 'command' });
  await shown.filter({ hasText: 'Warm', hasNotText: 'cf-aig-metadata' }).waitFor();
  const command = (await shown.textContent()) ?? '';
  assert.match(await runInShell(command, { TOKEN: server.token }), /Grüße/);
  const asked = JSON.parse((await upstream.lastSent()).body);
  assert.equal(asked.temperature, 0.5);

  // All is still there after a look at the log.
  const { id } = await linkedRow(page);
  await conversation(page).getByRole('link', { name: 'Log entry' }).last().click();
  await page.waitForURL(`**/logs?log=${id}`);
  await page.goBack();
  await conversation(page).getByText('Grüße 🌍').waitFor();
  assert.equal(await message(page).inputValue(), 'Warm');

  // The session ends: one signs in, and what was sent goes on.
  await server.app.database.transaction((tx, announce) =>
    endSessions({ tx, announce }, person.userId),
  );
  await page.getByRole('button', { name: 'Send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await conversation(page).getByText('Grüße 🌍').nth(1).waitFor();
  assert.deepEqual(JSON.parse((await upstream.lastSent()).body), asked);

  await page.setViewportSize({ width: 360, height: 740 });
  await checkFits(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No messages yet').waitFor();
});

test('who may not run models is told so; an open gateway needs no more than a message', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: playgroundOf('production'),
    roles: ['administrator-read-only'],
  });
  await page.getByText("Your role doesn't allow you to run models through this gateway").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
  await send(page, 'Hello');
  assert.equal(await page.getByRole('region', { name: 'Messages' }).count(), 0);
  await checkAccessibility(page);

  const { page: other } = await openDashboard(t, server, browser, { path: playgroundOf('open') });
  await send(other, 'one two');
  await conversation(other).getByText('Tokens out2').waitFor();
  await conversation(other).getByText('Cost$0.00').waitFor();
  const command = (await other.getByRole('region', { name: 'command' }).textContent()) ?? '';
  assert.match(await runInShell(command), /one/);
});

test('the card on the overview gives each kind of client its address and headers', async (t) => {
  const { page } = await openDashboard(t, server, browser, {
    path: `${server.account}/ai-gateway/gateways/production`,
  });
  const rest = `${server.baseUrl}${server.account}/ai`;
  const example = (title: string) => page.getByRole('region', { name: `${title} example` });
  await page.getByLabel('Client', { exact: true }).selectOption('Anthropic SDK');
  await page.getByText(rest, { exact: true }).waitFor();
  await page.getByText('x-api-key: $TOKEN', { exact: true }).waitFor();
  await page.getByText('cf-aig-gateway-id: production', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Python' }).click();
  assert.match((await example('Python').textContent()) ?? '', /os\.environ\["TOKEN"\]/);
  await page.getByLabel('Client', { exact: true }).selectOption('Native provider API');
  const host = `${server.origin}/v1/${server.accountId}/production`;
  await page.getByText(`${host}/openai`, { exact: true }).waitFor();
  await page.getByLabel('Provider', { exact: true }).selectOption('local');
  await page.getByText(`${host}/local`, { exact: true }).waitFor();
  await page.getByText('cf-aig-authorization: Bearer $TOKEN', { exact: true }).waitFor();
  const command = (await example('curl').textContent()) ?? '';
  assert.match(await runInShell(command, { TOKEN: server.token }), /Hello/);
  await checkAccessibility(page);
});
