import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Settings, describeSettings, readSettings } from '../../src/config/settings.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { trimEnd } from '../../src/lib/trim-end.ts';
import { bootServer, request } from '../support/server.ts';

const SECRETS: Readonly<Record<string, string>> = {
  MASTER_KEY: 'ab'.repeat(32),
  DATABASE_URL: 'postgres://root:pw@127.0.0.1/latchkey',
  DATABASE_DIRECT_URL: 'postgres://root:pw@127.0.0.1/latchkey',
  BOOTSTRAP_TOKEN: createSecret('lkat_'),
  BOOTSTRAP_PASSWORD: 'correct horse battery',
  SMTP_URL: 'smtp://me:pw@mail.example.com:587',
  OIDC_CLIENT_SECRET: 'a-client-secret',
  PROVIDER_OPENAI_API_KEY: 'sk-1',
  PROVIDER_SOME_NAME_API_KEY: 'sk-2',
};

/** Settings that others require. */
const COMPANIONS: Readonly<Record<string, Record<string, string>>> = {
  DATABASE_DIRECT_URL: { LATCHKEY_DATABASE_URL: 'postgres://root:pw@127.0.0.1/latchkey' },
  SMTP_URL: { LATCHKEY_MAIL_FROM: 'a@example.com' },
  OIDC_CLIENT_SECRET: { LATCHKEY_OIDC_ISSUER: 'https://id.example', LATCHKEY_OIDC_CLIENT_ID: 'x' },
};

const TEXTS = {
  DATA_DIR: '/data',
  HOST: '127.0.0.1',
  BRAND: 'acme',
  BASE_URL: 'https://id.example/client/v4',
  BOOTSTRAP_EMAIL: 'ada@example.com',
  BOOTSTRAP_PASSWORD: 'correct horse battery',
  PRICES: '/prices.json',
  LOG_LEVEL: 'warn',
  PORT: '8080',
  PROVIDER_OPENAI_API_KEY: 'sk-1',
  PROVIDER_OPENAI_BASE_URL: 'https://api.example',
} as const;

const prefixed = (name: string): string => `LATCHKEY_${name}`;

function valueOf(settings: Settings, name: string): unknown {
  const [, provider, field] = /^PROVIDER_(.+)_(API_KEY|BASE_URL)$/.exec(name) ?? [];
  if (provider === undefined) return settings[name as keyof Settings];
  const { apiKey, baseUrl } =
    settings.PROVIDERS.get(provider.toLowerCase().replaceAll('_', '-')) ?? {};
  return field === 'API_KEY' ? apiKey : baseUrl;
}

function read(environment: Record<string, string>, file: Record<string, unknown> = {}) {
  const warnings: string[] = [];
  const settings = readSettings(environment, file, (message) => void warnings.push(message));
  return { settings, warnings };
}

