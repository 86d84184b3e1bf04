import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
  nativeProviders,
  nativeSnippets,
} from '../../dashboard/src/pages/gateways/connect/native-snippets.ts';
import {
  type RestTarget,
  restClients,
} from '../../dashboard/src/pages/gateways/connect/rest-snippets.ts';
import { type GatewayServer, bootGatewayServer } from '../e2e/dashboard/gateway-traffic.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { eventually } from '../support/eventually.ts';
import { runInShell } from '../support/shell.ts';

// Where the packages of the tests are visible, as those of an application are to its code.
const ROOT = path.join(import.meta.dirname, '..');

/** Whose packages are not here; what is shown for it is the same as for the OpenAI SDK. */
const NOT_INSTALLED = new Set(['langchain']);

let server: GatewayServer;
before(async () => {
  server = await bootGatewayServer();
  for (const [id, authentication] of [
    ['production', true],
    ['open', false],
  ] as const) {
    const body = gatewayBody(id, { authentication });
    await server.call('POST', `${server.account}/ai-gateway/gateways`, { body });
  }
});
after(() => server.stop());

function targetOf(gatewayId: string, model: string, sendsToken: boolean): RestTarget {
  const { baseUrl, accountId } = server;
  const rest = `${baseUrl}/accounts/${accountId}/ai`;
  return { rest, baseUrl, accountId, gatewayId, model, sendsToken };
}

const KEYS = { OPENAI_API_KEY: 'sk-own', ANTHROPIC_API_KEY: 'sk-ant-own', GEMINI_API_KEY: 'AIza' };

/** Runs it as somebody does who has copied it; what it printed. */
async function run({ title, code }: { title: string; code: string }, sendsToken: boolean) {
  const env = { ...KEYS, ...(sendsToken && { TOKEN: server.token }) };
  if (title === 'curl') return runInShell(code, env);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: ROOT, env },
  );
  return stdout;
}

async function lastRow(gatewayId: string) {
  const list = `${server.account}/ai-gateway/gateways/${gatewayId}/logs?per_page=1`;
  return (await server.call('GET', list)).json.result[0];
}

/** The gateway that is meant has answered, to whom it should, and what was printed is the answer. */
async function check(
  name: string,
  snippet: { title: string; code: string },
  expected: { gatewayId: string; sendsToken: boolean; says: RegExp; provider: string },
): Promise<void> {
  const { gatewayId, sendsToken, says, provider } = expected;
  const former = await lastRow(gatewayId);
  assert.match(await run(snippet, sendsToken), says, `${name} ${snippet.title}`);
  let row = former;
  await eventually(`the log has ${name} ${snippet.title}`, async () => {
    row = await lastRow(gatewayId);
    return row?.id !== former?.id;
  });
  assert.deepEqual([row.provider, row.success], [provider, true]);
  assert.equal(row.token_id !== null, sendsToken);
}

test('what is shown for clients of the REST API works as it is, with and without a token', async () => {
  // A row of its own makes the gateway "default" appear.
  const first = { body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] } };
  await server.call('POST', `${server.account}/ai/v1/chat/completions`, first);
  for (const { id, snippets } of restClients.filter(({ id }) => !NOT_INSTALLED.has(id))) {
    for (const gatewayId of ['default', 'production', 'open']) {
      const sendsToken = gatewayId !== 'open';
      const runnable = snippets(targetOf(gatewayId, 'local/echo', sendsToken)).filter(
        ({ title }) => title === 'curl' || (title === 'JavaScript' && gatewayId === 'production'),
      );
      for (const snippet of runnable) {
        const expected = { gatewayId, sendsToken, says: /Hello/, provider: 'local' };
        await check(id, snippet, expected);
      }
    }
  }
  // What a gateway that is open makes of the key that an SDK insists on.
  const sdk = restClients.find(({ id }) => id === 'openai');
  const [snippet] = sdk?.snippets(targetOf('open', 'local/echo', false)) ?? [];
  assert.ok(snippet);
  const expected = { gatewayId: 'open', sendsToken: false, says: /Hello/, provider: 'local' };
  await check('openai', snippet, expected);
});

test('with a provider behind it, by the SDKs of OpenAI and Anthropic', async () => {
  for (const [id, model, provider] of [
    ['openai', 'openai/gpt-4o-mini', 'openai'],
    ['anthropic', 'anthropic/claude-sonnet-4-6', 'anthropic'],
    ['anthropic', 'openai/gpt-4o-mini', 'openai'],
  ] as const) {
    const client = restClients.find((each) => each.id === id);
    const [snippet] = client?.snippets(targetOf('production', model, true)) ?? [];
    assert.ok(snippet);
    const expected = { gatewayId: 'production', sendsToken: true, says: /well/, provider };
    await check(id, snippet, expected);
  }
});

test('what is shown for the API of each provider works as it is', async () => {
  for (const provider of nativeProviders) {
    for (const [gatewayId, sendsToken, bringsKey] of [
      ['production', true, true],
      ['production', true, false],
      ['open', false, true],
    ] as const) {
      // There it is the same for all of them.
      if (gatewayId === 'open' && provider.slug !== 'openai') continue;
      const asked = `${server.account}/ai-gateway/gateways/${gatewayId}/url/${provider.slug}`;
      const url = (await server.call('GET', asked)).json.result;
      const says = provider.slug === 'local' ? /Hello/ : /well/;
      for (const snippet of nativeSnippets(provider, { url, sendsToken, bringsKey })) {
        if (snippet.title !== 'curl' && gatewayId === 'open') continue;
        const expected = { gatewayId, sendsToken, says, provider: provider.slug };
        await check(provider.name, snippet, expected);
      }
    }
  }
});

test('names of models, whatever is typed, stay texts', async () => {
  const nasty = `local/it's "$HOME" \`id\` \\ $'{1}' é\u2028`;
  for (const { id, snippets } of restClients.filter(({ id }) => id === 'openai' || id === 'curl')) {
    const [snippet] = snippets(targetOf('production', nasty, true));
    assert.ok(snippet);
    const told = await run(snippet, true).catch((error: unknown) => String(error));
    // The name comes back in the refusal, whole.
    assert.match(told, /it's|does not exist|no such/i, id);
    assert.doesNotMatch(told, /SyntaxError|command not found/, id);
  }
});
