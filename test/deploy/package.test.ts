import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { CliProcess } from '../support/cli.ts';
import { copyRepository } from '../support/repository-copy.ts';
import { request } from '../support/server.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const MAX_BYTES = 40_000_000;
const run = promisify(execFile);

/** Runs npm with the configuration of this user and nothing of the command that runs the tests. */
async function npm(directory: string, ...commandLine: string[]): Promise<string> {
  const isConfiguration =
    /^(?:npm_config_(?:registry|userconfig|globalconfig|cache)|https?_proxy|no_proxy)$/i;
  const kept = Object.entries(process.env).filter(([name]) => isConfiguration.test(name));
  const { stdout } = await run('npm', commandLine, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...Object.fromEntries(kept) },
  });
  return stdout;
}

describe('the npm package', () => {
  let directory: string;
  let tarball: string;
  let launcher: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-package-'));
    const root = copyRepository();
    try {
      await run(process.execPath, ['scripts/build-server.js'], { cwd: root });
      for (const name of ['dashboard/dist', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
        await cp(path.join(ROOT, name), path.join(root, name), { recursive: true });
      }
      // The copy has no tools to build the dashboard with.
      await npm(root, 'pack', '--ignore-scripts', '--pack-destination', directory);
    } finally {
      await rm(root, { recursive: true });
    }
    const [name = ''] = (await readdir(directory)).filter((file) => file.endsWith('.tgz'));
    tarball = path.join(directory, name);
    const application = path.join(directory, 'application');
    await mkdir(application);
    await npm(application, 'install', '--no-audit', '--no-fund', tarball);
    launcher = path.join(application, 'node_modules/latchkey/bin/latchkey.js');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('has at most 40 MB and no sources', async () => {
    assert.ok((await stat(tarball)).size <= MAX_BYTES);
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const files = stdout.trim().split('\n');
    assert.deepEqual(
      files.filter((file) => file.endsWith('.ts') || file.includes('/node_modules/')),
      [],
    );
    for (const file of ['bin/latchkey.js', 'dashboard/dist/index.html', 'README.md', 'LICENSE']) {
      assert.ok(files.includes(`package/${file}`), file);
    }
  });

  test('runs the quick start, on a Node that is too old as well', async (t) => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;
    const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    for (const [index, options] of [{}, { nodeArguments }].entries()) {
      const env = {
        LATCHKEY_DATA_DIR: path.join(directory, `data-${index}`),
        LATCHKEY_PORT: '0',
      };
      const server = new CliProcess(['serve'], { env, launcher, ...options });
      t.after(() => server.kill('SIGTERM'));
      const origin = await server.origin();
      const [, account = ''] = await server.seen(/account id +(\w+)/);
      const [, token = ''] = await server.seen(/API token +(\w+)/);
      const base = `${origin}/client/v4/accounts/${account}`;
      const completion = await request('POST', `${base}/ai/v1/chat/completions`, {
        token,
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'Hello' }] },
      });
      assert.equal(completion.json.choices[0].message.content, 'Hello');
      const page = await request('GET', `${origin}/login`, { token: null });
      assert.match(page.text, /<form/);
      const dashboard = await request('GET', `${origin}/`, { token: null });
      assert.notEqual(dashboard.status, 503);
      // Its files come from a package that npm has put beside this one.
      const reference = await request('GET', `${origin}/docs/static/swagger-ui.css`, {
        token: null,
      });
      assert.equal(reference.status, 200);
      server.kill('SIGTERM');
      assert.equal((await server.result()).code, 0);
    }
  });
});
