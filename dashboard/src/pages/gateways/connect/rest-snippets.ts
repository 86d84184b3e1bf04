import { GATEWAY_HEADER } from '../../../lib/gateway-headers.ts';
import { TOKEN_VARIABLE, apiCommand } from '../../../lib/shell-command.ts';

/** What the requests of a snippet are to reach. */
export interface RestTarget {
  /** `{server}/client/v4/accounts/{account}/ai` */
  rest: string;
  /** `{server}/client/v4` */
  baseUrl: string;
  accountId: string;
  gatewayId: string;
  /** `provider/model` */
  model: string;
  /** Whether the requests carry a token: a gateway that is open needs none. */
  sendsToken: boolean;
}

/** One way to ask, in one language. */
export interface Snippet {
  /** "JavaScript" */
  title: string;
  /** What has to be installed before. */
  install?: string;
  code: string;
}

/** A client that speaks the REST API. */
export interface RestClient {
  id: string;
  name: string;
  /** The address that it is given. */
  address: (target: RestTarget) => string;
  /** The header in which it sends the token. */
  tokenHeader: 'Authorization' | 'x-api-key';
  /** What this client is good for. */
  lead: string;
  snippets: (target: RestTarget) => Snippet[];
}

const DEFAULT_GATEWAY = 'default';

/** The header that names the gateway; none for the one that is meant anyway. */
export function gatewayHeaders({ gatewayId }: Pick<RestTarget, 'gatewayId'>) {
  return gatewayId === DEFAULT_GATEWAY ? {} : { [GATEWAY_HEADER]: gatewayId };
}

/** A text as a literal of JavaScript. */
export function js(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

/** Python has the escapes of JSON. */
const py = (text: string): string => JSON.stringify(text);

// SDKs insist on a key.
const jsKey = ({ sendsToken }: RestTarget): string =>
  sendsToken ? `process.env.${TOKEN_VARIABLE}` : js('none');
const pyKey = ({ sendsToken }: RestTarget): string =>
  sendsToken ? `os.environ[${py(TOKEN_VARIABLE)}]` : py('none');

/** A member with the headers of the gateway, on a line of its own; nothing where there are none. */
function jsHeaders(target: RestTarget, name: string): string {
  return gatewayHeaders(target)[GATEWAY_HEADER] === undefined
    ? ''
    : `\n  ${name}: { ${js(GATEWAY_HEADER)}: ${js(target.gatewayId)} },`;
}

function pyHeaders(target: RestTarget): string {
  return gatewayHeaders(target)[GATEWAY_HEADER] === undefined
    ? ''
    : `\n    default_headers={${py(GATEWAY_HEADER)}: ${py(target.gatewayId)}},`;
}

/** Python needs its environment only for the token. */
const importOs = ({ sendsToken }: RestTarget): string => (sendsToken ? 'import os\n\n' : '');

const openAiAddress = ({ rest }: RestTarget): string => `${rest}/v1`;

const curl: RestClient = {
  id: 'curl',
  name: 'curl',
  address: openAiAddress,
  tokenHeader: 'Authorization',
  lead: 'OpenAI-compatible API for models of all providers.',
  snippets: (target) => [
    {
      title: 'curl',
      code: apiCommand({
        url: `${target.rest}/v1/chat/completions`,
        headers: gatewayHeaders(target),
        isAnonymous: !target.sendsToken,
        body: bodyOf(target),
      }),
    },
  ],
};

function bodyOf({ model }: RestTarget): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
}

