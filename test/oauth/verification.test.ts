import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { DnsServer } from '../support/dns-server.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { createClient, patch } from './client-bodies.ts';
import {
  auditOf,
  createUnverified,
  createVerifiable,
  createVerified,
  lookAfter,
  newHost,
  readClient,
  untilLookedThrough,
  untilStatus,
  verificationOf,
} from './verification-clients.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 2 * DAY_MS;

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

  describe('what the record of a client tells', () => {
    test('pending and the text before the first look-up, then verified', async () => {
      const host = newHost();
      const gate = Promise.withResolvers<void>();
      let text = '';
      dns.set(host, async () => {
        await gate.promise;
        return { txt: [text] };
      });
      const client = await createVerifiable(server, host);
      const { client_uri_verification: pending } = client;
      ({ text } = pending);
      assert.match(text, /^latchkey_oauth_client_publisher=[0-9a-f]{32}$/);
      const common = { text, host };
      assert.deepEqual(pending, {
        ...common,
        status: 'pending',
        expires_at: new Date(clock.now() + TIMEOUT_MS).toISOString(),
        last_checked_at: null,
      });
      await dns.untilAsked(host);
      assert.deepEqual(await verificationOf(server, client.client_id), pending);
      gate.resolve();
      const now = new Date(clock.now()).toISOString();
      assert.deepEqual(await untilStatus(server, client.client_id, 'verified'), {
        ...common,
        status: 'verified',
        last_checked_at: now,
        verified_at: now,
      });
      const listed = await server.call('GET', `${server.account}/oauth_clients`);
      const inList = listed.json.result.find((each: Json) => each.client_id === client.client_id);
      assert.equal(inList.client_uri_verification.status, 'verified');
    });

    test('nothing without client_uri', async () => {
      assert.equal('client_uri_verification' in (await createClient(server)), false);
    });

    test('in_progress with the reason after a look-up in vain', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      const verification = await verificationOf(server, id);
      assert.equal(verification.problem, `${host} has no TXT record`);
      assert.equal(verification.last_checked_at, new Date(clock.now()).toISOString());
      assert.equal('verified_at' in verification, false);
    });

    test('the poller leaves updated_at alone', async () => {
      const { client_id: id, updated_at: updatedAt } = await createUnverified(server);
      await lookAfter(server, clock, id, 30 * SECOND_MS);
      assert.equal((await readClient(server, id)).updated_at, updatedAt);
    });
  });

  describe('what DNS may say', () => {
    const found: [string, (text: string, host: string) => Parameters<DnsServer['set']>[1]][] = [
      ['the one record', (text) => ({ txt: [text] })],
      ['one of several', (text) => ({ txt: ['v=spf1 -all', `${text}0`, text, 'other'] })],
      ['a record of several strings', (text) => ({ txt: [[text.slice(0, 9), '', text.slice(9)]] })],
      ['behind an alias', (text) => ({ cname: 'target.example.net', txt: [text] })],
      [
        'over TCP, with much else',
        (text) => ({ truncated: true, txt: [...Array(40).fill('x'.repeat(200)), text] }),
      ],
    ];
    for (const [name, reply] of found) {
      test(`found: ${name}`, async () => {
        const host = newHost();
        const { client_id: id, client_uri_verification: before } = await createUnverified(
          server,
          host,
        );
        dns.set(host, reply(before.text, host));
        const verification = await lookAfter(server, clock, id, 30 * SECOND_MS);
        assert.equal(verification.status, 'verified');
        assert.equal(verification.text, before.text);
        assert.equal('problem' in verification, false);
        assert.equal('expires_at' in verification, false);
      });
    }

    test('found: an internationalised host, asked for in punycode', async () => {
      const host = `xn--mnchen-3ya.${newHost()}`;
      const { client_id: id, client_uri_verification: before } = await createUnverified(
        server,
        host,
      );
      assert.equal(before.host, host);
      dns.set(host, { txt: [before.text] });
      assert.equal((await lookAfter(server, clock, id, 30 * SECOND_MS)).status, 'verified');
    });

    test('found: a host that is written in capital letters, with a port', async () => {
      const host = newHost();
      const client_uri = `https://${host.toUpperCase()}:8443/`;
      const verified = await createVerified(server, dns, { client_uri }, host);
      assert.equal((await verificationOf(server, verified.id)).host, host);
    });

    const notYet: [string, (text: string) => Parameters<DnsServer['set']>[1], RegExp][] = [
      ['no such name', () => ({ rcode: 'NXDOMAIN' }), /has no TXT record$/],
      ['a name without TXT records', () => ({ txt: [] }), /has no TXT record$/],
      ['another code', (text) => ({ txt: [text.replace(/=.*/, `=${'0'.repeat(32)}`)] }), /none of/],
      ['the code alone', (text) => ({ txt: [text.replace(/.*=/, '')] }), /none of/],
      ['something before it', (text) => ({ txt: [`x${text}`] }), /none of/],
      ['something behind it', (text) => ({ txt: [`${text}0`] }), /none of/],
      ['a blank behind it', (text) => ({ txt: [`${text} `] }), /none of/],
      ['quotes around it', (text) => ({ txt: [`"${text}"`] }), /none of/],
      ['capital letters', (text) => ({ txt: [text.toUpperCase()] }), /none of/],
      ['a part of it', (text) => ({ txt: [text.slice(0, -1)] }), /none of/],
      [
        'in two records instead of two strings',
        (text) => ({ txt: [text.slice(0, 20), text.slice(20)] }),
        /none of/,
      ],
      ['SERVFAIL', () => ({ rcode: 'SERVFAIL' }), /^the DNS lookup of /],
      ['a refusal', () => ({ rcode: 'REFUSED' }), /^the DNS lookup of /],
    ];
    for (const [name, reply, problem] of notYet) {
      test(`not yet: ${name}`, async () => {
        const host = newHost();
        const { client_id: id, client_uri_verification: before } = await createUnverified(
          server,
          host,
        );
        dns.set(host, reply(before.text));
        const verification = await lookAfter(server, clock, id, 30 * SECOND_MS);
        assert.equal(verification.status, 'in_progress');
        assert.match(verification.problem, problem);
        // And it goes on.
        dns.set(host, { txt: [before.text] });
        assert.equal((await lookAfter(server, clock, id, 60 * SECOND_MS)).status, 'verified');
      });
    }

    test('a silent server keeps no other look-up waiting', async () => {
      const silent = newHost();
      const end = Promise.withResolvers<undefined>();
      dns.set(silent, () => end.promise.then(() => ({ txt: [] })));
      const waiting = await createVerifiable(server, silent);
      await dns.untilAsked(silent);
      await untilLookedThrough(server, dns);
      assert.equal((await verificationOf(server, waiting.client_id)).status, 'pending');
      end.resolve(undefined);
      await untilStatus(server, waiting.client_id, 'in_progress');
    });

    test('more look-ups than are made at once for one account', async () => {
      const gate = Promise.withResolvers<void>();
      const clients = await Promise.all(
        Array.from({ length: 120 }, async () => {
          const host = newHost();
          const text = Promise.withResolvers<string>();
          dns.set(host, async () => {
            await gate.promise;
            return { txt: [await text.promise] };
          });
          const client = await createVerifiable(server, host);
          text.resolve(client.client_uri_verification.text);
          return { id: client.client_id, host };
        }),
      );
      await eventually('as many as possible run', async () => {
        return clients.filter(({ host }) => dns.asked(host) > 0).length === 10;
      });
      gate.resolve();
      for (const { id } of clients) await untilStatus(server, id, 'verified');
    });
  });

  describe('hosts that nobody can verify', () => {
    for (const [uri, host, reason] of [
      ['https://192.0.2.7/app', '192.0.2.7', /is an address/],
      ['http://127.0.0.1:3000/', '127.0.0.1', /is an address/],
      ['http://[::1]:3000/', '[::1]', /is an address/],
      ['https://[2001:db8::1]/', '[2001:db8::1]', /is an address/],
      ['http://localhost:3000/', 'localhost', /every machine itself/],
      ['https://app.localhost/', 'app.localhost', /every machine itself/],
    ] as const) {
      test(`${uri} has failed at once, with the reason`, async () => {
        const client = await createClient(server, { client_uri: uri });
        const { client_uri_verification: verification } = client;
        assert.equal(verification.status, 'failed');
        assert.equal(verification.host, host);
        assert.match(verification.problem, reason);
        assert.equal('expires_at' in verification, false);
        // To send it again changes nothing.
        const again = await patch(server, client.client_id, { client_uri: uri });
        const { client_secret: _secret, ...record } = client;
        assert.deepEqual(again.json.result, record);
        const refused = await patch(server, client.client_id, { visibility: 'public' });
        assert.ok(refused.json.errors.some(({ message }: Json) => reason.test(message)));
      });
    }

    test('other names are looked up, whatever they look like', async () => {
      for (const host of ['localhost.example', 'notlocalhost', '127.0.0.1.example']) {
        const client = await createVerifiable(server, host);
        await untilStatus(server, client.client_id, 'in_progress');
      }
    });
  });

  describe('a client is deleted', () => {
    test('its verification goes with it, and is not looked up again', async () => {
      const host = newHost();
      const { client_id: id } = await createUnverified(server, host);
      await server.call('DELETE', `${server.account}/oauth_clients/${id}`);
      const rows = await server.app.database.read
        .selectFrom('oauth_client_verifications')
        .select('client_id')
        .where('client_id', '=', id)
        .execute();
      assert.deepEqual(rows, []);
      clock.advance(DAY_MS);
      await untilLookedThrough(server, dns);
      assert.equal(dns.asked(host), 1);
    });

    test('while it is looked up: nothing comes of it, not even trouble', async () => {
      const host = newHost();
      const gate = Promise.withResolvers<void>();
      let text = '';
      dns.set(host, async () => {
        await gate.promise;
        return { txt: [text] };
      });
      const client = await createVerifiable(server, host);
      ({ text } = client.client_uri_verification);
      await dns.untilAsked(host);
      await server.call('DELETE', `${server.account}/oauth_clients/${client.client_id}`);
      gate.resolve();
      await untilLookedThrough(server, dns);
      const types = (await auditOf(server, client.client_id)).map((row) => row.action_type);
      assert.deepEqual(types, ['create', 'delete']);
    });
  });

  test('nothing of all this was trouble for the server', () => {
    const errors = server.logLines.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors, []);
  });
});
