import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type TestServer, bootServer } from '../support/server.ts';

const run = promisify(execFile);

const PACKAGES = path.join(import.meta.dirname, 'node_modules');
const TSC = path.join(PACKAGES, 'typescript/bin/tsc');
const TIMEOUT_MS = 120_000;

interface Target {
  origin: string;
  accountId: string;
  token: string;
}

interface Results {
  name: string | undefined;
  completion: string | null | undefined;
  events: string;
  refusal: number | undefined;
}

interface Generator {
  /** Generates a client from `openapi.json`; the working directory is an empty one. */
  commands: (origin: string) => string[][];
  files?: (origin: string) => Record<string, string>;
  /** The body of `use({ origin, accountId, token })` and its imports. */
  imports: string;
  use: string;
}

const BODY = `{ model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] }`;
const STREAM_BODY = `{ ...body, stream: true }`;

const GENERATORS: Record<string, Generator> = {
  '@hey-api/openapi-ts': {
    commands: () => [
      [
        path.join(PACKAGES, '@hey-api/openapi-ts/bin/run.js'),
        '-i',
        'openapi.json',
        '-o',
        'client',
        '--no-log-file',
      ],
    ],
    imports: `import { createChatCompletion, getAccount } from './client/sdk.gen.ts';
import { createClient } from './client/client/index.ts';`,
    use: `
  const client = createClient({ baseUrl: origin, auth: token });
  const path = { account_id: accountId };
  const account = await getAccount({ client, path });
  const completion = await createChatCompletion({ client, path, body });
  const stream = await createChatCompletion({ client, path, body: ${STREAM_BODY}, parseAs: 'text' });
  const refused = await createChatCompletion({ client, path, body: { ...body, model: 'none/none' } });
  return {
    name: account.data?.result.name,
    completion: completion.data?.choices[0]?.message.content,
    events: stream.data as unknown,
    refusal: refused.error?.errors?.[0]?.code,
  };`,
  },
  'openapi-typescript and openapi-fetch': {
    commands: () => [
      [path.join(PACKAGES, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.d.ts'],
    ],
    imports: `import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';`,
    use: `
  const headers = { authorization: 'Bearer ' + token };
  const client = createClient<paths>({ baseUrl: origin, headers });
  const params = { path: { account_id: accountId } };
  const account = await client.GET('/client/v4/accounts/{account_id}', { params });
  const url = '/client/v4/accounts/{account_id}/ai/v1/chat/completions';
  const completion = await client.POST(url, { params, body });
  const stream = await client.POST(url, { params, body: ${STREAM_BODY}, parseAs: 'text' });
  const refused = await client.POST(url, { params, body: { ...body, model: 'none/none' } });
  return {
    name: account.data?.result.name,
    completion: textOf(completion.data),
    events: stream.data,
    refusal: refused.error?.errors?.[0]?.code,
  };`,
  },
  orval: {
    commands: () => [
      [path.join(PACKAGES, 'orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
    ],
    files: (origin) => ({
      'orval.config.mjs': `export default {
  latchkey: {
    input: { target: './openapi.json' },
    output: { target: './client.ts', client: 'fetch', mode: 'single', baseUrl: '${origin}' },
  },
};`,
    }),
    imports: `import { createChatCompletion, getAccount } from './client.ts';`,
    use: `
  const options = { headers: { authorization: 'Bearer ' + token } };
  const account = await getAccount(accountId, options);
  const completion = await createChatCompletion(accountId, body, options);
  const stream = await createChatCompletion(accountId, ${STREAM_BODY}, options);
  const refused = await createChatCompletion(accountId, { ...body, model: 'none/none' }, options);
  return {
    name: account.status === 200 ? account.data.result.name : undefined,
    completion: completion.status === 200 ? textOf(completion.data) : undefined,
    events: stream.data,
    refusal: refused.status === 200 ? undefined : refused.data.errors?.[0]?.code,
  };`,
  },
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    rewriteRelativeImportExtensions: true,
  },
  files: ['use.ts'],
};

describe('clients that are generated from the OpenAPI document', () => {
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite');
  });
  after(() => server.stop());

  for (const [name, generator] of Object.entries(GENERATORS)) {
    test(`${name}: it compiles, and sends a chat completion and a stream`, async (t) => {
      // Beside the packages, so that the program finds them.
      const directory = await mkdtemp(path.join(import.meta.dirname, '.generated-'));
      t.after(() => rm(directory, { recursive: true }));
      const document = await (await fetch(`${server.origin}/openapi.json`)).text();
      const files: Record<string, string> = {
        'package.json': '{"type":"module"}',
        'tsconfig.json': JSON.stringify(TSCONFIG),
        'openapi.json': document,
        'use.ts': programOf(generator),
        ...generator.files?.(server.origin),
      };
      for (const [file, text] of Object.entries(files)) {
        await writeFile(path.join(directory, file), text);
      }
      const options = { cwd: directory, timeout: TIMEOUT_MS };
      for (const command of generator.commands(server.origin)) {
        await run(process.execPath, command, options);
      }
      await compile(directory);
      const { use } = (await import(pathToFileURL(path.join(directory, 'use.js')).href)) as {
        use: (target: Target) => Promise<Results>;
      };
      const results = await use({
        origin: server.origin,
        accountId: server.accountId,
        token: server.token,
      });
      assert.equal(results.completion, 'hello');
      assert.match(results.events, /^data: \{[^]+data: \[DONE\]\n\n$/);
      assert.ok(results.name !== undefined && results.name.length > 0);
      assert.equal(typeof results.refusal, 'number');
    });
  }
});

function programOf({ imports, use }: Generator): string {
  const types = '{ origin: string; accountId: string; token: string }';
  return `${imports}
interface Completion { choices: { message: { content?: unknown } }[] }
// The type of a response is a union, because a stream is text.
const textOf = (data: Completion | string | undefined) =>
  typeof data === 'object' ? data.choices[0]?.message.content : undefined;
void textOf;
const body = ${BODY};
export async function use({ origin, accountId, token }: ${types}) {
  void origin;${use}
}
`;
}

async function compile(directory: string): Promise<void> {
  try {
    await run(process.execPath, [TSC], {
      cwd: directory,
      timeout: TIMEOUT_MS,
    });
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
}
