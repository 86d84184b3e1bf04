import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gatewayCommand } from '../../dashboard/src/lib/gateway-command.ts';
import { type GatewayServer, bootGatewayServer } from '../e2e/dashboard/gateway-traffic.ts';
import { request } from '../support/server.ts';
import { runInShell } from '../support/shell.ts';

let server: GatewayServer;
before(async () => {
  server = await bootGatewayServer();
});
after(() => server.stop());

const NASTY = `It's "$HOME" \`id\` $(id) \\ \\n !! @x 'ok' & <b> é🐢`;

interface Asked {
  path: string;
  body: object;
  headers?: Record<string, string>;
}

/** Sends a request by one of the ways in, and tells its log and the answer. */
async function send({ path, body, headers = {} }: Asked) {
  const { accountId, token, origin } = server;
  const isRest = path.startsWith('/ai/');
  const answer = await request(
    'POST',
    isRest
      ? `${server.baseUrl}/accounts/${accountId}${path}`
      : `${origin}/v1/${accountId}/default${path}`,
    {
      token: null,
      headers: {
        [isRest ? 'authorization' : 'cf-aig-authorization']: `Bearer ${token}`,
        ...headers,
      },
      body,
    },
  );
  assert.equal(answer.status, 200, answer.text);
  const id = answer.headers.get('cf-aig-log-id') ?? '';
  const ofLog = `${server.account}/ai-gateway/gateways/default/logs/${id}`;
  const { json } = await server.call('GET', ofLog);
  const sent = await server.call('GET', `${ofLog}/request`);
  return { log: json.result, text: answer.text, body: sent.text };
}

/** The command for what was sent. */
function commandFor({ log, text, body }: Awaited<ReturnType<typeof send>>) {
  const { accountId, baseUrl, origin } = server;
  const sent = { accountId, gatewayId: 'default', log, body, answer: text };
  return gatewayCommand(sent, { baseUrl, gatewayUrl: origin });
}

const user = (content: string) => [{ role: 'user', content }];
const chat = (model: string, more: object = {}) => ({ model, messages: user('r1:ok'), ...more });
const gemini = { contents: [{ role: 'user', parts: [{ text: 'r2:ok' }] }] };
const claude = 'claude-3-5-haiku-latest';

const REQUESTS: readonly Asked[] = [
  { path: '/ai/v1/chat/completions', body: chat('openai/gpt-4o-mini') },
  {
    path: '/ai/v1/chat/completions',
    body: chat(`anthropic/${claude}`, { max_tokens: 9, stream: true }),
  },
  { path: '/ai/v1/messages', body: chat(`anthropic/${claude}`, { max_tokens: 9 }) },
  { path: '/ai/v1/messages', body: chat('openai/gpt-4o-mini', { max_tokens: 9, stream: true }) },
  { path: '/ai/v1/embeddings', body: { model: 'openai/text-embedding-3-small', input: 'r3:ok' } },
  { path: '/ai/run', body: { model: 'openai/gpt-4o-mini', input: { prompt: 'r1:ok' } } },
  { path: '/ai/run/openai/gpt-4o-mini', body: { messages: user('r1:ok') } },
  { path: '/compat/chat/completions', body: chat('openai/gpt-4o-mini') },
  {
    path: '/anthropic/v1/messages',
    body: { ...chat(claude, { max_tokens: 9 }), stream: true },
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-of-the-caller' },
  },
  {
    path: '/google-ai-studio/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
    body: gemini,
  },
  {
    path: '',
    body: [{ provider: 'openai', endpoint: 'chat/completions', query: chat('gpt-4o-mini') }],
  },
  {
    path: '',
    body: [{ provider: 'compat', endpoint: 'chat/completions', query: chat('openai/gpt-4o-mini') }],
  },
];

/** What of an answer is new each time. */
function lasting(text: string): string {
  return text.replaceAll(/"(?:id|created)":(?:"[^"]*"|\d+)/g, '""');
}

test('the command sends what was sent, by whichever way in', async () => {
  const env = { TOKEN: server.token, PROVIDER_KEY: 'sk-of-another' };
  await Promise.all(
    REQUESTS.map(async (asked) => {
      const sent = await send(asked);
      const { command, needsProviderKey } = commandFor(sent);
      assert.equal(needsProviderKey, asked.headers?.['x-api-key'] !== undefined);
      assert.equal(lasting(await runInShell(command, env)), lasting(sent.text), command);
    }),
  );
});

test('whatever a body holds, and however long it is, it is sent as it is', async () => {
  for (const text of [NASTY, `${NASTY}\nBODY\n`.repeat(2_000)]) {
    const body = { model: 'local/echo', messages: user(text) };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { command } = commandFor(await send({ path: '/ai/v1/chat/completions', body }));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = JSON.parse(await runInShell(command, { TOKEN: server.token }));
    assert.equal(answer.choices[0].message.content, text);
  }
});

test('headers that count are sent, and what the log did not keep is told', async () => {
  const headers = {
    'cf-aig-metadata': JSON.stringify({ team: 'x'.repeat(600) }),
    'cf-aig-cache-ttl': '60',
    'cf-aig-cache-key': "it's",
    'cf-aig-event-id': 'one',
  };
  const path = '/ai/v1/chat/completions';
  const messages = user('{"api_key": "sk-1234"}');
  const sent = await send({ path, body: { model: 'local/echo', messages }, headers });
  const { command, notes } = commandFor(sent);
  assert.match(command, /-H 'cf-aig-cache-ttl: 60'/);
  assert.ok(command.includes(String.raw`-H 'cf-aig-cache-key: it'\''s'`));
  assert.doesNotMatch(command, /cf-aig-event-id|cf-aig-metadata|cf-aig-authorization/);
  assert.deepEqual(notes, [
    'Incomplete in the log and therefore omitted: cf-aig-metadata.',
    'Logs contain no credentials. Replace [redacted] in the body with the credentials.',
  ]);
});
