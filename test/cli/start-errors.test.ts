import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { createId } from '../../src/lib/ids.ts';
import { runCli } from '../support/cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';

/** Runs a statement on the test server. */
async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('errors of a start', () => {
  let directory: string;
  let postgres: { url: string; drop(): Promise<void> };
  const role = `role_${createId()}`;
  const latin = `latin_${createId()}`;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-start-'));
    postgres = await createPostgresDatabase();
    await administer(postgres.url, `create role ${role} login password 'right'`);
    await administer(postgres.url, 'revoke create on schema public from public');
    await administer(
      postgres.url,
      `create database ${latin} encoding 'LATIN1' template template0 locale 'C'`,
    );
  });
  after(async () => {
    await administer(postgres.url, `drop database ${latin} with (force)`);
    await postgres.drop();
    const other = await createPostgresDatabase();
    await administer(other.url, `drop role ${role}`);
    await other.drop();
    await rm(directory, { recursive: true });
  });

  /** The only line of a command that fails. */
  async function fail(settings: Record<string, string>, command = ['migrate']): Promise<string> {
    const env = { LATCHKEY_DATA_DIR: path.join(directory, 'data'), ...settings };
    const { code, stdout, stderr } = await runCli(command, { env });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^latchkey: [^\n]+\n$/);
    return stderr;
  }

  function urlWith(change: (url: URL) => void): Record<string, string> {
    const url = new URL(postgres.url);
    change(url);
    return { LATCHKEY_DATABASE_URL: url.href };
  }

  const PLACE = /cannot use the database at \S+:\d+ \(LATCHKEY_DATABASE_URL\): /;

  test('a role without rights on the schema', async () => {
    const settings = urlWith((url) => {
      url.username = role;
      url.password = 'right';
    });
    for (const command of [['migrate'], ['serve']]) {
      const line = await fail(settings, command);
      assert.match(line, PLACE);
      assert.match(line, /permission denied for schema public: grant the role the right to create/);
    }
  });

  test('a missing database and an unreachable server', async () => {
    const missing = urlWith((url) => {
      url.pathname = '/none';
    });
    for (const command of [['migrate'], ['serve'], ['keys', 'list'], ['audit', 'verify']]) {
      const line = await fail(missing, command);
      assert.match(line, PLACE);
      assert.match(
        line,
        /database "none" does not exist: create the database, or correct its name/,
      );
    }
    const unreachable = { LATCHKEY_DATABASE_URL: 'postgres://me:a-secret@127.0.0.1:1/x' };
    const line = await fail(unreachable);
    assert.match(
      line,
      /at 127\.0\.0\.1:1 \(LATCHKEY_DATABASE_URL\): .*ECONNREFUSED.*: check the host/,
    );
    assert.equal(line.includes('a-secret'), false);
    const unknown = await fail({ LATCHKEY_DATABASE_URL: 'postgres://me@nowhere.invalid/x' });
    assert.match(unknown, /nowhere\.invalid.*: check the host name and DNS/);
  });

  test('a database without UTF-8', async () => {
    const settings = urlWith((url) => {
      url.pathname = `/${latin}`;
    });
    for (const command of [['migrate'], ['serve']]) {
      const line = await fail(settings, command);
      assert.match(
        line,
        /LATCHKEY_DATABASE_URL: the database has the encoding LATIN1, .* ENCODING/,
      );
    }
    const { stdout } = await runCli(['doctor'], {
      env: { LATCHKEY_DATA_DIR: path.join(directory, 'data'), ...settings },
    });
    assert.match(stdout, /FAULT +database +the database has the encoding LATIN1/);
  });

  test('a data directory that cannot be created', async () => {
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    assert.match(
      await fail({ LATCHKEY_DATA_DIR: file }, ['serve']),
      /LATCHKEY_DATA_DIR: cannot create the directory \/\S+\/file: the path, or a part of it, is not a directory/,
    );
    assert.match(
      await fail({ LATCHKEY_DATA_DIR: path.join(file, 'below') }, ['serve']),
      /LATCHKEY_DATA_DIR: .*\/file\/below: the path, or a part of it, is not a directory/,
    );
    assert.match(
      await fail({ LATCHKEY_DATA_DIR: '/proc/latchkey' }, ['serve']),
      /LATCHKEY_DATA_DIR: cannot create the directory \/proc\/latchkey: /,
    );
  });
});
