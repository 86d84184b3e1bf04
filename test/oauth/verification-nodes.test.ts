import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type TestContext, describe, test } from 'node:test';
import type { Clock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess } from '../support/cli.ts';
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import {
  type Json,
  type TestServer,
  bootServer,
  createDataDir,
  newInstallation,
  request,
} from '../support/server.ts';
import { clientBody } from './client-bodies.ts';
import {
  createVerifiable,
  lookNow,
  newHost,
  untilLookedThrough,
  untilStatus,
  verificationOf,
} from './verification-clients.ts';

const LEASE_MS = 30_000;

/** The time that other processes have too, plus what a test adds to it. */
class ShiftedClock implements Clock {
  #shiftMs = 0;

  now(): number {
    return Date.now() + this.#shiftMs;
  }

  advance(byMs: number): void {
    this.#shiftMs += byMs;
  }
}

/** What processes on one database have in common. */
interface Shared {
  dataDir: string;
  postgresUrl: string | undefined;
  masterKey: string;
  accountId: string;
  token: string;
}

async function share(t: TestContext, database: 'sqlite' | 'postgres'): Promise<Shared> {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
  t.after(() => postgres?.drop());
  return {
    dataDir,
    postgresUrl: postgres?.url,
    masterKey: randomBytes(32).toString('base64'),
    accountId: createId(),
    token: createSecret('lkat_'),
  };
}

/** A server in a process of its own, which does not outlive the test. */
async function serve(t: TestContext, shared: Shared, dns: DnsServer) {
  const dataDir = await createDataDir();
  const { postgresUrl } = shared;
  const process = new CliProcess(['serve'], {
    env: {
      // On PostgreSQL each node has a directory of its own, for its logs.
      LATCHKEY_DATA_DIR: postgresUrl === undefined ? shared.dataDir : dataDir,
      LATCHKEY_PORT: '0',
      LATCHKEY_LOG_LEVEL: 'warn',
      LATCHKEY_MASTER_KEY: shared.masterKey,
      LATCHKEY_DNS_SERVERS: dns.address,
      LATCHKEY_BOOTSTRAP_ACCOUNT_ID: shared.accountId,
      LATCHKEY_BOOTSTRAP_TOKEN: shared.token,
      ...(postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: postgresUrl }),
    },
  });
  const end = async (): Promise<void> => {
    process.kill('SIGKILL');
    await process.result();
  };
  t.after(async () => {
    await end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const origin = await process.origin();
  // The listener is open before the first start has made its credentials.
  await process.seen(/\n\n$/);
  return {
    end,
    async createVerifiable(host: string): Promise<Json> {
      const url = `${origin}/client/v4/accounts/${shared.accountId}/oauth_clients`;
      const body = clientBody({ client_uri: `https://${host}/` });
      const { status, json, text } = await request('POST', url, { token: shared.token, body });
      assert.equal(status, 200, text);
      return json.result;
    },
  };
}

/** A server in this process, beside or after one in another. */
async function boot(
  t: TestContext,
  { dataDir, masterKey, ...installation }: Shared,
  dns: DnsServer,
  clock: Clock,
): Promise<TestServer> {
  const isPostgres = installation.postgresUrl !== undefined;
  const server = await bootServer(isPostgres ? 'postgres' : 'sqlite', {
    clock,
    besides: installation,
    ...(isPostgres ? {} : { dataDir }),
    settings: { MASTER_KEY: masterKey, DNS_SERVERS: dns.address },
  });
  t.after(() => server.stop());
  return server;
}

onEachDatabase((database) => {
  test('a process that is killed in the midst of a look-up: the next start goes on after its lease', async (t) => {
    const shared = await share(t, database);
    const dns = await DnsServer.start(t);
    const [running, waiting] = [newHost(), newHost()];
    dns.set(running, () => undefined);
    const killed = await serve(t, shared, dns);
    const inFlight = await killed.createVerifiable(running);
    const scheduled = await killed.createVerifiable(waiting);
    await dns.untilAsked(running);
    await dns.untilAsked(waiting);
    await killed.end();

    const clock = new ShiftedClock();
    const server = await boot(t, shared, dns, clock);
    for (const client of [inFlight, scheduled]) {
      const { text } = client.client_uri_verification;
      assert.equal((await verificationOf(server, client.client_id)).text, text);
      dns.set(client.client_uri_verification.host, { txt: [text] });
    }
    await untilLookedThrough(server, dns);
    assert.equal(dns.asked(running), 1);
    assert.equal((await verificationOf(server, inFlight.client_id)).status, 'pending');
    clock.advance(LEASE_MS);
    await lookNow(server);
    await untilStatus(server, inFlight.client_id, 'verified');
    assert.equal(dns.asked(running), 2);
    // The other's schedule has survived as well.
    await untilStatus(server, scheduled.client_id, 'verified');
  });
});

describe('two processes on one PostgreSQL', () => {
  test('each verification is looked up by one of them at a time', async (t) => {
    const shared = await share(t, 'postgres');
    const dns = await DnsServer.start(t);
    const other = await serve(t, shared, dns);
    const server = await boot(t, shared, dns, new ShiftedClock());
    const clients = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const host = newHost();
        const text = Promise.withResolvers<string>();
        dns.set(host, async () => ({ txt: [await text.promise] }));
        const client = await (index % 2 === 0
          ? createVerifiable(server, host)
          : other.createVerifiable(host));
        text.resolve(client.client_uri_verification.text);
        return { id: client.client_id, host };
      }),
    );
    for (const { id, host } of clients) {
      await untilStatus(server, id, 'verified');
      assert.equal(dns.asked(host), 1);
    }
  });

  test('when one is killed, the other goes on when the lease is over, and not before', async (t) => {
    const shared = await share(t, 'postgres');
    const dns = await DnsServer.start(t);
    const host = newHost();
    dns.set(host, () => undefined);
    const other = await serve(t, shared, dns);
    const client = await other.createVerifiable(host);
    await dns.untilAsked(host);
    dns.set(host, { txt: [client.client_uri_verification.text] });
    const clock = new ShiftedClock();
    const server = await boot(t, shared, dns, clock);
    await untilLookedThrough(server, dns);
    assert.equal(dns.asked(host), 1);
    await other.end();
    await untilLookedThrough(server, dns);
    assert.equal(dns.asked(host), 1);
    assert.equal((await verificationOf(server, client.client_id)).status, 'pending');
    clock.advance(LEASE_MS);
    await lookNow(server);
    await untilStatus(server, client.client_id, 'verified');
    assert.equal(dns.asked(host), 2);
  });

  test('one that stops as it should hands its look-ups over at once', async (t) => {
    const besides = newInstallation((await share(t, 'postgres')).postgresUrl ?? '');
    const [theirs, ours] = [await DnsServer.start(t), await DnsServer.start(t)];
    const host = newHost();
    theirs.set(host, () => undefined);
    const stopping = await bootServer('postgres', {
      besides,
      settings: { DNS_SERVERS: theirs.address },
    });
    const client = await createVerifiable(stopping, host);
    await theirs.untilAsked(host);
    await stopping.stop();
    ours.set(host, { txt: [client.client_uri_verification.text] });
    const server = await bootServer('postgres', {
      besides,
      settings: { DNS_SERVERS: ours.address },
    });
    t.after(() => server.stop());
    await untilStatus(server, client.client_id, 'verified');
    assert.equal(ours.asked(host), 1);
    const errors = stopping.logLines.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
