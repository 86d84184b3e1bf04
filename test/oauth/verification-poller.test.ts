import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createId } from '../../src/lib/ids.ts';
import {
  type OAuthClient,
  findClient,
  insertClient,
  lockClient,
} from '../../src/oauth/clients/client-store.ts';
import { beginVerification } from '../../src/oauth/verification/verification.ts';
import { VerificationPoller } from '../../src/oauth/verification/verification-poller.ts';
import {
  LOOK_UP_LEASE_MS,
  claimVerification,
  selectDueVerifications,
} from '../../src/oauth/verification/verification-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { newHost } from './verification-clients.ts';

const ACCOUNT_ID = createId();
const RULES = { brand: 'acme', timeoutMs: 172_800_000 };

onEachDatabase((kind) => {
  async function prepare(t: TestContext) {
    const { database } = await openMigratedDatabase(t, kind);
    await database.transaction(async (tx) => {
      await tx
        .insertInto('accounts')
        .values({ id: ACCOUNT_ID, name: 'test', created_at: 0 })
        .execute();
    });
    const dns = await DnsServer.start(t);
    const clock = new ManualClock();
    const troubles: string[] = [];
    const node = (over: Database = database, timeoutMs = 5_000) => {
      const report = (error: Error, message: string): void => {
        troubles.push(`${message}: ${error.message}`);
      };
      const work = new PeriodicWork(over, clock, report);
      const poller = new VerificationPoller({
        database: over,
        clock,
        report,
        work,
        shortestGapMs: 30_000,
        lookUp: { servers: [dns.address], timeoutMs, tries: 2, limitMs: 15_000 },
      });
      t.after(() => poller.stop());
      return { poller, round: () => work.runNow('oauth-client-verification') };
    };
    const addAccount = async (): Promise<string> => {
      const id = createId();
      await database.transaction(async (tx) => {
        await tx.insertInto('accounts').values({ id, name: 'other', created_at: 0 }).execute();
      });
      return id;
    };
    const insert = async (host: string, accountId = ACCOUNT_ID): Promise<OAuthClient> => {
      const client: OAuthClient = {
        id: createId(),
        accountId,
        name: 'Example',
        grantTypes: ['authorization_code'],
        authMethod: 'none',
        redirectUris: ['https://app.example.com/'],
        scopes: ['openid'],
        optionalScopes: [],
        idTokenAlg: 'ES256',
        hasIdTokenClaims: true,
        backchannelLogoutUri: undefined,
        isLogoutSessionRequired: undefined,
        postLogoutRedirectUris: [],
        allowedCorsOrigins: [],
        logoUri: undefined,
        policyUri: undefined,
        tosUri: undefined,
        clientUri: `https://${host}/`,
        visibility: 'private',
        createdAtMs: clock.now(),
        updatedAtMs: clock.now(),
        promotedAtMs: undefined,
        secrets: [],
        verification: beginVerification(`https://${host}/`, RULES, clock.now()),
      };
      await database.transaction((tx) => insertClient(tx, client, undefined));
      return client;
    };
    const read = async (client: OAuthClient) => {
      const found = await findClient(database.read, client.accountId, client.id);
      assert.ok(found?.verification);
      return found.verification;
    };
    return { database, dns, clock, troubles, node, addAccount, insert, read };
  }

  test('a server that stays silent counts as not yet', async (t) => {
    const { database, dns, node, insert, read, clock, troubles } = await prepare(t);
    const host = newHost();
    dns.set(host, () => undefined);
    const client = await insert(host);
    assert.match(client.verification?.text ?? '', /^acme_oauth_client_publisher=[0-9a-f]{32}$/);
    await node(database, 50).round();
    await eventually('it has given up', async () => (await read(client)).status === 'in_progress');
    const verification = await read(client);
    assert.equal(verification.lastResult, 'no_answer');
    assert.equal(verification.nextCheckAtMs, clock.now() + 30_000);
    assert.equal(dns.asked(host), 2);
    assert.deepEqual(troubles, []);
  });

  test('of many rounds at once, on several nodes, one makes the look-up', async (t) => {
    const { dns, node, insert, read } = await prepare(t);
    const host = newHost();
    const client = await insert(host);
    dns.set(host, { txt: [client.verification?.text ?? ''] });
    const nodes = [node(), node(), node()];
    await Promise.all(nodes.flatMap(({ round }) => [round(), round()]));
    await eventually('it is verified', async () => (await read(client)).status === 'verified');
    assert.equal(dns.asked(host), 1);
  });

  test('an account with many silent names keeps no other account waiting', async (t) => {
    const { dns, node, addAccount, insert, read, clock } = await prepare(t);
    const gate = Promise.withResolvers<undefined>();
    const silent: string[] = [];
    for (let i = 0; i < 60; i++) {
      const host = newHost();
      dns.set(host, () => gate.promise.then(() => ({ txt: [] })));
      await insert(host);
      silent.push(host);
    }
    clock.advance(1);
    const host = newHost();
    const other = await insert(host, await addAccount());
    dns.set(host, { txt: [other.verification?.text ?? ''] });
    await node().round();
    await eventually('it is verified', async () => (await read(other)).status === 'verified');
    const askedSilent = (): number => silent.filter((name) => dns.asked(name) > 0).length;
    assert.equal(askedSilent(), 10);
    gate.resolve(undefined);
    await eventually('all are asked', () => Promise.resolve(askedSilent() === silent.length));
  });

  test('however many accounts there are, no more than fifty at once', async (t) => {
    const { dns, node, addAccount, insert } = await prepare(t);
    const gate = Promise.withResolvers<undefined>();
    const hosts: string[] = [];
    for (let i = 0; i < 6; i++) {
      const accountId = await addAccount();
      for (let j = 0; j < 11; j++) {
        const host = newHost();
        dns.set(host, () => gate.promise.then(() => ({ txt: [] })));
        await insert(host, accountId);
        hosts.push(host);
      }
    }
    const { round } = node();
    await round();
    const asked = (): number => hosts.filter((host) => dns.asked(host) > 0).length;
    await eventually('fifty are asked', () => Promise.resolve(asked() >= 50));
    await round();
    assert.equal(asked(), 50);
    gate.resolve(undefined);
    await eventually('all are asked', () => Promise.resolve(asked() === hosts.length));
  });

  test('a lease that a wrong clock wrote far into the future holds nobody up', async (t) => {
    const { database, dns, node, insert, read, clock } = await prepare(t);
    const host = newHost();
    const client = await insert(host);
    dns.set(host, { txt: [client.verification?.text ?? ''] });
    const lease = (untilMs: number): Promise<unknown> =>
      database.transaction((tx) =>
        tx
          .updateTable('oauth_client_verifications')
          .set({ lease_id: 'gone', lease_until: untilMs })
          .where('client_id', '=', client.id)
          .execute(),
      );
    // The clock of another node may well be a little fast.
    await lease(clock.now() + 2 * LOOK_UP_LEASE_MS);
    await node().round();
    assert.equal((await read(client)).status, 'pending');
    assert.equal(dns.asked(host), 0);
    await lease(clock.now() + 2 * LOOK_UP_LEASE_MS + 1);
    await node().round();
    await eventually('it is verified', async () => (await read(client)).status === 'verified');
  });

  // The embedded database has one writer at a time anyway.
  if (kind === 'postgres') {
    test('while a client is changed no look-up stores its outcome', async (t) => {
      const { database, insert } = await prepare(t);
      const client = await insert(newHost());
      const lock = sql`
        select 1 from oauth_client_verifications where client_id = ${client.id} for update nowait
      `;
      await lock.execute(database.read);
      await database.transaction(async (tx) => {
        await lockClient(tx, ACCOUNT_ID, client.id);
        await assert.rejects(lock.execute(database.read), { code: '55P03' });
      });
    });
  }

  test('what another node has looked up meanwhile is not claimed', async (t) => {
    const { database, node, insert, read, clock } = await prepare(t);
    const client = await insert(newHost());
    const [stale] = await selectDueVerifications(database.read, clock.now(), 10);
    assert.equal(stale?.clientId, client.id);
    await node().round();
    await eventually('it was looked up', async () => (await read(client)).attempts === 1);
    const claim = (): Promise<boolean> =>
      database.transaction((tx) => claimVerification(tx, stale, 'stale', clock.now()));
    assert.equal(await claim(), false);
    clock.advance(30_000);
    assert.equal(await claim(), false);
  });

  test('what the lease of a look-up outlived does not count', async (t) => {
    const { database, dns, node, insert, read, clock } = await prepare(t);
    const host = newHost();
    const client = await insert(host);
    const { text = '' } = client.verification ?? {};
    let transactions = 0;
    const counting: Database = {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        transactions++;
        return result;
      },
    };
    const ends = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const [first, second] = [node(counting), node()];
    dns.set(host, () => ends[0]?.promise.then(() => ({ txt: [text] })));
    await first.round();
    await dns.untilAsked(host);
    clock.advance(LOOK_UP_LEASE_MS);
    dns.set(host, () => ends[1]?.promise.then(() => ({ txt: [] })));
    await second.round();
    await dns.untilAsked(host, 2);
    // The first one comes to its end while the second one holds the lease.
    ends[0]?.resolve(undefined);
    await eventually('it has claimed and tried to store', () => Promise.resolve(transactions >= 2));
    assert.equal((await read(client)).status, 'pending');
    ends[1]?.resolve(undefined);
    await eventually('the second one is done', async () => (await read(client)).attempts === 1);
    assert.equal((await read(client)).status, 'in_progress');
  });

  test('an outcome that cannot be stored is trouble, and it is looked up again after the lease', async (t) => {
    const { database, dns, node, insert, read, clock, troubles } = await prepare(t);
    const host = newHost();
    const client = await insert(host);
    dns.set(host, { txt: [client.verification?.text ?? ''] });
    let isBroken = false;
    const failing = node({
      ...database,
      transaction: (work) =>
        isBroken ? Promise.reject(new Error('the disk is full')) : database.transaction(work),
    });
    const gate = Promise.withResolvers<undefined>();
    dns.set(host, () => gate.promise.then(() => ({ txt: [client.verification?.text ?? ''] })));
    await failing.round();
    await dns.untilAsked(host);
    isBroken = true;
    gate.resolve(undefined);
    await eventually('it was reported', () => Promise.resolve(troubles.length > 0));
    assert.deepEqual(troubles, [
      "the look-up of a client's TXT record failed and will be tried again: the disk is full",
    ]);
    isBroken = false;
    await failing.round();
    assert.equal((await read(client)).status, 'pending');
    clock.advance(LOOK_UP_LEASE_MS);
    await failing.round();
    await eventually('it is verified', async () => (await read(client)).status === 'verified');
  });

  test('after the stop nothing is looked up', async (t) => {
    const { dns, node, insert, read } = await prepare(t);
    const host = newHost();
    const client = await insert(host);
    const stopped = node();
    await stopped.poller.stop();
    await stopped.round();
    assert.equal(dns.asked(host), 0);
    await node().round();
    await eventually('another does', async () => (await read(client)).status === 'in_progress');
  });
});