describe('values of settings', () => {
  for (const [name, value] of Object.entries(TEXTS)) {
    test(`line breaks at the end of LATCHKEY_${name} are removed`, () => {
      const plain = valueOf(read({ [prefixed(name)]: value }).settings, name);
      for (const end of ['\n', '\r\n', '\r', '\n\n']) {
        assert.deepEqual(valueOf(read({ [prefixed(name)]: value + end }).settings, name), plain);
      }
    });

    test(`LATCHKEY_${name} with control characters or in quotes is rejected`, () => {
      for (const text of [
        `${value}\0`,
        `\n${value}`,
        `${value}\t`,
        `a\r${value}`,
        `${value}\u2028`,
      ]) {
        assert.throws(
          () => read({ [prefixed(name)]: text }),
          ({ message }: Error) =>
            message.startsWith(`LATCHKEY_${name} contains `) && !message.includes(value),
        );
      }
      for (const text of [`"${value}"`, `'${value}'`, `"${value}"\n`, '"']) {
        assert.throws(
          () => read({ [prefixed(name)]: text }),
          ({ message }: Error) =>
            message.startsWith(`LATCHKEY_${name} begins and ends with `) &&
            !message.includes(value),
        );
      }
    });
  }

  test('the config file follows the same rules', () => {
    assert.equal(read({}, { LATCHKEY_BRAND: 'acme\n' }).settings.BRAND, 'acme');
    assert.throws(() => read({}, { LATCHKEY_BRAND: '"acme"' }), /^Error: LATCHKEY_BRAND begins/);
    assert.throws(() => read({}, { LATCHKEY_DATA_DIR: '/a\rb' }), /contains a carriage return/);
  });

  test('a value of line breaks alone counts as not set', () => {
    assert.equal(read({ LATCHKEY_BRAND: '\n' }).settings.BRAND, 'latchkey');
  });

  test('an IPv6 address to listen on may be in brackets', () => {
    assert.equal(read({ LATCHKEY_HOST: '[::1]' }).settings.HOST, '::1');
    assert.equal(read({ LATCHKEY_HOST: '::1' }).settings.HOST, '::1');
  });

  test('no accepted text contains control characters or enclosing quotes', () => {
    fc.assert(
      fc.property(fc.constantFrom('DATA_DIR', 'OIDC_NAME', 'PRICES'), fc.string(), (name, text) => {
        let value: string;
        try {
          value = (valueOf(read({ [prefixed(name)]: text }).settings, name) ?? '') as string;
        } catch (error) {
          assert.match((error as Error).message, /^LATCHKEY_/);
          assert.doesNotMatch((error as Error).message, /\n/);
          return;
        }
        if (trimEnd(text, '\r\n') === '') return;
        assert.equal(value, trimEnd(text, '\r\n'));
        assert.doesNotMatch(value, /\p{Cc}|^["'].*["']$/u);
      }),
    );
  });
});

describe('variables of Kubernetes and Docker', () => {
  const links = {
    LATCHKEY_PORT: 'tcp://10.96.10.20:8787',
    LATCHKEY_PORT_8787_TCP: 'tcp://10.96.10.20:8787',
    LATCHKEY_PORT_8787_TCP_PROTO: 'tcp',
    LATCHKEY_PORT_8787_TCP_PORT: '8787',
    LATCHKEY_PORT_8787_TCP_ADDR: '10.96.10.20',
    LATCHKEY_PORT_8787_TCP_PORT_START: '8787',
    LATCHKEY_PORT_53_UDP_ADDR: '10.96.10.20',
    LATCHKEY_SERVICE_HOST: '10.96.10.20',
    LATCHKEY_SERVICE_PORT: '8787',
    LATCHKEY_SERVICE_PORT_HTTP: '8787',
    LATCHKEY_METRICS_SERVICE_HOST: '10.96.10.21',
    LATCHKEY_METRICS_PORT: 'udp://10.96.10.21:53',
    LATCHKEY_METRICS_PORT_53_UDP: 'udp://10.96.10.21:53',
    LATCHKEY_NAME: '/web/latchkey',
    LATCHKEY_ENV_NODE_VERSION: '26',
  };

  test('are ignored without a warning', () => {
    const { settings, warnings } = read(links);
    assert.equal(settings.PORT, 8787);
    assert.deepEqual(warnings, []);
  });

  test('do not hide the port of the config file', () => {
    assert.equal(read(links, { LATCHKEY_PORT: 8080 }).settings.PORT, 8080);
  });

  test('a start with them works', async (t) => {
    const { LATCHKEY_PORT: _port, ...others } = links;
    const settings = Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name.slice('LATCHKEY_'.length), value]),
    );
    const server = await bootServer('sqlite', { settings });
    t.after(() => server.stop());
    assert.equal((await request('GET', `${server.origin}/readyz`)).status, 200);
  });

  test('other unknown names are warned of, and a wrong port stops the start', () => {
    assert.equal(read({ LATCHKEY_SERVICE: 'x', LATCHKEY_PROT: '1' }).warnings.length, 2);
    assert.throws(() => read({ LATCHKEY_PORT: 'http://10.0.0.1' }), /LATCHKEY_PORT must be/);
    assert.throws(() => read({}, { LATCHKEY_PORT: 'tcp://10.0.0.1:1' }), /LATCHKEY_PORT must be/);
    assert.throws(() => read({}, { LATCHKEY_SERVICE_HOST: '10.0.0.1' }), /is not a setting/);
  });
});