const openAi: RestClient = {
  id: 'openai',
  name: 'OpenAI SDK',
  address: openAiAddress,
  tokenHeader: 'Authorization',
  lead: 'Chat completions, responses and embeddings for models of all providers that support them.',
  snippets: (target) => [
    {
      title: 'JavaScript',
      install: 'npm install openai',
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${js(openAiAddress(target))},
  apiKey: ${jsKey(target)},${jsHeaders(target, 'defaultHeaders')}
});

const completion = await client.chat.completions.create({
  model: ${js(target.model)},
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(completion.choices[0].message.content);
`,
    },
    {
      title: 'Python',
      install: 'pip install openai',
      code: `${importOs(target)}from openai import OpenAI

client = OpenAI(
    base_url=${py(openAiAddress(target))},
    api_key=${pyKey(target)},${pyHeaders(target)}
)

completion = client.chat.completions.create(
    model=${py(target.model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)
`,
    },
  ],
};

const anthropic: RestClient = {
  id: 'anthropic',
  name: 'Anthropic SDK',
  address: ({ rest }) => rest,
  tokenHeader: 'x-api-key',
  lead: 'Messages for models of all providers. The SDK appends /v1 to the URL.',
  snippets: (target) => [
    {
      title: 'JavaScript',
      install: 'npm install @anthropic-ai/sdk',
      code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: ${js(target.rest)},
  apiKey: ${jsKey(target)},${jsHeaders(target, 'defaultHeaders')}
});

const message = await client.messages.create({
  model: ${js(target.model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content[0].text);
`,
    },
    {
      title: 'Python',
      install: 'pip install anthropic',
      code: `${importOs(target)}from anthropic import Anthropic

client = Anthropic(
    base_url=${py(target.rest)},
    api_key=${pyKey(target)},${pyHeaders(target)}
)

message = client.messages.create(
    model=${py(target.model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)
`,
    },
  ],
};

const vercel: RestClient = {
  id: 'vercel',
  name: 'Vercel AI SDK',
  address: openAiAddress,
  tokenHeader: 'Authorization',
  lead: 'An OpenAI-compatible provider.',
  snippets: (target) => [
    {
      title: 'JavaScript',
      install: 'npm install ai @ai-sdk/openai-compatible',
      code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

const gateway = createOpenAICompatible({
  name: 'gateway',
  baseURL: ${js(openAiAddress(target))},${target.sendsToken ? `\n  apiKey: ${jsKey(target)},` : ''}${jsHeaders(target, 'headers')}
});

const { text } = await generateText({ model: gateway(${js(target.model)}), prompt: 'Hello' });
console.log(text);
`,
    },
  ],
};

const langChain: RestClient = {
  id: 'langchain',
  name: 'LangChain',
  address: openAiAddress,
  tokenHeader: 'Authorization',
  lead: 'An OpenAI chat model, including streams and tools.',
  snippets: (target) => [
    {
      title: 'JavaScript',
      install: 'npm install @langchain/openai @langchain/core',
      code: `import { ChatOpenAI } from '@langchain/openai';

const chat = new ChatOpenAI({
  model: ${js(target.model)},
  apiKey: ${jsKey(target)},
  configuration: {
    baseURL: ${js(openAiAddress(target))},${jsHeaders(target, '  defaultHeaders')}
  },
});

const answer = await chat.invoke('Hello');
console.log(answer.content);
`,
    },
    {
      title: 'Python',
      install: 'pip install langchain-openai',
      code: `${importOs(target)}from langchain_openai import ChatOpenAI

chat = ChatOpenAI(
    model=${py(target.model)},
    base_url=${py(openAiAddress(target))},
    api_key=${pyKey(target)},${pyHeaders(target)}
)

print(chat.invoke("Hello").content)
`,
    },
  ],
};

const run: RestClient = {
  id: 'run',
  name: 'Run a model (ai/run)',
  address: ({ rest }) => `${rest}/run`,
  tokenHeader: 'Authorization',
  lead: 'The path names the model, and the response has the envelope of the management API.',
  snippets: (target) => [
    {
      title: 'curl',
      code: apiCommand({
        url: `${target.rest}/run/${pathOf(target.model)}`,
        headers: gatewayHeaders(target),
        isAnonymous: !target.sendsToken,
        body: JSON.stringify({ prompt: 'Hello' }),
      }),
    },
    {
      title: 'JavaScript',
      install: 'npm install cloudflare',
      code: `import Cloudflare from 'cloudflare';

const client = new Cloudflare({
  baseURL: ${js(target.baseUrl)},
  apiToken: ${jsKey(target)},${jsHeaders(target, 'defaultHeaders')}
});

const result = await client.ai.run(${js(target.model)}, {
  account_id: ${js(target.accountId)},
  prompt: 'Hello',
});
console.log(result.response);
`,
    },
  ],
};

/** The name of a model in a path, as readable as it may be. */
function pathOf(model: string): string {
  return encodeURIComponent(model).replaceAll(/%(?:2F|40|3A)/g, decodeURIComponent);
}

/** The clients that a snippet is there for. */
export const restClients: readonly RestClient[] = [openAi, anthropic, vercel, langChain, curl, run];
