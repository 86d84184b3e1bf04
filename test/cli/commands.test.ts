import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { describeSettings } from '../../src/config/settings.ts';
import { isWellFormedSecret } from '../../src/lib/secrets.ts';
import { CliProcess, runCli } from '../support/cli.ts';
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
  const MESSAGE = /^latchkey needs Node 24\.12 or newer, this is (\d+\.\d+\.\d+): ([^\n]+)\n$/;
  const nodeArgumentsFor = (version: string): string[] => {
    const override = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    return ['--import', `data:text/javascript,${encodeURIComponent(override)}`];
  };

  for (const version of ['18.20.0', '24.11.9']) {
    test(`uses the Node of the package: ${version}`, async () => {
      const nodeArguments = nodeArgumentsFor(version);
      const printed = await runCli(['--version'], { nodeArguments });
      assert.deepEqual(printed, { code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
      const failed = await runCli(['no-such-command'], { nodeArguments });
      assert.equal(failed.code, (await runCli(['no-such-command'])).code);
    });

    test(`names the next step without such a Node: ${version}`, async (t) => {
      const root = await mkdtemp(path.join(tmpdir(), 'latchkey-launcher-'));
      t.after(() => rm(root, { recursive: true }));
      await cp(path.join(import.meta.dirname, '../../bin'), path.join(root, 'bin'), {
        recursive: true,
      });
      await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
      const options = {
        nodeArguments: nodeArgumentsFor(version),
        launcher: path.join(root, 'bin/latchkey.js'),
      };
      const missing = await runCli(['--version'], options);
      assert.deepEqual([missing.code, missing.stdout], [1, '']);
      const [, told, advice] = MESSAGE.exec(missing.stderr) ?? assert.fail(missing.stderr);
      assert.equal(told, version);
      assert.match(
        advice ?? '',
        /install a newer one, or run `npm install` without --omit=optional/,
      );
      // A package for another C library, for example.
      const name = Object.keys(packageJson.optionalDependencies).find((dependency) =>
        dependency.endsWith(`${process.platform}-${process.arch}`),
      );
      const folder = path.join(
        root,
        'node_modules',
        name ?? assert.fail('no package for this platform'),
      );
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'package.json'), '{}');
      const broken = await runCli(['--version'], options);
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /install a newer one: the one in \S+ does not run here/);
    });
  }

  test('passes signals on, and ends with the exit code of the server', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const env = { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_PORT: '0' };
    const server = new CliProcess(['serve'], { env, nodeArguments: nodeArgumentsFor('20.20.2') });
    const origin = await server.origin();
    server.kill('SIGTERM');
    assert.equal((await server.result()).code, 0);
    await assert.rejects(fetch(`${origin}/livez`));
  });

  test('accepts the oldest one that will do', async () => {
    const nodeArguments = nodeArgumentsFor('24.12.0');
    assert.equal((await runCli(['--version'], { nodeArguments })).code, 0);
  });
});
