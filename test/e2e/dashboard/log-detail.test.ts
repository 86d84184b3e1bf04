import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { sharedBrowser } from '../../support/chromium.ts';
import { checkAccessibility, checkFits, openDashboard } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import type { Json } from '../../support/server.ts';
import { runInShell } from '../../support/shell.ts';
import { type GatewayServer, bootGatewayServer } from './gateway-traffic.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

let server: GatewayServer;
let browser: Browser;
before(async () => {
  server = await bootGatewayServer();
  browser = await sharedBrowser();
});
after(() => server.stop());

interface Sent {
  id: string;
  text: string;
}

/** Sends a request through the gateway, below the REST API or the gateway host; answers with its log. */
async function send(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { accountId, token, origin, baseUrl } = server;
  const credential = path.startsWith('ai/') ? 'authorization' : 'cf-aig-authorization';
  const host = `${origin}/v1/${accountId}/default`;
  const url = path.startsWith('ai/') ? `${baseUrl}/accounts/${accountId}/${path}` : host + path;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [credential]: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  const sent = { id: response.headers.get('cf-aig-log-id') ?? '', text: await response.text() };
  // It is written a moment after the answer.
  await eventually('it is logged', async () => (await readLog(sent.id)) !== null);
  return sent;
}

const CHAT = 'ai/v1/chat/completions';

function chat(text: string, more: object = {}): object {
  return { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: text }], ...more };
}

function logsOf(account: string): string {
  return `${account}/ai-gateway/gateways/default/logs`;
}

/** Opens a log by its address. */
async function openLog(page: Page, account: string, { id }: Pick<Sent, 'id'>): Promise<Locator> {
  await page.goto(`${server.origin}${logsOf(account)}?log=${id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText(id).waitFor();
  return drawer;
}

async function readLog(id: string): Promise<Json> {
  const { json } = await server.call('GET', `${logsOf(server.account)}/${id}`);
  return json.result;
}

test('an exchange is read as a conversation and as it was kept, and sent again', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  const tools = [{ type: 'function', function: { name: 'weather' } }];
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Wien"}' },
  };
  const picture = {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${'A'.repeat(400)}` },
  };
  const nasty = `It's <b>"hot"</b> & \`cheap\` $HOME \\ r12:ok`;
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    { role: 'user', content: nasty },
  ];
  const headers = { 'cf-aig-metadata': `{"team":"it's search"}`, 'cf-aig-event-id': 'ticket-1' };
  const sent = await send(CHAT, chat('', { messages, tools, temperature: 0.5 }), headers);
  await send(CHAT, chat('r13:fail'), { 'cf-aig-event-id': 'ticket-1' });
  const drawer = await openLog(page, account, sent);
  await drawer.getByRole('heading', { name: 'gpt-4o-mini' }).waitFor();
  const said = await drawer.getByRole('tabpanel').getByRole('listitem').allInnerTexts();
  assert.match(said[0] ?? '', /^User\s+What is this\?\s+Image\s+image\/png, 300 bytes$/);
  assert.match(said[1] ?? '', /^Assistant\s+Calls weather\s+\{\s+"city": "Wien"\s+\}$/);
  assert.match(said[2] ?? '', /^Tool\s+Answer of weather\s+sunny$/);
  assert.match(said[3] ?? '', /^User\s+It's <b>"hot"<\/b> & `cheap` \$HOME \\ r12:ok$/);
  assert.match(said[4] ?? '', /^Assistant\s+well$/);
  await drawer.getByText('temperature').waitFor();
  await drawer.getByRole('link', { name: 'First token' }).waitFor();
  await drawer.getByText('until the response started').waitFor();
  // The other request of the same event.
  await drawer.getByRole('heading', { name: 'Other requests of this event' }).waitFor();
  await checkAccessibility(page);
  // As it was kept.
  await drawer.getByRole('tab', { name: 'Request' }).click();
  const shown = drawer.getByRole('region', { name: 'request body' });
  assert.equal(await shown.locator('> span').first().textContent(), '{');
  const laidOut = await shown.locator('> span').allTextContents();
  assert.deepEqual(JSON.parse(laidOut.join('')), JSON.parse((await readLog(sent.id)).request_head));
  await drawer.getByRole('group', { name: 'Format' }).getByText('Raw').click();
  assert.equal(await shown.textContent(), (await readLog(sent.id)).request_head);
  await drawer.getByText('Request headers').click();
  await drawer.getByText('cf-aig-metadata').waitFor();
  const download = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'Download' }).click();
  assert.deepEqual(JSON.parse(await readFile(await (await download).path(), 'utf8')), {
    ...chat('', { messages, tools, temperature: 0.5 }),
  });
  await checkAccessibility(page);
  // Sent again by the command that is shown.
  await drawer.getByRole('tab', { name: 'curl' }).click();
  const command = await drawer.getByRole('region', { name: 'command' }).textContent();
  const answer: Json = JSON.parse(await runInShell(command ?? '', { TOKEN: server.token }));
  assert.deepEqual(answer, JSON.parse(sent.text));
  const { json } = await server.call('GET', `${logsOf(account)}?per_page=1`);
  const again = await readLog(json.result[0].id);
  const before = await readLog(sent.id);
  for (const field of ['request_head', 'metadata', 'model', 'path', 'token_id']) {
    assert.equal(again[field], before[field], field);
  }
});

