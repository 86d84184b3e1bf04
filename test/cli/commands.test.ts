import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { describeSettings } from '../../src/config/settings.ts';
import { isWellFormedSecret } from '../../src/lib/secrets.ts';
import { runCli } from '../support/cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { createDataDir } from '../support/server.ts';

describe('commands', () => {
  test('--version', async () => {
    const { code, stdout, stderr } = await runCli(['--version']);
    assert.deepEqual([code, stdout, stderr], [0, `${packageJson.version}\n`, '']);
  });

  test('--help lists the commands', async () => {
    for (const flag of ['--help', '-h']) {
      const { code, stdout } = await runCli([flag]);
      assert.equal(code, 0);
      for (const command of ['serve', 'migrate', 'token generate', '--config']) {
        assert.match(stdout, new RegExp(`^ +${command}`, 'm'));
      }
    }
  });

  test('serve --help lists every setting with its default, and never a value', async () => {
    const env = {
      LATCHKEY_BOOTSTRAP_PASSWORD: 'a-password-to-hide',
      LATCHKEY_DATABASE_URL: 'postgres://u:a-secret-to-hide@127.0.0.1/x',
      LATCHKEY_PROVIDER_OPENAI_API_KEY: 'a-key-to-hide',
    };
    const { code, stdout, stderr } = await runCli(['serve', '--help'], { env });
    assert.equal(code, 0);
    for (const { name, default: value, meaning, isSecret } of describeSettings()) {
      const shown = `${name}${isSecret ? ' *' : ''}${value === '' ? '' : ` (default ${value})`}`;
      assert.ok(stdout.includes(`  ${shown}\n      ${meaning}\n`), name);
    }
    assert.equal(/to-hide/.test(stdout + stderr), false);
  });

  test('token generate prints a fresh token each time', async () => {
    const results = await Promise.all([1, 2].map(() => runCli(['token', 'generate'])));
    for (const { code, stdout } of results) {
      assert.equal(code, 0);
      assert.match(stdout, /^\S+\n$/);
      assert.ok(isWellFormedSecret(stdout.trim(), 'lkat_'));
    }
    assert.notEqual(results[0]?.stdout, results[1]?.stdout);
  });

  test('an unknown command or option: one line, exit 1', async () => {
    for (const commandLine of [
      ['nonsense'],
      ['token'],
      ['token', 'generate', 'more'],
      ['serve', 'twice'],
      ['--nonsense'],
      ['--config'],
    ]) {
      const { code, stdout, stderr } = await runCli(commandLine);
      assert.equal(code, 1, commandLine.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^latchkey: [^\n]+\n$/);
    }
  });

  test('migrate brings the embedded database up to date, once', async (t) => {
    const parent = await createDataDir();
    t.after(() => rm(parent, { recursive: true }));
    const env = { LATCHKEY_DATA_DIR: path.join(parent, 'new') };
    const first = await runCli(['migrate'], { env });
    assert.match(first.stdout, /^Applied 0001-iam.*\.\n$/);
    assert.equal(first.code, 0, first.stderr);
    assert.ok((await stat(path.join(parent, 'new', 'latchkey.db'))).size > 0);
    const second = await runCli(['migrate'], { env });
    assert.deepEqual([second.code, second.stdout], [0, 'The schema is up to date.\n']);
  });

  test('migrate brings PostgreSQL up to date, also from several places at once', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const env = { LATCHKEY_DATABASE_URL: postgres.url };
    const results = await Promise.all([1, 2].map(() => runCli(['migrate'], { env })));
    for (const { code, stderr } of results) assert.equal(code, 0, stderr);
    const applied = results.flatMap(({ stdout }) => stdout.match(/\d{4}-[a-z-]+/g) ?? []);
    assert.ok(applied.includes('0001-iam'));
    assert.equal(new Set(applied).size, applied.length);
  });
});

describe('the launcher', () => {
  for (const cores of [1, 2]) {
    test(`V8 has ${cores === 1 ? 'one thread' : 'its threads'} on ${cores} cores`, async () => {
      const arrange = `
        import { syncBuiltinESMExports } from 'node:module';
        import os from 'node:os';
        os.availableParallelism = () => ${cores};
        syncBuiltinESMExports();
        process.on('exit', () => process.stderr.write(process.execArgv.join(' ')));
      `;
      const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(arrange)}`];
      const { code, stdout, stderr } = await runCli(['--version'], { nodeArguments });
      assert.deepEqual([code, stdout], [0, `${packageJson.version}\n`]);
      for (const flag of ['--single-threaded-gc', '--v8-pool-size=1']) {
        assert.equal(stderr.split(flag).length - 1, cores === 1 ? 1 : 0, stderr);
      }
    });
  }
});

describe('the launcher on a Node that is too old', () => {
  const MESSAGE = /^latchkey needs Node 24\.12 or newer, this is (\d+\.\d+\.\d+): [^\n]+\n$/;

  for (const version of ['18.20.0', '24.11.9']) {
    test(`says so: ${version}`, async () => {
      const override = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
      const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(override)}`];
      const { code, stdout, stderr } = await runCli(['--version'], { nodeArguments });
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(MESSAGE.exec(stderr)?.[1], version);
    });
  }

  test('accepts the oldest one that will do', async () => {
    const override = `Object.defineProperty(process.versions, 'node', { value: '24.12.0' })`;
    const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(override)}`];
    assert.equal((await runCli(['--version'], { nodeArguments })).code, 0);
  });

  test('says so on a real one, where this machine has any', async () => {
    const folders = (process.env.PATH ?? '').split(path.delimiter);
    const run = promisify(execFile);
    for (const folder of folders.filter((name) => !name.includes('node_modules'))) {
      const node = path.join(folder, 'node');
      const version = await run(node, ['--version']).then(
        ({ stdout }) => stdout.trim().slice(1),
        () => '99.0.0',
      );
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major > 24 || (major === 24 && minor >= 12)) continue;
      const { code, stderr } = await runCli(['--version'], { node });
      assert.equal(code, 1);
      assert.equal(MESSAGE.exec(stderr)?.[1], version);
    }
  });
});
