import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { DnsServer } from '../support/dns-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import {
  createVerifiable,
  lookNow,
  newHost,
  untilChecked,
  untilStatus,
} from './verification-clients.ts';

describe('settings of the verification', () => {
  test('DNS_SERVERS: addresses with a port or without', () => {
    const read = (value: string) => readSettings({ LATCHKEY_DNS_SERVERS: value }).DNS_SERVERS;
    assert.deepEqual(read(''), []);
    const good = [
      '192.0.2.1',
      '192.0.2.1:1',
      '192.0.2.1:65535',
      '2001:db8::1',
      '::1',
      '[2001:db8::1]',
      '[::1]:5353',
    ];
    for (const server of good) assert.deepEqual(read(server), [server]);
    assert.deepEqual(read(' 192.0.2.1 , [::1]:53 ,'), ['192.0.2.1', '[::1]:53']);
    const five = good.slice(0, 5).join(',');
    assert.equal(read(five).length, 5);
    assert.throws(
      () => read(`${five},192.0.2.6`),
      /^Error: LATCHKEY_DNS_SERVERS must have at most 5/,
    );
    for (const server of [
      'dns.example.com',
      'localhost',
      '192.0.2',
      '192.0.2.256',
      '192.0.2.1:',
      '192.0.2.1:0',
      '192.0.2.1:65536',
      '192.0.2.1:x',
      '[192.0.2.1]:53',
      '[::1',
      '::1]:53',
      '[::1]53',
      '[fe80::1%eth0]',
      'udp://192.0.2.1',
      '192.0.2.1 192.0.2.2',
    ]) {
      assert.throws(() => read(`192.0.2.9,${server}`), {
        message: `LATCHKEY_DNS_SERVERS contains "${server}", which is not an address, not "192.0.2.9,${server}"`,
      });
    }
  });

  test('the times: whole seconds within bounds', () => {
    const { VERIFICATION_POLL_SECONDS: poll, VERIFICATION_TIMEOUT_SECONDS: timeout } = readSettings(
      {},
    );
    assert.deepEqual([poll, timeout], [30, 172_800]);
    for (const [name, values] of [
      ['VERIFICATION_POLL_SECONDS', ['0', '86401', '1.5', '-1', '30s']],
      ['VERIFICATION_TIMEOUT_SECONDS', ['0', '31536001', '2d']],
    ] as const) {
      for (const value of values) {
        assert.throws(
          () => readSettings({ [`LATCHKEY_${name}`]: value }),
          new RegExp(`^Error: LATCHKEY_${name} must be a whole number`),
        );
      }
    }
    readSettings({ LATCHKEY_VERIFICATION_POLL_SECONDS: '1' });
    readSettings({ LATCHKEY_VERIFICATION_POLL_SECONDS: '86400' });
    readSettings({ LATCHKEY_VERIFICATION_TIMEOUT_SECONDS: '1' });
    readSettings({ LATCHKEY_VERIFICATION_TIMEOUT_SECONDS: '31536000' });
  });

  describe('are what the server goes by', () => {
    let server: TestServer;
    let dns: DnsServer;
    const clock = new ManualClock();
    before(async () => {
      dns = await DnsServer.start();
      server = await bootServer('sqlite', {
        clock,
        settings: {
          BRAND: 'acme',
          // The first one is not there.
          DNS_SERVERS: `127.0.0.1:9,${dns.address}`,
          VERIFICATION_POLL_SECONDS: '2',
          VERIFICATION_TIMEOUT_SECONDS: '3',
        },
      });
    });
    after(async () => {
      await server.stop();
      dns.stop();
    });

    test('brand, second resolver, first gap and end', async () => {
      const host = newHost();
      const { client_id: id, client_uri_verification: verification } = await createVerifiable(
        server,
        host,
      );
      assert.match(verification.text, /^acme_oauth_client_publisher=[0-9a-f]{32}$/);
      assert.equal(verification.expires_at, new Date(clock.now() + 3_000).toISOString());
      await untilStatus(server, id, 'in_progress');
      assert.equal(dns.asked(host), 1);
      clock.advance(1_999);
      await lookNow(server);
      clock.advance(1);
      await lookNow(server);
      await untilChecked(server, id, clock.now());
      assert.equal(dns.asked(host), 2);
      clock.advance(1_000);
      await lookNow(server);
      await untilStatus(server, id, 'failed');
      assert.equal(dns.asked(host), 3);
    });
  });
});