test('a stream becomes the message that it makes, also when the caller leaves', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  const body = {
    model: 'claude-3-5-haiku-latest',
    max_tokens: 9,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'r21:ok' }],
    stream: true,
  };
  const sent = await send('/anthropic/v1/messages', body, { 'anthropic-version': '2023-06-01' });
  const drawer = await openLog(page, account, sent);
  await drawer.getByRole('tab', { name: 'Stream' }).click();
  await drawer.getByText('Anthropic messages, to its end').waitFor();
  const message = drawer.getByRole('list', { name: 'Assembled message' });
  assert.match((await message.innerText()) ?? '', /^Assistant\s+well$/);
  const events = drawer.getByRole('list', { name: 'Events' }).getByRole('listitem');
  const sentEvents = sent.text.split('\n\n').filter((event) => event !== '');
  assert.equal(await events.count(), sentEvents.length);
  await events.getByRole('button', { name: /content_block_delta/ }).click();
  await drawer.getByRole('region', { name: 'event 3' }).getByText('"text_delta"').waitFor();
  await drawer
    .getByRole('group', { name: /assembled/ })
    .getByText('JSON')
    .click();
  const lines = await drawer
    .getByRole('region', { name: 'assembled message' })
    .locator('> span')
    .allTextContents();
  const assembled: Json = JSON.parse(lines.join(''));
  assert.deepEqual(assembled.content, [{ type: 'text', text: 'well' }]);
  assert.equal(assembled.usage.output_tokens, (await readLog(sent.id)).tokens_out);
  await checkAccessibility(page);
  await drawer.getByRole('tab', { name: 'curl' }).click();
  const command = await drawer.getByRole('region', { name: 'command' }).textContent();
  assert.equal(await runInShell(command ?? '', { TOKEN: server.token }), sent.text);
  // Broken off by whoever asked.
  const leaving = new AbortController();
  const { accountId, token, baseUrl } = server;
  const broken = await fetch(`${baseUrl}/accounts/${accountId}/${CHAT}`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(chat('r22:break', { stream: true })),
  });
  const reader = broken.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel().catch(() => undefined);
  const id = broken.headers.get('cf-aig-log-id') ?? '';
  await eventually('the log is there', async () => (await readLog(id))?.status_code === 499);
  await openLog(page, account, { id });
  await drawer.getByText('499 Client disconnected').first().waitFor();
  await drawer.getByText('The log contains the part until then').waitFor();
  await drawer.getByText('ok', { exact: true }).waitFor();
});

test('a fallback reads as one picture, from step to step', async (t) => {
  const { page, account } = await openDashboard(t, server, browser, { browser: NARROW });
  const entry = (mode: string): object => ({
    provider: 'openai',
    endpoint: 'chat/completions',
    query: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: `r31:${mode}` }] },
  });
  const sent = await send('', [entry('fail'), entry('ok')] as object);
  const drawer = await openLog(page, account, sent);
  await drawer.getByText('2 calls, each a fallback of the previous one').waitFor();
  const current = drawer.locator('li[aria-current=step]');
  assert.match(await current.innerText(), /^Step 1\s+openai\/gpt-4o-mini\s+200\s+Started after/);
  const failed = drawer.getByRole('listitem').filter({ hasText: 'Step 0' });
  assert.match(await failed.innerText(), /500\s+Aborted after \d+ ms\./);
  await checkFits(page);
  await checkAccessibility(page);
  await failed.getByRole('link').click();
  await drawer.getByText('It failed').waitFor();
  await drawer.getByText('overloaded (server_error)').waitFor();
  await drawer.getByText('The provider reported no token count.').waitFor();
  await drawer.getByRole('tab', { name: 'curl' }).click();
  await drawer.getByText('The command sends only this step').waitFor();
  const command = await drawer.getByRole('region', { name: 'command' }).textContent();
  const answer: Json = JSON.parse(await runInShell(command ?? '', { TOKEN: server.token }));
  assert.equal(answer.error.message, 'overloaded');
  await page.goBack();
  await current.filter({ hasText: 'Step 1' }).waitFor();
  // From the cache, at no cost.
  const headers = { 'cf-aig-cache-ttl': '600' };
  await send(CHAT, chat('r32:ok'), headers);
  await openLog(page, account, await send(CHAT, chat('r32:ok'), headers));
  await drawer.getByText('Responses from the cache are free.').waitFor();
  // Without bodies there is nothing to be read, and nothing to be sent.
  const unkept = { 'cf-aig-collect-log-payload': 'false' };
  await openLog(page, account, await send(CHAT, chat('r33:ok'), unkept));
  await drawer.getByText('Request and response are not logged').waitFor();
  assert.equal(await drawer.getByRole('tab').count(), 0);
  await checkFits(page);
});

