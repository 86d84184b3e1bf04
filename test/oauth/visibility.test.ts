import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertFaults, createClient, patch, tryCreate } from './client-bodies.ts';
import {
  READY,
  auditOf,
  createPublic,
  createVerifiable,
  createVerified,
  lookAfter,
  newHost,
  readClient,
  untilStatus,
  verificationOf,
} from './verification-clients.ts';

const DAY_MS = 86_400_000;
const TO_PUBLIC = { visibility: 'public' };

/** Pointer and reason of every fault, sorted. */
function reasonsOf({ json }: Answer): string[] {
  const errors = json.errors as { message: string; source: { pointer: string } }[];
  return errors.map(({ message, source }) => `${source.pointer}: ${message}`).sort();
}

/** The state table of the seed's section 3.1, and every move that is not in it. */
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

  describe('new', () => {
    test('→ private, always', async () => {
      const client = await createClient(server);
      assert.equal(client.visibility, 'private');
      assert.equal('promoted_at' in client, false);
    });

    for (const visibility of ['public', 'private']) {
      test(`cannot be created as ${visibility}`, async () => {
        assertFaults(await tryCreate(server, { visibility }), ['4002 /visibility']);
      });
    }
  });

  describe('private', () => {
    test('→ public, with everything set and the host verified', async () => {
      const { id } = await createVerified(server, dns, READY);
      const before = await readClient(server, id);
      clock.advance(1_000);
      const answer = await patch(server, id, TO_PUBLIC);
      assert.equal(answer.status, 200, answer.text);
      const now = new Date(clock.now()).toISOString();
      const expected = { ...before, ...TO_PUBLIC, promoted_at: now, updated_at: now };
      assert.deepEqual(answer.json.result, expected);
      assert.deepEqual(await readClient(server, id), expected);
      const row = (await auditOf(server, id)).at(-1);
      assert.equal(row.action_type, 'promote');
      assert.equal(row.actor_type, 'account_token');
    });

    test('→ public, with what the same change sets', async () => {
      const { id, host } = await createVerified(server, dns);
      const body = { ...READY, client_uri: `https://${host}/`, ...TO_PUBLIC };
      const answer = await patch(server, id, body);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.result.visibility, 'public');
      assert.equal(answer.json.result.logo_uri, READY.logo_uri);
    });

    for (const [what, missing, fault] of [
      ['logo', { logo_uri: null }, '4010 /logo_uri'],
      ['logo', { logo_uri: '' }, '4010 /logo_uri'],
      ['scope', { scopes: [] }, '4010 /scopes'],
      ['permission', { scopes: ['profile', 'email', 'openid'] }, '4010 /scopes'],
    ] as const) {
      test(`stays private without ${what}: ${JSON.stringify(missing)}`, async () => {
        // Both when it was never there and when the same change takes it away.
        const never = await createVerified(server, dns, { ...READY, ...missing });
        assertFaults(await patch(server, never.id, TO_PUBLIC), [fault]);
        const taken = await createVerified(server, dns, READY);
        assertFaults(await patch(server, taken.id, { ...missing, ...TO_PUBLIC }), [fault]);
        for (const { id } of [never, taken]) {
          assert.equal((await readClient(server, id)).visibility, 'private');
        }
        assert.equal((await readClient(server, taken.id)).logo_uri, READY.logo_uri);
      });
    }

    test('stays private without a name: no client is without one', async () => {
      const { id } = await createVerified(server, dns, READY);
      const answer = await patch(server, id, { client_name: '', ...TO_PUBLIC });
      assertFaults(answer, ['4001 /client_name']);
    });

    test('stays private without client_uri', async () => {
      const client = await createClient(server, READY);
      const faults = ['4010 /client_uri', '4010 /client_uri'];
      const answer = await patch(server, client.client_id, TO_PUBLIC);
      assertFaults(answer, faults);
      const { id } = await createVerified(server, dns, READY);
      assertFaults(await patch(server, id, { client_uri: null, ...TO_PUBLIC }), faults);
    });

    test('stays private while the host is not verified, and is told how it is', async () => {
      const host = newHost();
      const gate = Promise.withResolvers<undefined>();
      dns.set(host, () => gate.promise.then(() => ({ txt: [] })));
      const { client_id: id, client_uri_verification: verification } = await createVerifiable(
        server,
        host,
        READY,
      );
      const advice = `add the TXT record "${verification.text}" to ${host}`;
      const refusal = async (): Promise<string> => {
        const answer = await patch(server, id, TO_PUBLIC);
        assertFaults(answer, ['4010 /client_uri']);
        return answer.json.errors[0].message;
      };
      assert.equal((await verificationOf(server, id)).status, 'pending');
      assert.ok((await refusal()).endsWith(advice));
      gate.resolve(undefined);
      await untilStatus(server, id, 'in_progress');
      assert.ok((await refusal()).endsWith(advice));
      clock.advance(2 * 86_400_000);
      await createVerified(server, dns);
      await untilStatus(server, id, 'failed');
      assert.ok((await refusal()).endsWith(`${advice}, and send client_uri once more`));
    });

    test('stays private when the same change moves client_uri, even on its host', async () => {
      const { id, host } = await createVerified(server, dns, READY);
      for (const client_uri of [`https://${newHost()}/`, `https://${host}/about`]) {
        const answer = await patch(server, id, { client_uri, ...TO_PUBLIC });
        assertFaults(answer, ['4010 /client_uri']);
      }
      assert.equal((await verificationOf(server, id)).status, 'verified');
    });

    test('stays private while the record of its host is missing', async () => {
      const { id, host, text } = await createVerified(server, dns, READY);
      dns.set(host, { txt: [] });
      for (let day = 0; day < 2; day++) await lookAfter(server, clock, id, DAY_MS);
      await lookAfter(server, clock, id, DAY_MS);
      const refused = await patch(server, id, TO_PUBLIC);
      assertFaults(refused, ['4010 /client_uri']);
      assert.match(refused.json.errors[0].message, /has a host without its TXT record/);
      dns.set(host, { txt: [text] });
      await lookAfter(server, clock, id, DAY_MS);
      assert.equal((await patch(server, id, TO_PUBLIC)).status, 200);
    });

    test('goes public while fewer misses than are worth a warning stand', async () => {
      const { id, host } = await createVerified(server, dns, READY);
      dns.set(host, { txt: [] });
      for (let day = 0; day < 2; day++) await lookAfter(server, clock, id, DAY_MS);
      assert.equal((await patch(server, id, TO_PUBLIC)).status, 200);
    });

    test('everything that is missing is told at once, one fault for each thing', async () => {
      const client = await createClient(server);
      const answer = await patch(server, client.client_id, TO_PUBLIC);
      assert.equal(answer.status, 400);
      assert.deepEqual(reasonsOf(answer), [
        '/client_uri: Not ready to be public: client_uri has no verified host: set it, and then add the TXT record that client_uri_verification names',
        '/client_uri: Not ready to be public: client_uri is not set',
        '/logo_uri: Not ready to be public: logo_uri is not set',
        '/scopes: Not ready to be public: scopes holds no permission',
      ]);
    });

    test('beside the faults of the other fields', async () => {
      const client = await createClient(server);
      const answer = await patch(server, client.client_id, {
        ...TO_PUBLIC,
        logo_uri: 'javascript:alert(1)',
        nonsense: 1,
      });
      assertFaults(answer, [
        '4001 /logo_uri',
        '4002 /nonsense',
        '4010 /client_uri',
        '4010 /client_uri',
        '4010 /scopes',
      ]);
    });

    test('→ private changes nothing', async () => {
      const { id } = await createVerified(server, dns, READY);
      const before = await readClient(server, id);
      clock.advance(1_000);
      const answer = await patch(server, id, { visibility: 'private' });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json.result, before);
    });
  });

  describe('public', () => {
    let id: string;
    let host: string;
    let record: Json;
    before(async () => {
      ({ id, host } = await createPublic(server, dns));
      record = await readClient(server, id);
    });

    test('→ private is refused: public is permanent', async () => {
      const answer = await patch(server, id, { visibility: 'private' });
      assertFaults(answer, ['4011 /visibility']);
      assert.match(answer.json.errors[0].message, /^Public is permanent: /);
      assert.deepEqual(await readClient(server, id), record);
    });

    test('→ public changes nothing', async () => {
      clock.advance(1_000);
      const answer = await patch(server, id, TO_PUBLIC);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json.result, record);
    });

    for (const [body, fault] of [
      [{ client_name: '' }, '4001 /client_name'],
      [{ logo_uri: null }, '4001 /logo_uri'],
      [{ logo_uri: '' }, '4001 /logo_uri'],
      [{ client_uri: null }, '4001 /client_uri'],
      [{ client_uri: '' }, '4001 /client_uri'],
      [{ scopes: [] }, '4001 /scopes'],
      [{ scopes: ['openid', 'profile', 'email'] }, '4001 /scopes'],
      [{ client_uri: 'https://other.example/' }, '4012 /client_uri'],
      [{ client_uri: 'http://localhost/' }, '4012 /client_uri'],
    ] as const) {
      test(`what the promotion needed stays: ${JSON.stringify(body)}`, async () => {
        const answer = await patch(server, id, body);
        assertFaults(answer, [fault]);
        assert.deepEqual(await readClient(server, id), record);
      });
    }

    test('nor a host below, above or beside its own', async () => {
      for (const other of [`www.${host}`, host.slice(1), `${host}.evil.example`, 'example']) {
        const answer = await patch(server, id, { client_uri: `https://${other}/` });
        assertFaults(answer, ['4012 /client_uri']);
        assert.match(answer.json.errors[0].message, new RegExp(`must keep the host ${host}:`));
      }
    });

    test('all of that at once', async () => {
      const answer = await patch(server, id, {
        visibility: 'private',
        logo_uri: null,
        scopes: [],
        client_uri: 'https://other.example/',
      });
      assertFaults(answer, [
        '4001 /logo_uri',
        '4001 /scopes',
        '4011 /visibility',
        '4012 /client_uri',
      ]);
    });

    test('another page of its host is fine, and the host stays verified with the same code', async () => {
      const { id: own, host: ownHost } = await createPublic(server, dns);
      const before = await verificationOf(server, own);
      for (const client_uri of [
        `https://${ownHost}/about`,
        `https://${ownHost.toUpperCase()}/`,
        `https://${ownHost}:8443/`,
      ]) {
        const answer = await patch(server, own, { client_uri });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.result.client_uri, client_uri);
        assert.equal(answer.json.result.visibility, 'public');
        assert.deepEqual(answer.json.result.client_uri_verification, before);
      }
    });

    test('its host is frozen even when its verification is gone', async () => {
      const { id: own, host: ownHost } = await createPublic(server, dns);
      await server.app.database.transaction(async (tx) => {
        await tx.deleteFrom('oauth_client_verifications').where('client_id', '=', own).execute();
      });
      const moved = await patch(server, own, { client_uri: `https://${newHost()}/` });
      assertFaults(moved, ['4012 /client_uri']);
      assert.equal((await patch(server, own, { client_uri: `https://${ownHost}/a` })).status, 200);
    });

    test('everything else changes as ever', async () => {
      const { id: own } = await createPublic(server, dns);
      const body = {
        client_name: 'Renamed',
        logo_uri: 'https://cdn.example.com/other.png',
        scopes: ['tags.write', 'openid'],
        policy_uri: 'https://other.example/policy',
      };
      const answer = await patch(server, own, body);
      assert.equal(answer.status, 200, answer.text);
      for (const [field, value] of Object.entries(body)) {
        assert.deepEqual(answer.json.result[field], value);
      }
      const gone = await patch(server, own, { policy_uri: null });
      assert.equal(gone.status, 200, gone.text);
    });

    test('it stays public when its record is gone for days', async () => {
      const { id: own, host: ownHost } = await createPublic(server, dns);
      dns.set(ownHost, { rcode: 'NXDOMAIN' });
      for (let day = 0; day < 3; day++) await lookAfter(server, clock, own, DAY_MS);
      const client = await readClient(server, own);
      assert.equal(client.visibility, 'public');
      assert.equal(client.client_uri_verification.status, 'verified');
      assert.ok(client.client_uri_verification.warning);
    });
  });

  test('of many promotions at once each succeeds and one is logged', async () => {
    const { id } = await createVerified(server, dns, READY);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => patch(server, id, TO_PUBLIC)),
    );
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    const rows = await auditOf(server, id);
    assert.equal(rows.filter((row) => row.action_type === 'promote').length, 1);
  });

  test('a promotion and the move to another host at once: one of them is refused', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await createVerified(server, dns, READY);
      const answers = await Promise.all([
        patch(server, id, TO_PUBLIC),
        patch(server, id, { client_uri: `https://${newHost()}/` }),
      ]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
    }
  });
});