describe('settings from files', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-settings-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function fileOf(content: string | Uint8Array): Promise<string> {
    const file = path.join(directory, `${Math.random()}`);
    await writeFile(file, content);
    return file;
  }

  for (const [name, value] of Object.entries(SECRETS)) {
    test(`LATCHKEY_${name}_FILE`, async () => {
      const others = COMPANIONS[name] ?? {};
      const plain = valueOf(read({ ...others, [prefixed(name)]: value }).settings, name);
      for (const content of [value, `${value}\n`, `${value}\r\n`, `\ufeff${value}\n`]) {
        const env = { ...others, [`LATCHKEY_${name}_FILE`]: await fileOf(content) };
        assert.deepEqual(valueOf(read(env).settings, name), plain);
        assert.deepEqual(valueOf(read({}, env).settings, name), plain);
      }
    });

    test(`LATCHKEY_${name} and LATCHKEY_${name}_FILE together stop the start`, async () => {
      const file = { [`LATCHKEY_${name}_FILE`]: await fileOf(value) };
      const both = { [prefixed(name)]: value };
      const message = new RegExp(`LATCHKEY_${name} and LATCHKEY_${name}_FILE are both set`);
      assert.throws(() => read({ ...both, ...file }), message);
      assert.throws(() => read(file, both), message);
      assert.throws(() => read(both, file), message);
    });
  }

  test('every other setting rejects _FILE', async () => {
    const file = await fileOf('1');
    const names = describeSettings().map(({ name }) => name.replace('<NAME>', 'OPENAI'));
    const isSecret = (name: string): boolean =>
      Object.hasOwn(SECRETS, name.slice('LATCHKEY_'.length));
    const plain = names.filter((name) => !isSecret(name));
    assert.ok(plain.length > 30);
    for (const name of plain) {
      assert.throws(() => read({ [`${name}_FILE`]: file }), new RegExp(`${name}_FILE is not supp`));
    }
    assert.deepEqual(read({ LATCHKEY_OTHER_FILE: file }).warnings.length, 1);
  });

  test('an unusable file stops the start in one line with its name and never its content', async () => {
    const tooLarge = await fileOf('x'.repeat(64 * 1024 + 1));
    const unreadable = await fileOf('a-secret');
    await chmod(unreadable, 0);
    const pipe = path.join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await mkdir(path.join(directory, 'folder'));
    const cases: [string, RegExp][] = [
      [path.join(directory, 'none'), /does not exist$/],
      [path.join(directory, 'folder'), /cannot be read: not a regular file$/],
      [pipe, /cannot be read: not a regular file$/],
      ['/dev/zero', /cannot be read: not a regular file$/],
      [await fileOf(''), /is empty$/],
      [await fileOf('\n'), /is empty$/],
      [await fileOf(new Uint8Array([0xff, 0xfe, 0x41])), /is not UTF-8 text$/],
      [tooLarge, /is larger than 64 KiB$/],
      [await fileOf('"a-secret"'), /begins and ends with "/],
      [await fileOf('a-secret\nb'), /contains a line break/],
      [await fileOf('a-secret'), /must be 32 bytes/],
    ];
    // Root reads every file.
    if (process.getuid?.() !== 0) cases.push([unreadable, /permission denied$/]);
    for (const [file, expected] of cases) {
      assert.throws(
        () => read({ LATCHKEY_MASTER_KEY_FILE: file }),
        ({ message }: Error) => {
          assert.match(message, /^LATCHKEY_MASTER_KEY(?:_FILE: the file| \(from the file) [^\n]+$/);
          assert.match(message, expected);
          return message.includes(file) && !message.includes('a-secret');
        },
      );
    }
  });

  test('64 KiB are read, and then rejected by the parser', async () => {
    const file = await fileOf('x'.repeat(64 * 1024));
    assert.throws(() => read({ LATCHKEY_MASTER_KEY_FILE: file }), /must be 32 bytes/);
  });

  test('a first start signs in with a password from a file', async (t) => {
    const password = 'correct horse battery';
    const server = await bootServer('sqlite', {
      settings: {
        BOOTSTRAP_EMAIL: 'ada@example.com\n',
        BOOTSTRAP_PASSWORD_FILE: await fileOf(`${password}\n`),
      },
    });
    t.after(() => server.stop());
    const { status } = await request('POST', `${server.baseUrl}/user/sessions`, {
      body: { email: 'ada@example.com', password },
    });
    assert.equal(status, 200);
  });
});
