import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess, type CliResult, runCli } from '../support/cli.ts';
import { bootServer, createDataDir, request } from '../support/server.ts';

describe('settings', () => {
  let directory: string;
  before(async () => {
    directory = await createDataDir();
  });
  after(() => rm(directory, { recursive: true }));

  /** A start that is expected to fail before it touches anything. */
  function startForReal(env: Record<string, string>): Promise<CliResult> {
    const never = path.join(directory, 'never');
    return runCli([], { env: { LATCHKEY_DATA_DIR: never, LATCHKEY_PORT: '0', ...env } });
  }

  /** What such a start says: it ends where the settings are read, so that no process is needed. */
  function start(env: Record<string, string>, file: Record<string, unknown> = {}): CliResult {
    try {
      readSettings(env, file);
    } catch (error) {
      return { code: 1, stdout: '', stderr: `latchkey: ${(error as Error).message}\n` };
    }
    return { code: 0, stdout: '', stderr: '' };
  }

  test('a wrong value stops the process, in one line that names it', async () => {
    const env = { LATCHKEY_PORT: '65536' };
    const real = await startForReal(env);
    assertOneLine(real, /^latchkey: LATCHKEY_PORT /);
    assert.equal(real.stderr, start(env).stderr);
  });

  /** The same with a config file alone. */
  function startWith(file: string): Promise<CliResult> {
    const never = path.join(directory, 'never');
    return runCli(['--config', file], { env: { LATCHKEY_DATA_DIR: never } });
  }

  function assertOneLine({ code, stdout, stderr }: CliResult, expected: RegExp): void {
    assert.equal(code, 1, stdout);
    assert.equal(stdout, '');
    assert.match(stderr, /^latchkey: [^\n]+\n$/);
    assert.match(stderr, expected);
  }

  async function configFile(content: unknown): Promise<string> {
    const file = path.join(directory, `${Math.random()}.json`);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  const mistyped = createSecret('lkat_').replace(/.$/, '_');
  for (const [name, value] of [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['BASE_URL', 'example.com/client/v4'],
    ['BASE_URL', 'https://example.com'],
    ['BASE_URL', 'ftp://example.com/client/v4'],
    ['BASE_URL', 'https://example.com/client/v4?x=1'],
    ['BASE_URL', 'https://example.com/ai/client/v4'],
    ['BASE_URL', 'https://example.com//client/v4'],
    ['BASE_URL', 'https://example.com/client/v4/v1'],
    ['GATEWAY_URL', 'https://example.com/ai'],
    ['GATEWAY_URL', 'https://example.com/v1/'],
    ['OIDC_ISSUER', 'https://id.example.com/.well-known/openid-configuration'],
    ['DATA_DIR', ' /data'],
    ['DATA_DIR', '/data '],
    ['OIDC_NAME', 'Acme '],
    ['HOST', ' 127.0.0.1'],
    ['GATEWAY_URL', 'nowhere'],
    ['BRAND', 'Acme'],
    ['BRAND', '1acme'],
    ['BOOTSTRAP_ACCOUNT_ID', 'abc'],
    ['BOOTSTRAP_EMAIL', 'nobody'],
    ['TAGS_NOT_FOUND_STATUS', '403'],
    ['RESOURCE_TYPES', 'good,Bad'],
    ['TRUST_PROXY', '10.0.0.0/8,proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/64'],
    ['UPSTREAM_ALLOW', '10.0.0.0/8,http://files.example.com'],
    ['UPSTREAM_ALLOW', 'files.example.com:65536'],
    ['UPSTREAM_ALLOW', '10.0.0.0/33'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT_BYTES', '1MB'],
    ['BODY_LIMIT_BYTES', '1023'],
    ['GATEWAY_BODY_LIMIT_BYTES', '99999999999'],
    ['JSON_MAX_DEPTH', '7'],
    ['HEADER_LIMIT_BYTES', '0'],
    ['HEADERS_TIMEOUT_MS', '99'],
    ['REQUEST_TIMEOUT_MS', ' 1000'],
    ['SHUTDOWN_TIMEOUT_MS', '-1'],
    ['PROVIDER_OPENAI_BASE_URL', 'api.openai.com'],
  ]) {
    test(`LATCHKEY_${name}=${value}: one line that names it and the value`, async () => {
      const result = start({ [`LATCHKEY_${name}`]: value ?? '' });
      assertOneLine(result, new RegExp(`^latchkey: LATCHKEY_${name} `));
      assert.ok(result.stderr.includes(value ?? ''), result.stderr);
    });
  }

  for (const [name, value] of [
    ['DATABASE_URL', 'mysql://root:a-secret@127.0.0.1/x'],
    ['DATABASE_URL', 'postgres://root:a-secret@h1,h2:x/x'],
    ['DATABASE_URL', 'postgres://root:a-secret@h1,h2/x?target_session_attrs=standby'],
    ['DATABASE_DIRECT_URL', 'a-secret'],
    ['BOOTSTRAP_PASSWORD', 'a-secret'],
    ['BOOTSTRAP_TOKEN', 'a-secret'],
    ['BOOTSTRAP_TOKEN', mistyped],
    ['BOOTSTRAP_TOKEN', createSecret('lkut_')],
  ]) {
    test(`LATCHKEY_${name}=${value?.slice(0, 8)}…: one line that names it, never the value`, async () => {
      const result = start({ [`LATCHKEY_${name}`]: value ?? '' });
      assertOneLine(result, new RegExp(`^latchkey: LATCHKEY_${name} `));
      assert.equal(/a-secret/.test(result.stderr) || result.stderr.includes(value ?? ''), false);
    });
  }

  for (const [name, value] of [
    ['PROVIDER_OPENAI_BASE_URL', 'https://me:a-secret@api.example.com/v1'],
    ['PROVIDER_OPENAI_BASE_URL', 'https://a-secret@api.example.com/v1'],
    ['PROVIDER_OPENAI_BASE_URL', 'https//me:a-secret@api.example.com/v1'],
    ['PROVIDER_OPENAI_BASE_URL', 'https://api.example.com/v1?key=a-secret'],
    ['PROVIDER_OPENAI_API_KEY', 'a-secret\u{e9}'],
    ['PROVIDER_OPENAI_API_KEY', ' '],
    ['GATEWAY_URL', 'https://me:a-secret@example.com'],
  ] as const) {
    test(`LATCHKEY_${name}=${JSON.stringify(value)}: one line that names it, not the secret`, async () => {
      const result = start({ [`LATCHKEY_${name}`]: value });
      assertOneLine(result, new RegExp(`^latchkey: LATCHKEY_${name} must `));
      assert.equal(/a-secret|x: y/.test(result.stderr), false);
    });
  }

  test('a key of a provider may end in a line break, as in a file of secrets', () => {
    const { PROVIDERS } = readSettings({ LATCHKEY_PROVIDER_OPENAI_API_KEY: ' sk-1 \r\n' });
    assert.deepEqual(PROVIDERS.get('openai'), { apiKey: 'sk-1' });
  });

  test('time for the headers above that for the whole request: one line that names both', async () => {
    const both = /LATCHKEY_HEADERS_TIMEOUT_MS .*LATCHKEY_REQUEST_TIMEOUT_MS/;
    assertOneLine(start({ LATCHKEY_HEADERS_TIMEOUT_MS: '300001' }), both);
    assertOneLine(start({ LATCHKEY_REQUEST_TIMEOUT_MS: '14999' }), both);
    readSettings({ LATCHKEY_HEADERS_TIMEOUT_MS: '300000' });
  });

  test('settings of a provider that does not exist are warned of', async (t) => {
    const server = await bootServer('sqlite', {
      settings: { PROVIDER_OPENIA_API_KEY: 'a-secret', PROVIDER_OPENAI_API_KEY: 'another' },
    });
    t.after(() => server.stop());
    const warnings = server.logLines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 40);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0].msg,
      /^LATCHKEY_PROVIDER_OPENIA_… is ignored: unknown provider "openia"/,
    );
    assert.equal(server.logLines.join('').includes('a-secret'), false);
  });

  test('a key of the operator that would go wherever callers like is warned of', async (t) => {
    const settings = { PROVIDER_AZURE_OPENAI_API_KEY: 'a-secret' };
    const server = await bootServer('sqlite', { settings });
    t.after(() => server.stop());
    const named = { ...settings, PROVIDER_AZURE_OPENAI_BASE_URL: 'https://r.openai.azure.com' };
    const quiet = await bootServer('sqlite', { settings: named });
    t.after(() => quiet.stop());
    const warnings = ({ logLines }: typeof server) =>
      logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    assert.deepEqual(
      warnings(server).map(({ msg }) => msg),
      [
        'LATCHKEY_PROVIDER_AZURE_OPENAI_API_KEY has no effect without LATCHKEY_PROVIDER_AZURE_OPENAI_BASE_URL',
      ],
    );
    assert.deepEqual(warnings(quiet), []);
  });

  test('a PostgreSQL that cannot be reached: one line without the password', async () => {
    const result = await startForReal({
      LATCHKEY_DATABASE_URL: 'postgres://me:a-secret@127.0.0.1:1/x',
    });
    assertOneLine(result, /ECONNREFUSED/);
    assert.equal(/a-secret/.test(result.stderr), false);
  });

  test('an address of PostgreSQL that cannot be read: one line without the password', async () => {
    for (const url of ['postgres://me:a-secret@[bad/x', 'postgres://me:a-secret@127.0.0.1:x/x']) {
      const result = start({ LATCHKEY_DATABASE_URL: url });
      assertOneLine(result, /^latchkey: LATCHKEY_DATABASE_URL /);
      assert.equal(/a-secret/.test(result.stderr), false);
    }
  });

  test('a direct address of a database without another: one line that names both', () => {
    const both = /LATCHKEY_DATABASE_DIRECT_URL requires LATCHKEY_DATABASE_URL/;
    assertOneLine(start({ LATCHKEY_DATABASE_DIRECT_URL: 'postgres://h/x' }), both);
  });

  test('a host that is none: one line', async () => {
    const result = await runCli([], {
      env: {
        LATCHKEY_HOST: 'no.such.host.invalid',
        LATCHKEY_DATA_DIR: path.join(directory, 'host'),
        LATCHKEY_PORT: '0',
      },
    });
    assertOneLine(result, /LATCHKEY_HOST no\.such\.host\.invalid/);
  });

  test('a config file that is wrong: one line', async () => {
    for (const [content, expected] of [
      ['{', /is not valid JSON/],
      ['', /is not valid JSON/],
      [[], /must contain a JSON object/],
      ['null', /must contain a JSON object/],
      [{ LATCHKEY_COLOR: 'red' }, /LATCHKEY_COLOR in the config file is not a setting/],
    ] as const) {
      assertOneLine(await startWith(await configFile(content)), expected);
    }
    assertOneLine(await startWith(path.join(directory, 'missing')), /missing/);
    assertOneLine(await startWith(directory), /EISDIR/);
  });

  test('a config file with settings that are wrong: one line that names the setting', () => {
    for (const [content, expected] of [
      [{ LATCHKEY_COLOR: 'red' }, /LATCHKEY_COLOR in the config file is not a setting/],
      [{ PORT: 1 }, /PORT in the config file is not a setting/],
      [{ LATCHKEY_PORT: true }, /LATCHKEY_PORT in the config file must be a string, a number/],
      [{ LATCHKEY_PORT: null }, /LATCHKEY_PORT in the config file must be/],
      [{ LATCHKEY_TRUST_PROXY: [1] }, /LATCHKEY_TRUST_PROXY in the config file must be/],
      [{ LATCHKEY_PORT: 1.5 }, /LATCHKEY_PORT must be a whole number/],
      [JSON.parse('{"__proto__":"x"}'), /__proto__ in the config file is not a setting/],
    ] as const) {
      assertOneLine(start({}, content), expected);
    }
  });

  test('a secret in a config file is not shown either', async () => {
    for (const result of [
      start({}, { LATCHKEY_BOOTSTRAP_PASSWORD: 'a-secret' }),
      start({}, { LATCHKEY_BOOTSTRAP_PASSWORD: { value: 'a-secret' } }),
      await startWith(await configFile('{"LATCHKEY_BOOTSTRAP_PASSWORD":"a-secret",}')),
    ]) {
      assertOneLine(result, /./);
      assert.equal(/a-secret/.test(result.stderr), false);
    }
  });

  test('values come from the file, the environment wins, an empty variable counts as not set', async (t) => {
    const file = await configFile({
      LATCHKEY_PORT: 0,
      LATCHKEY_BRAND: 'from-file',
      LATCHKEY_DATA_DIR: path.join(directory, 'config'),
      LATCHKEY_TRUST_PROXY: ['10.0.0.1', '10.0.0.2'],
      LATCHKEY_BASE_URL: 'https://file.example.com/client/v4',
      LATCHKEY_GATEWAY_URL: 'https://file.example.com/',
    });
    const process = new CliProcess(['serve', '--config', file], {
      env: {
        LATCHKEY_BASE_URL: 'https://env.example.com/client/v4/',
        LATCHKEY_BRAND: '',
        LATCHKEY_LOG_LEVEL: 'silent',
      },
    });
    t.after(() => process.kill('SIGKILL'));
    const origin = await process.origin();
    await process.seen(/API +https:\/\/env\.example\.com\/client\/v4$/m);
    // An empty variable is how container tools say "not set": the file's value stands.
    const { json } = await request('GET', `${origin}/openapi.json`);
    assert.equal(json.info.title, 'from-file API');
    assert.deepEqual(json.servers, [{ url: 'https://env.example.com' }]);
    process.kill('SIGTERM');
    assert.equal((await process.result()).code, 0);
  });

  test('a variable that looks like a setting and is none is warned of', async () => {
    const { code, stderr } = await runCli(['migrate'], {
      env: {
        LATCHKEY_DATA_DIR: path.join(directory, 'warned'),
        LATCHKEY_BOOTSTRAP_TOKENS: 'a-secret',
        LATCHKEYS: 'unrelated',
      },
    });
    assert.equal(code, 0);
    assert.equal(
      stderr,
      'latchkey: LATCHKEY_BOOTSTRAP_TOKENS is not a setting of latchkey and is ignored; see latchkey serve --help\n',
    );
  });
});