test('somebody judges answers, from log to log by the keyboard', async (t) => {
  const { page, account } = await openDashboard(t, server, browser);
  const [first, second] = [await send(CHAT, chat('r41:ok')), await send(CHAT, chat('r42:ok'))];
  await page.goto(`${server.origin}${logsOf(account)}`);
  const row = (log: Sent): Locator => page.locator(`[data-log="${log.id}"]`);
  await row(second).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByText(second.id).waitFor();
  await page.keyboard.press('j');
  await drawer.getByText(first.id).waitFor();
  await drawer.getByRole('button', { name: 'Good response' }).click();
  await eventually('it is saved', async () => (await readLog(first.id)).feedback === 1);
  // Refused, it goes back to what it was.
  await page.route('**/logs/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 503, body: '' })
      : route.continue(),
  );
  await drawer.getByRole('button', { name: 'Bad response' }).click();
  await page
    .getByText(/^Not saved\./)
    .first()
    .waitFor();
  await drawer.getByRole('button', { name: 'Good response', pressed: true }).waitFor();
  await page.unroute('**/logs/*');
  await drawer.getByLabel('Score').fill('jk');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await drawer.getByText('Enter a number between').waitFor();
  await drawer.getByLabel('Score').fill('0.75');
  await page.keyboard.press('Enter');
  await page.getByText('Saved the score', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Add metadata' }).click();
  await drawer.getByLabel('Name 1').fill('team');
  await drawer.getByLabel('Value 1').fill('search');
  await drawer.getByRole('button', { name: 'Add another' }).click();
  await drawer.getByLabel('Name 2').fill('tries');
  await drawer.getByLabel('Value 2').fill('3');
  await checkAccessibility(page);
  await drawer.getByRole('button', { name: 'Save metadata' }).click();
  await page.getByText('Saved the metadata', { exact: true }).waitFor();
  const { feedback, score, metadata } = await readLog(first.id);
  assert.deepEqual([feedback, score, metadata], [1, 0.75, '{"team":"search","tries":3}']);
  await page.reload();
  await drawer.getByRole('button', { name: 'Good response', pressed: true }).waitFor();
  assert.equal(await drawer.getByLabel('Score').inputValue(), '0.75');
  await drawer.getByText('tries').waitFor();
  await drawer.getByRole('button', { name: /^Previous log/ }).waitFor();
  await page.keyboard.press('k');
  await drawer.getByText(second.id).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  // The focus goes back to where it came from.
  await row(second).focus();
  await page.keyboard.press('Enter');
  await drawer.getByText(second.id).waitFor();
  await page.keyboard.press('Escape');
  await page.locator(`[data-log="${second.id}"]:focus`).waitFor();
  // Deleted, it is said to be gone.
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Delete this log' }).click();
  await page.getByRole('button', { name: 'Delete log' }).click();
  await page.getByText('Deleted the log', { exact: true }).waitFor();
  await drawer.waitFor({ state: 'detached' });
  await row(second).waitFor({ state: 'detached' });
  await page.goto(`${server.origin}${logsOf(account)}?log=${second.id}`);
  await page.getByRole('dialog', { name: 'Log not found' }).waitFor();
  await page.getByText('The log was deleted, or its retention period has ended.').waitFor();
  await checkAccessibility(page);
});

test('whoever may only look is told which role it takes to judge', async (t) => {
  const roles = ['administrator-read-only'];
  const { page, account } = await openDashboard(t, server, browser, { roles });
  const drawer = await openLog(page, account, await send(CHAT, chat('r51:ok')));
  await drawer.getByText("Your role doesn't allow you to change or delete logs").waitFor();
  assert.ok(await drawer.getByRole('button', { name: 'Good response' }).isDisabled());
  assert.equal(await drawer.getByRole('button', { name: 'Delete this log' }).count(), 0);
  assert.equal(await drawer.getByRole('button', { name: 'Add metadata' }).count(), 0);
});
