import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { copyRepository } from '../support/repository-copy.ts';
import { request } from '../support/server.ts';
import { createInstallation } from '../support/server-process.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const RUN_LIMIT_MS = 120_000;

// Where the text came from that the launcher prints.
const TELL_WHO_PRINTS = `data:text/javascript,${encodeURIComponent(`
  process.stdout.write = () => { process.stderr.write(new Error('printed').stack); return true; };
`)}`;

const COMPLETION = {
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
};

describe('the bundle of the server', () => {
  const root = copyRepository(['kysely']);
  const bundles = path.join(root, 'dist/server');
  const description = path.join(bundles, 'bundle.json');
  const source = path.join(root, 'src/cli/progress.ts');
  const manifest = path.join(root, 'node_modules/kysely/package.json');

  function run(...commandLine: string[]): string {
    const { status, stderr } = spawnSync(process.execPath, commandLine, {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
      timeout: RUN_LIMIT_MS,
    });
    assert.equal(status, 0, stderr);
    return stderr;
  }

  const build = (...options: string[]): string => run('scripts/build-server.js', ...options);
  const stackOfVersion = (): string =>
    run(`--import=${TELL_WHO_PRINTS}`, 'bin/latchkey.js', '--version');

  function folderOf(): string {
    return (JSON.parse(readFileSync(description, 'utf8')) as { folder: string }).folder;
  }

  before(() => void build());
  after(() => rmSync(root, { recursive: true, force: true }));

  function assertRunsBundle(): void {
    const stack = stackOfVersion();
    const place = path.join(bundles, folderOf());
    assert.ok(stack.includes(`at print (file://${place}/main.js:`), stack);
    assert.ok(stack.includes(`at run (file://${place}/main.js:`), stack);
    assert.ok(!stack.includes('/src/'), stack);
  }

  function assertRunsSources(): void {
    const stack = stackOfVersion();
    assert.ok(stack.includes(`at print (file://${root}/src/main.ts:`), stack);
    assert.ok(!stack.includes('/dist/'), stack);
  }

  /** Changes a file for the time of a check. */
  function withChanged(file: string, change: () => void, check: () => void): void {
    const kept = path.join(root, 'kept');
    cpSync(file, kept);
    change();
    check();
    renameSync(kept, file);
  }

  describe('is what the launcher runs', () => {
    beforeEach(assertRunsBundle);

    test('whatever the times of the sources', () => {
      utimesSync(source, 1, 1);
      assertRunsBundle();
    });

    test('unless one source has another content, be it of the same length', () => {
      const text = readFileSync(source, 'utf8');
      const other = text.replace('the', 'eth');
      assert.notEqual(other, text);
      withChanged(source, () => writeFileSync(source, other), assertRunsSources);
      assertRunsBundle();
    });

    test('unless the version of a package is another one', () => {
      withChanged(manifest, () => appendFileSync(manifest, '\n'), assertRunsSources);
    });

    test('unless there is no whole description of it', () => {
      withChanged(description, () => writeFileSync(description, '{"folder":'), assertRunsSources);
      withChanged(description, () => rmSync(description), assertRunsSources);
    });

    test('unless it is damaged, which the next build mends', () => {
      const chunk = path.join(bundles, folderOf(), 'log-worker.js');
      withChanged(
        chunk,
        () => appendFileSync(chunk, ' '),
        () => {
          assertRunsSources();
          build();
          assertRunsBundle();
        },
      );
    });

    test('unless its folder is gone', () => {
      const folder = path.join(bundles, folderOf());
      renameSync(folder, `${folder}-away`);
      assertRunsSources();
      renameSync(`${folder}-away`, folder);
    });
  });

  test('needs no package that only developers have', () => {
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const { files } = JSON.parse(readFileSync(description, 'utf8')) as { files: string[] };
    const packages = files
      .filter((file) => file.includes('node_modules/'))
      .map((file) => path.dirname(file));
    assert.ok(packages.includes('node_modules/kysely'));
    assert.deepEqual(
      packages.filter((name) => lock.packages[name]?.dev !== undefined),
      [],
    );
  });

  test('finds its files and its threads, and prices a request', async (t) => {
    assertRunsBundle();
    const upstream = createServer((asked, response) => {
      asked.resume();
      response.setHeader('content-type', 'application/json').end(JSON.stringify(COMPLETION));
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    t.after(() => upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const installation = await createInstallation(t, 'sqlite', {
      PROVIDER_OPENAI_BASE_URL: `http://127.0.0.1:${port}`,
      PROVIDER_OPENAI_API_KEY: 'sk-upstream',
    });
    const launcher = path.join(root, 'bin/latchkey.js');
    const { origin, account } = await installation.start({ launcher });
    const { text: page } = await request('GET', `${origin}/login`);
    const [style = ''] = /\/assets\/style-\w+\.css/.exec(page) ?? [];
    for (const address of [style, '/docs', '/docs/static/swagger-ui.css', '/openapi.json']) {
      assert.equal((await request('GET', origin + address)).status, 200, address);
    }
    const headers = { authorization: `Bearer ${installation.token}` };
    const body = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] };
    const chat = `${account}/ai/v1/chat/completions`;
    assert.equal((await request('POST', chat, { headers, body })).status, 200);
    await eventually('the row can be read', async () => {
      const logs = `${account}/ai-gateway/gateways/default/logs`;
      const { json } = await request('GET', logs, { headers });
      const [row] = json.result as { cost: number }[];
      return (row?.cost ?? 0) > 0;
    });
  });

  test('does not load what only some exports of node:http need', () => {
    const folder = path.join(bundles, folderOf());
    for (const name of readdirSync(folder)) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      assert.doesNotMatch(text, /^import .*from "(?:node:)?http";$/m, name);
    }
  });

  test('a new one leaves the last one to the server that may run it, and no older one', () => {
    const last = folderOf();
    mkdirSync(path.join(bundles, 'older'));
    writeFileSync(path.join(root, 'package.json'), '{"version":"1.0.0","type":"module"}');
    assert.equal(build(), '');
    assert.notEqual(folderOf(), last);
    const kept = ['.npmignore', 'bundle.json', folderOf(), last];
    assert.deepEqual(readdirSync(bundles).toSorted(), kept.toSorted());
    // However often the same is built.
    assert.equal(build(), '');
    assert.deepEqual(readdirSync(bundles).toSorted(), kept.toSorted());
  });

  test('a build that fails changes nothing, and says so; an installation goes on', () => {
    const before = readFileSync(description, 'utf8');
    withChanged(
      source,
      () => writeFileSync(source, 'export function {'),
      () => assert.match(build('--if-possible'), /^No bundle of the server was built/),
    );
    assert.equal(readFileSync(description, 'utf8'), before);
    assertRunsBundle();
  });

  test('a build that is warned of something fails', () => {
    withChanged(
      source,
      () => appendFileSync(source, `\nexport const two: unknown = eval('1 + 1');\n`),
      () => assert.match(build('--if-possible'), /^No bundle of the server was built.*eval/s),
    );
  });

  test('a source that asks where it is in an unknown way is refused', () => {
    appendFileSync(source, '\nexport const here = import.meta.filename;\n');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-server.js'], {
      cwd: root,
      encoding: 'utf8',
      timeout: RUN_LIMIT_MS,
    });
    assert.equal(status, 1);
    assert.match(stderr, /progress\.ts: asks where it is/);
  });
});
