import { TOKEN_VARIABLE, shellWord } from '../../../lib/shell-command.ts';
import { type Snippet, js } from './rest-snippets.ts';

/** The header of the gateway host that carries the token: all others are the provider's. */
export const HOST_TOKEN_HEADER = 'cf-aig-authorization';

/** A provider's own API, behind a gateway. */
export interface NativeProvider {
  /** As paths have it. */
  slug: string;
  name: string;
  /** Where the example goes, below the address of the provider. */
  path: string;
  body: object;
  /** How it takes its key; undefined where it needs none. */
  key?: { header: string; variable: string; scheme?: 'Bearer' };
  /** What stands for its SDK to begin with. */
  sdk?: { install: string; code: (options: string) => string };
}

const MESSAGES = [{ role: 'user', content: 'Hello' }];

const OPENAI_SDK: NativeProvider['sdk'] = {
  install: 'npm install openai',
  code: (options) => `import OpenAI from 'openai';

const client = new OpenAI(${options});

const completion = await client.chat.completions.create({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(completion.choices[0].message.content);
`,
};

const ANTHROPIC_SDK: NativeProvider['sdk'] = {
  install: 'npm install @anthropic-ai/sdk',
  code: (options) => `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic(${options});

const message = await client.messages.create({
  model: 'claude-sonnet-4-6',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content[0].text);
`,
};

/** Those with an example; all others are reached alike. */
export const nativeProviders: readonly NativeProvider[] = [
  {
    slug: 'openai',
    name: 'OpenAI',
    path: 'chat/completions',
    body: { model: 'gpt-4o-mini', messages: MESSAGES },
    key: { header: 'Authorization', variable: 'OPENAI_API_KEY', scheme: 'Bearer' },
    sdk: OPENAI_SDK,
  },
  {
    slug: 'anthropic',
    name: 'Anthropic',
    path: 'v1/messages',
    body: { model: 'claude-sonnet-4-6', max_tokens: 1024, messages: MESSAGES },
    key: { header: 'x-api-key', variable: 'ANTHROPIC_API_KEY' },
    sdk: ANTHROPIC_SDK,
  },
  {
    slug: 'google-ai-studio',
    name: 'Google AI Studio',
    path: 'v1beta/models/gemini-2.5-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    key: { header: 'x-goog-api-key', variable: 'GEMINI_API_KEY' },
  },
  {
    slug: 'local',
    name: 'Local (built in, needs no key)',
    path: 'chat/completions',
    body: { model: 'echo', messages: MESSAGES },
  },
];

interface NativeTarget {
  /** Of the provider, behind the gateway. */
  url: string;
  sendsToken: boolean;
  /** Whether the caller has a key of the provider, in the place of a stored one. */
  bringsKey: boolean;
}

/** How a provider's own API is called. */
export function nativeSnippets(provider: NativeProvider, target: NativeTarget): Snippet[] {
  const command: Snippet = { title: 'curl', code: nativeCommand(provider, target) };
  const { sdk, key } = provider;
  // SDKs send a key in any case, and one that is sent goes before a stored one.
  if (sdk === undefined || key === undefined || !target.bringsKey) return [command];
  const token = `{ ${js(HOST_TOKEN_HEADER)}: \`Bearer \${process.env.${TOKEN_VARIABLE}}\` }`;
  const options = `{
  baseURL: ${js(target.url)},
  apiKey: process.env.${key.variable},${target.sendsToken ? `\n  defaultHeaders: ${token},` : ''}
}`;
  return [command, { title: 'JavaScript', install: sdk.install, code: sdk.code(options) }];
}

function nativeCommand(
  { path, body, key }: NativeProvider,
  { url, sendsToken, bringsKey }: NativeTarget,
): string {
  const scheme = key?.scheme === undefined ? '' : `${key.scheme} `;
  return [
    `curl -sS ${shellWord(`${url}/${path}`)}`,
    ...(sendsToken ? [`-H "${HOST_TOKEN_HEADER}: Bearer $${TOKEN_VARIABLE}"`] : []),
    ...(bringsKey && key !== undefined ? [`-H "${key.header}: ${scheme}$${key.variable}"`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}
