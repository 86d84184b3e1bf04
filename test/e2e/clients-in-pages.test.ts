import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { createClient } from '../oauth/client-bodies.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { openPage, sharedBrowser } from '../support/chromium.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { createPerson } from '../support/people.ts';
import { type TestServer, bootServer } from '../support/server.ts';

/** The code of all clients for a page. */
async function bundleClients(): Promise<string> {
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, '../support/page-clients.ts'),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

const PAGE = '<!doctype html><meta charset="utf-8"><script src="/clients.js"></script>';

let server: TestServer;
let browser: Browser;
let files: FileServer;
let settings: string;
let page: Page;
const ends: (() => unknown)[] = [];
before(async () => {
  server = await bootServer('sqlite');
  browser = await sharedBrowser();
  const code = await bundleClients();
  files = await startFileServer({ after: (work) => ends.push(work) });
  files.answer = (request, response) => {
    const isCode = request.url === '/clients.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.end(isCode ? code : PAGE);
  };
  const scopes = ['ai-gateway.run', 'ai-gateway.read', 'tags.write', 'members.read'];
  const { accountId } = server;
  const { userId } = await createPerson(server, { accountId, roles: ['super-administrator'] });
  const { client_id: clientId } = await createClient(server, {
    token_endpoint_auth_method: 'none',
    scopes,
    allowed_cors_origins: [files.origin],
  });
  const token = (await issueAccessToken(server, { userId, clientId, scopes })).value;
  settings = JSON.stringify({ token, accountId, baseURL: server.baseUrl });
  page = await openPage(browser, files.origin);
});
after(async () => {
  await page.context().close();
  for (const end of ends) await end();
  await server.stop();
});

/** Runs code in the page of the OAuth client. */
const run = <T>(code: string, on = page): Promise<T> =>
  on.evaluate(`(async ({ token, accountId, baseURL }) => { ${code} })(${settings})`);

test('cloudflare: reads, writes, pages and errors', async () => {
  const found = await run(`
    const client = new Cloudflare({ apiToken: token, baseURL, maxRetries: 0 });
    const account_id = accountId;
    const { accountTags } = client.resourceTagging;
    const written = await accountTags.update({
      account_id, resource_type: 'worker', resource_id: 'page', tags: { from: 'a page' },
    });
    const read = await accountTags.get({ account_id, resource_type: 'worker', resource_id: 'page' });
    const members = [];
    for await (const { email } of client.accounts.members.list({ account_id, per_page: 1 })) {
      members.push(email);
    }
    const gateways = await client.aiGateway.list({ account_id });
    const refusal = await client.accounts.tokens.list({ account_id }).then(
      () => 'no refusal',
      ({ status, errors }) => ({ status, code: errors[0].code }),
    );
    return [written.tags, read.etag === written.etag, members.length, gateways.result.length, refusal];
  `);
  const [tags, isSame, members, gateways, refusal] = found as unknown[];
  assert.deepEqual([tags, isSame], [{ from: 'a page' }, true]);
  assert.ok((members as number) >= 2);
  assert.equal(typeof gateways, 'number');
  assert.deepEqual(refusal, { status: 403, code: 10_000 });
});

test('cloudflare: completions through a model path', async () => {
  const answer = await run(`
    const client = new Cloudflare({ apiToken: token, baseURL, maxRetries: 0 });
    const body = { messages: [{ role: 'user', content: 'hello' }] };
    return client.ai.run('local/echo', { account_id: accountId, ...body }).catch(String);
  `);
  assert.match(JSON.stringify(answer), /hello/);
});

test('openai and @anthropic-ai/sdk: completions, streams and errors', async () => {
  const [text, streamed, message, refusal] = await run<unknown[]>(`
    const options = { maxRetries: 0, dangerouslyAllowBrowser: true };
    const root = baseURL + '/accounts/' + accountId + '/ai';
    const openai = new OpenAI({ ...options, apiKey: token, baseURL: root + '/v1' });
    const messages = [{ role: 'user', content: 'hello' }];
    const request = { model: 'local/echo', messages };
    const completion = await openai.chat.completions.create(request);
    let streamed = '';
    for await (const { choices } of await openai.chat.completions.create({ ...request, stream: true })) {
      streamed += choices[0]?.delta.content ?? '';
    }
    const anthropic = new Anthropic({ ...options, authToken: token, apiKey: null, baseURL: root });
    const message = await anthropic.messages.create({ ...request, max_tokens: 20 });
    const refusal = await openai.chat.completions.create({ ...request, model: 'nowhere/x' }).then(
      () => 'no refusal',
      ({ status }) => status,
    );
    return [completion.choices[0].message.content, streamed, message.content[0].text, refusal];
  `);
  assert.match(String(text), /hello/);
  assert.equal(streamed, text);
  assert.equal(message, text);
  assert.equal(refusal, 400);
});

test('a page of another origin reads nothing', async () => {
  const other = await openPage(browser, files.origin.replace('127.0.0.1', 'localhost'));
  const failure = await run(
    `
    const client = new Cloudflare({ apiToken: token, baseURL, maxRetries: 0 });
    return client.accounts.list().then(() => 'read', ({ name, constructor }) => constructor.name);
  `,
    other,
  );
  await other.context().close();
  assert.notEqual(failure, 'read');
});
