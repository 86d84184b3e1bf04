import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type ExportOptions, runExport } from '../../src/cli/export-logs.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createId } from '../../src/lib/ids.ts';
import { EchoLoad } from '../gateway/echo-load.ts';
import { gatewayBody } from '../gateway/gateway-bodies.ts';
import { type CliOptions, CliProcess, type CliResult, runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Json,
  type TestServer,
  bootServer,
  createDataDir,
  request,
} from '../support/server.ts';

// More than one page of the export, and more than fits into a pipe.
const ROWS = 1_150;
const LATE_CONTENT = 'Grüße 🌍';
const AS_TERMINAL = "Object.defineProperty(process.stderr, 'isTTY', { value: true })";

const CLEAR_LINE = '\r\u001B[K';
const FIRST_BAR = `${CLEAR_LINE}[${'-'.repeat(24)}]   0 %  0 of 1,150 rows`;

const hasCommand = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

function parseLines(text: string): Json[] {
  assert.ok(text === '' || text.endsWith('\n'), 'half a line');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): Json => JSON.parse(line));
}

onEachDatabase((database) => {
  let server: TestServer;
  let dataDir: string;
  let env: Record<string, string>;
  /** Of the main gateway, oldest first. */
  let listed: Json[];

  before(async () => {
    dataDir = await createDataDir();
    server = await bootServer(database, { dataDir });
    env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const load = new EchoLoad(server, server, 32);
    let asked = 0;
    const askMany = async (): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      while (asked++ < ROWS) await load.ask();
    };
    await Promise.all(Array.from({ length: 32 }, askMany));
    await load.close();
    await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      body: gatewayBody('other'),
    });
    await complete('other', 'left out', { 'cf-aig-collect-log-payload': 'false' });
    await complete('other', LATE_CONTENT);
    listed = await list('default');
    assert.equal(listed.length, ROWS);
  });
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const complete = (gateway: string, content: string, headers: Record<string, string> = {}) =>
    server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      headers: { 'cf-aig-gateway-id': gateway, ...headers },
      body: { model: 'local/echo', messages: [{ role: 'user', content }] },
    });

  async function list(gateway: string): Promise<Json[]> {
    const logs = `${server.account}/ai-gateway/gateways/${gateway}/logs`;
    const pages = Array.from({ length: Math.ceil(ROWS / 50) }, (_, index) => index + 1);
    const found = await Promise.all(
      pages.map((page) => server.call('GET', `${logs}?per_page=50&page=${page}`)),
    );
    const rows = found.flatMap(({ json }) => json.result as Json[]);
    return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  const run = (more: string[], options: Omit<CliOptions, 'env'> = {}): Promise<CliResult> =>
    runCli(['logs', 'export', ...more], { env, ...options });

  /** The same in this process. */
  async function exported(options: ExportOptions): Promise<Json[]> {
    const output = path.join(dataDir, 'exported.ndjson');
    await runExport(readSettings(env), { output, force: true, ...options });
    return parseLines(await readFile(output, 'utf8'));
  }

  const start = (more: string[]): CliProcess =>
    new CliProcess(['logs', 'export', ...more], { env });

  test('beside the running server: what the API shows, oldest first', async () => {
    const { code, stdout, stderr } = await run(['--gateway', 'default']);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = parseLines(stdout);
    const scope = { account_id: server.accountId, gateway_id: 'default' };
    assert.deepEqual(
      lines,
      listed.map((row) => ({ ...scope, ...row })),
    );
    // The server still writes.
    await complete('third', 'hello');
  });

  test('all gateways, one after the other; only an account; only a part of the time', async () => {
    const all = await exported({});
    const gateways = all.map((line) => line.gateway_id);
    assert.deepEqual(
      [gateways.length, gateways[0], ...gateways.slice(ROWS)],
      [ROWS + 2, 'default', 'other', 'other'],
    );
    assert.deepEqual(await exported({ account: server.accountId }), all);
    const { created_at: since } = listed[100];
    const { created_at: until } = listed[1_100];
    const part = await exported({ gateway: 'default', since, until });
    assert.deepEqual(
      part.map(({ id }) => id),
      listed.filter((row) => row.created_at >= since && row.created_at < until).map(({ id }) => id),
    );
    const day = since.slice(0, 10);
    assert.deepEqual(await exported({ until: day }), []);
    assert.deepEqual(await exported({ since: day }), all);
  });

  test('--bodies: what was asked and answered, where it was kept', async () => {
    const { code, stdout } = await run(['--gateway', 'other', '--bodies']);
    assert.equal(code, 0);
    const [without, row] = parseLines(stdout);
    assert.deepEqual([without.request_body, without.response_headers], [null, null]);
    const { messages } = JSON.parse(row.request_body);
    assert.deepEqual(messages, [{ role: 'user', content: LATE_CONTENT }]);
    assert.equal(JSON.parse(row.response_body).choices[0].message.content, LATE_CONTENT);
    assert.deepEqual(
      [row.request_body_encoding, row.request_body_complete, row.response_body_complete],
      ['utf-8', true, true],
    );
    assert.equal(row.request_headers['content-type'], 'application/json');
    assert.equal(stdout.includes(server.token), false);
    const all = await exported({ bodies: true });
    assert.deepEqual(
      all.map(({ request_body: body }) => body === null),
      all.map(({ id }) => id === without.id),
    );
  });

  test('--output: a file of its owner alone, which is replaced only with --force', async () => {
    const file = path.join(dataDir, 'logs.ndjson');
    const first = await run(['--gateway', 'default', '--output', file]);
    assert.deepEqual(first, { code: 0, stdout: `Exported 1,150 rows to ${file}.\n`, stderr: '' });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(parseLines(await readFile(file, 'utf8')).length, ROWS);

    await writeFile(file, 'mine');
    const settings = readSettings(env);
    await assert.rejects(runExport(settings, { output: file }), {
      message: `${file} already exists; --force replaces it`,
    });
    assert.equal(await readFile(file, 'utf8'), 'mine');

    const link = path.join(dataDir, 'link');
    await symlink(file, link);
    await runExport(settings, { gateway: 'other', output: link, force: true });
    assert.equal(parseLines(await readFile(file, 'utf8')).length, 2);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await rm(link);
    await rm(file);
    const names = await readdir(dataDir);
    assert.deepEqual(
      names.filter((name) => name.includes('partial')),
      [],
    );
  });

  if (database === 'sqlite') declareOnce();
  else {
    test('Ctrl-C while it writes a file: the file is removed', async (t) => {
      const client = new pg.Client(server.postgresUrl);
      await client.connect();
      t.after(() => client.end());
      await client.query('begin');
      await client.query('lock table gateway_log_entries in access exclusive mode');
      const file = path.join(dataDir, 'interrupted.ndjson');
      const process_ = start(['--output', file]);
      await eventually('it has begun', () => Promise.resolve(existsSync(file)));
      process_.kill('SIGINT');
      await client.query('rollback');
      assert.deepEqual(await process_.result(), {
        code: 130,
        stdout: '',
        stderr: `latchkey: interrupted; ${file} was removed\n`,
      });
      assert.equal(existsSync(file), false);
    });
  }

  /** Nothing of it depends on the database. */
  function declareOnce(): void {
    test('a body that is no text: in base64; one that was cut within a character: a text', async () => {
      await server.call('POST', `${server.account}/ai-gateway/gateways`, {
        body: gatewayBody('odd'),
      });
      const binary = Buffer.from([0x41, 0xff, 0xfe]);
      const long = `a${'é'.repeat(6 * 1024 * 1024)}`;
      for (const body of [binary, long]) {
        await request('POST', `${server.origin}/v1/${server.accountId}/odd/local/anything`, {
          headers: {
            'cf-aig-authorization': `Bearer ${server.token}`,
            'content-type': 'text/plain',
          },
          body,
        });
      }
      assert.equal((await list('odd')).length, 2);
      const [first, second] = await exported({ gateway: 'odd', bodies: true });
      assert.deepEqual(
        [first.request_body, first.request_body_encoding, first.request_body_complete],
        [binary.toString('base64'), 'base64', true],
      );
      const { request_body: cut } = second;
      assert.deepEqual(
        [second.request_body_encoding, second.request_body_complete],
        ['utf-8', false],
      );
      assert.ok(cut.length > 4 * 1024 * 1024 && long.startsWith(cut));
    });

    const noPrlimit = !hasCommand('prlimit') && 'there is no prlimit';
    test(
      'a disk that is full: nothing of it is left, and what was there stays',
      { skip: noPrlimit },
      async () => {
        const small = { node: 'prlimit', nodeArguments: ['--fsize=100000', process.execPath] };
        const file = path.join(dataDir, 'full.ndjson');
        const { code, stdout, stderr } = await run(['--output', file], small);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^latchkey: EFBIG[^\n]*; .*full\.ndjson was removed\n$/);
        assert.equal(existsSync(file), false);
        await writeFile(file, 'mine');
        const forced = await run(['--output', file, '--force'], small);
        assert.match(forced.stderr, /^latchkey: EFBIG[^\n]*; .*full\.ndjson is unchanged\n$/);
        assert.equal(await readFile(file, 'utf8'), 'mine');
        await rm(file);
        const names = await readdir(dataDir);
        assert.deepEqual(
          names.filter((name) => name.includes('full')),
          [],
        );
      },
    );

    test(
      'standard output that takes nothing: one line',
      { skip: !existsSync('/dev/full') },
      async () => {
        const { code, stderr } = await run([], {
          node: 'sh',
          nodeArguments: ['-c', 'exec "$0" "$@" >/dev/full', process.execPath],
        });
        assert.equal(code, 1);
        assert.match(stderr, /^latchkey: ENOSPC[^\n]*\n$/);
      },
    );

    test('a reader that has seen enough: whole lines, and not a word', async () => {
      const { stdout, stderr } = await run([], {
        node: 'sh',
        nodeArguments: ['-c', '{ "$0" "$@"; echo "code $?" >&2; } | head -n 2', process.execPath],
      });
      assert.equal(parseLines(stdout).length, 2);
      assert.equal(stderr, 'code 0\n');
    });

    test('Ctrl-C: it ends behind a whole line', async () => {
      const process_ = start([]);
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      process_.child.stdout?.once('data', () => {
        process_.child.stdout?.pause();
        resolve();
      });
      await begun;
      process_.kill('SIGINT');
      process_.child.stdout?.resume();
      const { code, stdout, stderr } = await process_.result();
      assert.deepEqual([code, stderr], [130, '']);
      const lines = parseLines(stdout);
      assert.ok(lines.length > 0 && lines.length < ROWS, `${lines.length} lines`);
    });

    test('on a terminal: a bar with rows, rate and time left, which goes when all is done', async () => {
      const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(AS_TERMINAL)}`];
      const { code, stdout, stderr } = await run(['--gateway', 'default'], { nodeArguments });
      assert.equal(code, 0);
      assert.equal(parseLines(stdout).length, ROWS);
      assert.ok(stderr.startsWith(FIRST_BAR), JSON.stringify(stderr));
      assert.ok(stderr.endsWith(CLEAR_LINE));
      assert.equal(stderr.includes('\n'), false);
    });

    const noScript = !hasCommand('script') && 'there is no script';
    test('on a real terminal', { skip: noScript }, async () => {
      const command = `"${process.execPath}" bin/latchkey.js logs export --gateway default >/dev/null`;
      const { stdout } = spawnSync('script', ['-q', '-e', '-c', command, '/dev/null'], {
        env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...env },
        encoding: 'utf8',
      });
      assert.ok(stdout.includes(FIRST_BAR), JSON.stringify(stdout));
      assert.ok(stdout.endsWith(CLEAR_LINE), JSON.stringify(stdout));
    });

    test('what makes no sense', async () => {
      const none = createId();
      const settings = readSettings(env);
      const output = path.join(dataDir, 'refused.ndjson');
      for (const [options, expected] of [
        [{ account: 'x' }, /^--account must be an account id: 32 hex digits$/],
        [{ account: none }, new RegExp(`^no gateway in account ${none}; `)],
        [{ gateway: 'none' }, /^no gateway none; .*refused\.ndjson was removed$/],
        [{ since: 'yesterday' }, /^--since must be a time like/],
        [{ until: '2026-02-30' }, /^--until must be a time like/],
        [{ output: path.join(output, 'file') }, /ENOENT/],
        [{ output: dataDir, force: true }, /is not a regular file$/],
      ] as const) {
        const refused = runExport(settings, { output, ...options });
        await assert.rejects(refused, ({ message }: Error) => expected.test(message));
        assert.equal(existsSync(output), false);
      }
      await assert.rejects(
        runExport(settings, { force: true }),
        /^Error: --force requires --output/,
      );
      assert.deepEqual(await run(['--gateway', 'none']), {
        code: 1,
        stdout: '',
        stderr: 'latchkey: no gateway none\n',
      });
    });
  }
});

test('its options go with no other command', async () => {
  const { code, stdout, stderr } = await runCli(['token', 'generate', '--bodies']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(stderr, 'latchkey: --bodies requires logs export; see latchkey --help\n');
});

test('without a database; without logs; after the server has stopped; too old', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const env = { LATCHKEY_DATA_DIR: dataDir };
  const output = path.join(dataDir, 'logs.ndjson');
  const run = async (more: Record<string, string> = {}): Promise<Json[]> => {
    await runExport(readSettings({ ...env, ...more }), { output, force: true });
    return parseLines(await readFile(output, 'utf8'));
  };
  await assert.rejects(run(), { message: `database not found: ${dataDir}/latchkey.db` });
  const clock = { now: () => Date.now() - 3 * 86_400_000 };
  const server = await bootServer('sqlite', { dataDir, clock });
  assert.deepEqual(await run(), []);
  await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    body: { model: 'local/echo', messages: [{ role: 'user', content: 'hello' }] },
  });
  await server.stop();
  assert.equal((await run()).length, 1);
  assert.equal((await run({ LATCHKEY_LOG_RETENTION_DAYS: '4' })).length, 1);
  assert.deepEqual(await run({ LATCHKEY_LOG_RETENTION_DAYS: '2' }), []);
});
