import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createCertificate } from '../support/certificate.ts';
import { runCli } from '../support/cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { TlsPostgresProxy } from '../support/tls-postgres-proxy.ts';

// A loopback address that the certificate does not contain.
const OTHER_HOST = '127.0.0.2';

describe('TLS to PostgreSQL', () => {
  let directory: string;
  let rootFile: string;
  let otherRootFile: string;
  let postgres: { url: string; drop(): Promise<void> };
  let proxy: TlsPostgresProxy;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'latchkey-tls-'));
    const certificate = createCertificate();
    rootFile = path.join(directory, 'root.pem');
    otherRootFile = path.join(directory, 'other.pem');
    await writeFile(rootFile, certificate.cert);
    await writeFile(otherRootFile, createCertificate().cert);
    postgres = await createPostgresDatabase();
    proxy = await TlsPostgresProxy.start(postgres.url, certificate);
  });
  after(async () => {
    proxy.stop();
    await postgres.drop();
    await rm(directory, { recursive: true });
  });

  async function connectTo(url: string): Promise<void> {
    const dialect = openPostgres(url, () => {});
    try {
      await sql`select 1`.execute(dialect.reader);
    } finally {
      await dialect.close();
    }
  }

  for (const mode of ['require', 'verify-full', 'verify-ca'] as const) {
    test(`sslmode=${mode} verifies the certificate with sslrootcert`, async () => {
      const url = (root: string, host = 'localhost') =>
        proxy.urlOf(postgres.url, host, `sslmode=${mode}&sslrootcert=${root}`);
      await connectTo(url(rootFile));
      await assert.rejects(connectTo(url(otherRootFile)));
      const other = connectTo(url(rootFile, OTHER_HOST));
      await (mode === 'verify-ca'
        ? other
        : assert.rejects(other, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }));
    });
  }

  test('without sslrootcert, an unknown authority is rejected; no-verify accepts it', async () => {
    for (const parameters of ['sslmode=require', 'sslmode=verify-full', 'ssl=true', 'ssl=1']) {
      await assert.rejects(connectTo(proxy.urlOf(postgres.url, 'localhost', parameters)));
    }
    for (const parameters of ['sslmode=no-verify', 'ssl=no-verify']) {
      await connectTo(proxy.urlOf(postgres.url, OTHER_HOST, parameters));
    }
  });

  test('disable uses no TLS, and a server without TLS is rejected otherwise', async () => {
    await connectTo(`${postgres.url}?sslmode=disable`);
    await connectTo(`${postgres.url}?ssl=false`);
    await assert.rejects(connectTo(proxy.urlOf(postgres.url, 'localhost', 'sslmode=disable')));
    for (const mode of ['require', 'verify-full', 'no-verify']) {
      await assert.rejects(connectTo(`${postgres.url}?sslmode=${mode}`), /does not support SSL/);
    }
  });

  test('a start explains TLS errors in one line, without a warning of the driver', async () => {
    const start = async (url: string) => {
      const env = { LATCHKEY_DATA_DIR: directory, LATCHKEY_DATABASE_URL: url };
      const { code, stderr } = await runCli(['migrate'], { env });
      assert.equal(code, 1);
      assert.match(stderr, /^latchkey: cannot use the database at [^\n]+\n$/);
      assert.doesNotMatch(stderr, /use-system-ca|SECURITY WARNING/);
      return stderr;
    };
    const place = `localhost:${proxy.port} (LATCHKEY_DATABASE_URL)`;
    const untrusted = await start(proxy.urlOf(postgres.url, 'localhost', 'sslmode=require'));
    assert.ok(untrusted.includes(place), untrusted);
    assert.match(untrusted, /self-signed certificate: name the certificate authority with sslroot/);
    const parameters = `sslmode=verify-full&sslrootcert=${rootFile}`;
    const other = await start(proxy.urlOf(postgres.url, OTHER_HOST, parameters));
    assert.match(other, /use a host name of the certificate, or sslmode=verify-ca/);
    assert.match(await start(`${postgres.url}?sslmode=require`), /use sslmode=disable, or enable/);
  });
});
