import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { patch } from './client-bodies.ts';
import {
  auditOf,
  createUnverified,
  createVerifiable,
  createVerified,
  lookAfter,
  lookNow,
  newHost,
  readClient,
  untilLookedThrough,
  untilStatus,
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

  describe('client_uri is sent as it is', () => {
    /** Sends it, and expects the same code from the beginning. */
    async function restart(id: string, host: string): Promise<Json> {
      const before = await verificationOf(server, id);
      const answer = await patch(server, id, { client_uri: `https://${host}/` });
      assert.equal(answer.status, 200, answer.text);
      const { client_uri_verification: verification } = answer.json.result;
      assert.deepEqual(verification, {
        status: 'pending',
        text: before.text,
        host,
        expires_at: new Date(clock.now() + TIMEOUT_MS).toISOString(),
        last_checked_at: null,
      });
      return verification;
    }

    test('a failed verification begins anew, and is looked up at once', async () => {
      const host = newHost();
      const { client_id: id, client_uri_verification: before } = await createUnverified(
        server,
        host,
      );
      await lookAfter(server, clock, id, TIMEOUT_MS);
      await untilStatus(server, id, 'failed');
      dns.set(host, { txt: [before.text] });
      await restart(id, host);
      await untilStatus(server, id, 'verified');
      const types = (await auditOf(server, id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create', 'verify', 'restart_verification', 'verify']);
    });

    test('a running one too: two days more, and short gaps', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      for (const gapS of FIRST_GAPS_S) await lookAfter(server, clock, id, gapS * SECOND_MS);
      const asked = dns.asked(host);
      await restart(id, host);
      await untilStatus(server, id, 'in_progress');
      assert.equal(dns.asked(host), asked + 1);
      await lookAfter(server, clock, id, 30 * SECOND_MS);
      assert.equal(dns.asked(host), asked + 2);
      assert.equal(
        (await lookAfter(server, clock, id, TIMEOUT_MS - 31 * SECOND_MS)).status,
        'in_progress',
      );
      assert.equal((await lookAfter(server, clock, id, SECOND_MS)).status, 'failed');
    });

    test('one that has only just begun stays as it is', async () => {
      const host = newHost();
      const gate = Promise.withResolvers<void>();
      dns.set(host, async () => {
        await gate.promise;
        return { txt: [] };
      });
      const { client_secret: _secret, ...before } = await createVerifiable(server, host);
      await dns.untilAsked(host);
      clock.advance(SECOND_MS);
      const answer = await patch(server, before.client_id, { client_uri: `https://${host}/` });
      assert.deepEqual(answer.json.result, before);
      gate.resolve();
      await untilStatus(server, before.client_id, 'in_progress');
      assert.equal(dns.asked(host), 1);
      const types = (await auditOf(server, before.client_id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create']);
    });

    /** A second look-up, which runs until its end is told, and a restart meanwhile. */
    async function restartMeanwhile() {
      const host = newHost();
      const { client_id: id, client_uri_verification: before } = await createUnverified(
        server,
        host,
      );
      const end = Promise.withResolvers<string[]>();
      dns.set(host, async () => ({ txt: await end.promise }));
      clock.advance(30 * SECOND_MS);
      await lookNow(server);
      await dns.untilAsked(host, 2);
      clock.advance(1);
      await restart(id, host);
      await untilLookedThrough(server, dns);
      // No other runs beside it.
      assert.equal(dns.asked(host), 2);
      return { id, host, text: before.text, end: end.resolve };
    }

    test('while a look-up runs: that it is in vain no longer counts', async () => {
      const { id, host, end } = await restartMeanwhile();
      end([]);
      await dns.untilAsked(host, 3);
      const verification = await untilStatus(server, id, 'in_progress');
      const expiresAt = new Date(clock.now() + TIMEOUT_MS).toISOString();
      assert.equal(verification.expires_at, expiresAt);
    });

    test('while a look-up runs: the record that it finds counts', async () => {
      const { id, host, text, end } = await restartMeanwhile();
      end([text]);
      await untilStatus(server, id, 'verified');
      await untilLookedThrough(server, dns);
      assert.equal(dns.asked(host), 2);
      const types = (await auditOf(server, id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create', 'restart_verification', 'verify']);
    });

    test('a verified one stays as it is', async () => {
      const { id, host } = await createVerified(server, dns);
      const before = await readClient(server, id);
      clock.advance(SECOND_MS);
      const answer = await patch(server, id, { client_uri: `https://${host}/` });
      assert.deepEqual(answer.json.result, before);
      await untilLookedThrough(server, dns);
      assert.equal(dns.asked(host), 1);
      const types = (await auditOf(server, id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create', 'verify']);
    });

    test('other fields of the same change are stored, and it is an update', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      clock.advance(SECOND_MS);
      const body = { client_name: 'Renamed', client_uri: `https://${host}/` };
      const { json } = await patch(server, id, body);
      assert.equal(json.result.client_name, 'Renamed');
      assert.equal(json.result.client_uri_verification.status, 'pending');
      assert.equal((await auditOf(server, id)).at(-1).action_type, 'update');
    });

    test('a change of other fields begins nothing', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      const before = await verificationOf(server, id);
      clock.advance(SECOND_MS);
      const { json } = await patch(server, id, { client_name: 'Renamed' });
      assert.deepEqual(json.result.client_uri_verification, before);
    });
  });

  describe('client_uri is changed', () => {
    for (const [name, change] of [
      ['to another host', (_host: string) => `https://${newHost()}/`],
      ['to another page of the host', (host: string) => `https://${host}/about`],
    ] as const) {
      test(`${name}: a fresh code, also of a verified host`, async () => {
        const { id, host, text } = await createVerified(server, dns);
        const uri = change(host);
        const { json } = await patch(server, id, { client_uri: uri });
        const { client_uri_verification: verification } = json.result;
        assert.equal(verification.status, 'pending');
        assert.equal(verification.host, new URL(uri).hostname);
        assert.notEqual(verification.text, text);
        // The old record is worth nothing.
        await untilStatus(server, id, 'in_progress');
      });
    }

    test('the result of a look-up for the old one does not count', async () => {
      const [old, next] = [newHost(), newHost()];
      const gate = Promise.withResolvers<void>();
      let text = '';
      dns.set(old, async () => {
        await gate.promise;
        return { txt: [text] };
      });
      const client = await createVerifiable(server, old);
      ({ text } = client.client_uri_verification);
      await dns.untilAsked(old);
      await patch(server, client.client_id, { client_uri: `https://${next}/` });
      await untilStatus(server, client.client_id, 'in_progress');
      gate.resolve();
      await untilLookedThrough(server, dns);
      const verification = await verificationOf(server, client.client_id);
      assert.equal(verification.status, 'in_progress');
      assert.equal(verification.host, next);
    });

    test('taken away: the verification goes with it, and comes back with a fresh code', async () => {
      const { id, host, text } = await createVerified(server, dns);
      for (const empty of [null, '']) {
        const { json } = await patch(server, id, { client_uri: empty });
        assert.equal('client_uri_verification' in json.result, false);
      }
      const rows = await server.app.database.read
        .selectFrom('oauth_client_verifications')
        .select('client_id')
        .where('client_id', '=', id)
        .execute();
      assert.deepEqual(rows, []);
      const { json } = await patch(server, id, { client_uri: `https://${host}/` });
      assert.equal(json.result.client_uri_verification.status, 'pending');
      assert.notEqual(json.result.client_uri_verification.text, text);
    });

    test('no two codes are the same', async () => {
      const clients = await Promise.all(
        Array.from({ length: 20 }, () => createVerifiable(server, 'shared.example')),
      );
      const texts = new Set(clients.map((client) => client.client_uri_verification.text));
      assert.equal(texts.size, 20);
    });
  });

  test('nothing of all this was trouble for the server', () => {
    const errors = server.logLines.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
