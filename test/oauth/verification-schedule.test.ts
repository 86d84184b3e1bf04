import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { patch } from './client-bodies.ts';
import {
  auditOf,
  createUnverified,
  createVerified,
  lookAfter,
  newHost,
  readClient,
  untilChecked,
  untilLookedThrough,
  verificationOf,
} from './verification-clients.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 2 * DAY_MS;
const FIRST_GAPS_S = [30, 60, 120, 240, 480, 600, 600];

onEachDatabase((database) => {
  let server: TestServer;
  let dns: DnsServer;
  const clock = new ManualClock();
  before(async () => {
    dns = await DnsServer.start();
    server = await bootServer(database, { clock, settings: { DNS_SERVERS: dns.address } });
  });
  after(async () => {
    await server.stop();
    dns.stop();
  });

  test('at once when it begins and when it is restarted, whatever the interval of rounds', async (t) => {
    // The rounds that come by themselves do not come.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const still = await bootServer(database, { clock, settings: { DNS_SERVERS: dns.address } });
    t.after(async () => {
      t.mock.timers.reset();
      await still.stop();
    });
    const host = newHost();
    const created = await createUnverified(still, host);
    clock.advance(SECOND_MS);
    await patch(still, created.client_id, { client_uri: `https://${host}/` });
    await dns.untilAsked(host, 2);
    const other = newHost();
    await patch(still, created.client_id, { client_uri: `https://${other}/` });
    await dns.untilAsked(other);
  });

  describe('when it is looked up', () => {
    test('after growing gaps, never before', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      for (const [index, gapS] of FIRST_GAPS_S.entries()) {
        clock.advance(gapS * SECOND_MS - 1);
        await untilLookedThrough(server, dns);
        assert.equal(dns.asked(host), index + 1, `${gapS} s are not over`);
        await lookAfter(server, clock, id, 1);
        assert.equal(dns.asked(host), index + 2, `${gapS} s are over`);
      }
    });

    test('until two days are over: the record that comes with the last look-up counts', async () => {
      const host = newHost();
      const { client_id: id, client_uri_verification: before } = await createUnverified(
        server,
        host,
      );
      assert.equal((await lookAfter(server, clock, id, TIMEOUT_MS - 1)).status, 'in_progress');
      dns.set(host, { txt: [before.text] });
      assert.equal((await lookAfter(server, clock, id, 1)).status, 'verified');
    });

    test('two days in vain: failed, in the audit log, and never looked up again', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      assert.equal((await lookAfter(server, clock, id, TIMEOUT_MS - 1)).status, 'in_progress');
      const failed = await lookAfter(server, clock, id, 1);
      assert.equal(failed.status, 'failed');
      assert.equal('expires_at' in failed, false);
      const asked = dns.asked(host);
      clock.advance(30 * DAY_MS);
      await untilLookedThrough(server, dns);
      assert.equal(dns.asked(host), asked);
      const row = (await auditOf(server, id)).at(-1);
      assert.deepEqual(
        [row.action_type, row.action_result, row.actor_type, row.actor_context],
        ['verify', 'failure', 'system', 'system'],
      );
      assert.match(row.action_description, new RegExp(`The host ${host} was not verified in time`));
    });

    test('no answer until the end fails too', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      dns.set(host, { rcode: 'SERVFAIL' });
      const failed = await lookAfter(server, clock, id, TIMEOUT_MS);
      assert.equal(failed.status, 'failed');
      assert.match(failed.problem, /^the DNS lookup of /);
    });

    test('a success stands in the audit log, a look-up in vain does not', async () => {
      const host = newHost();
      const { client_id: id, client_uri_verification: before } = await createUnverified(
        server,
        host,
      );
      await lookAfter(server, clock, id, 30 * SECOND_MS);
      dns.set(host, { txt: [before.text] });
      await lookAfter(server, clock, id, 60 * SECOND_MS);
      const rows = await auditOf(server, id);
      assert.deepEqual(
        rows.map(({ action_type: type, action_result: result, actor_type: actor }) => [
          type,
          result,
          actor,
        ]),
        [
          ['create', 'success', 'account_token'],
          ['verify', 'success', 'system'],
        ],
      );
      assert.equal(rows[1].resource_product, 'oauth_clients');
      assert.equal(rows[1].resource_type, 'oauth_client');
      const logs = await server.call(
        'GET',
        `${server.account}/logs/audit?since=2020-01-01&before=2030-01-01&resource_id=${id}`,
      );
      assert.equal(logs.status, 200, logs.text);
    });
  });

  describe('daily, once it is verified', () => {
    test('three misses in a row warn, and change nothing else', async () => {
      const { id, host } = await createVerified(server, dns);
      const { updated_at: updatedAt } = await readClient(server, id);
      clock.advance(DAY_MS - 1);
      await untilLookedThrough(server, dns);
      assert.equal(dns.asked(host), 1);
      assert.equal('problem' in (await lookAfter(server, clock, id, 1)), false);
      assert.equal(dns.asked(host), 2);
      dns.set(host, { txt: [] });
      for (const miss of [1, 2, 3, 4]) {
        const verification = await lookAfter(server, clock, id, DAY_MS);
        assert.equal(verification.status, 'verified');
        assert.match(verification.problem, /has no TXT record/);
        assert.equal('warning' in verification, miss >= 3, `${miss}`);
        const types = (await auditOf(server, id)).map((row) => row.action_type);
        assert.deepEqual(types.slice(2), miss >= 3 ? ['recheck'] : [], `${miss}`);
      }
      assert.equal((await readClient(server, id)).updated_at, updatedAt);
    });

    test('a record that is back ends the warning, at once when the owner asks', async () => {
      const { id, host, text } = await createVerified(server, dns);
      dns.set(host, { rcode: 'NXDOMAIN' });
      for (let day = 0; day < 3; day++) await lookAfter(server, clock, id, DAY_MS);
      assert.match((await verificationOf(server, id)).warning, /last 3 daily look-ups/);
      // Still missing: asking makes no fourth day of it.
      clock.advance(SECOND_MS);
      await patch(server, id, { client_uri: `https://${host}/` });
      const missing = await untilChecked(server, id, clock.now());
      assert.match(missing.warning, /last 3 daily look-ups/);
      dns.set(host, { txt: [text] });
      clock.advance(SECOND_MS);
      await patch(server, id, { client_uri: `https://${host}/` });
      const back = await untilChecked(server, id, clock.now());
      assert.equal('warning' in back, false);
      assert.equal(back.status, 'verified');
      const rows = (await auditOf(server, id)).filter((row) => row.action_type === 'recheck');
      assert.deepEqual(
        rows.map((row) => row.action_result),
        ['failure', 'success'],
      );
    });

    test('days without an answer count neither for nor against', async () => {
      const { id, host } = await createVerified(server, dns);
      for (const rcode of ['SERVFAIL', 'NXDOMAIN', 'REFUSED', 'NXDOMAIN', 'SERVFAIL'] as const) {
        dns.set(host, { rcode });
        assert.equal('warning' in (await lookAfter(server, clock, id, DAY_MS)), false);
      }
      const types = (await auditOf(server, id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create', 'verify']);
      dns.set(host, { rcode: 'NXDOMAIN' });
      assert.equal('warning' in (await lookAfter(server, clock, id, DAY_MS)), true);
    });

    test('two misses and a hit are no warning, and the count begins anew', async () => {
      const { id, host, text } = await createVerified(server, dns);
      for (const isThere of [false, false, true, false, false]) {
        dns.set(host, { txt: isThere ? [text] : [] });
        assert.equal('warning' in (await lookAfter(server, clock, id, DAY_MS)), false);
      }
      assert.equal('warning' in (await lookAfter(server, clock, id, DAY_MS)), true);
    });
  });

  test('nothing of all this was trouble for the server', () => {
    const errors = server.logLines.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
