import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { clientAddresses } from '../../src/http/client-address.ts';
import { onEachDatabase } from '../support/databases.ts';
import { allowPolicy, bootServer } from '../support/server.ts';

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];

/** A fresh request object, since the result is stored in it. */
function addressOf(peer: string | undefined, forwarded?: string): string {
  const request = {
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage;
  return clientAddresses(PROXIES)(request);
}

describe('client address', () => {
  for (const [sent, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:41234', '203.0.113.7'],
    ['[2001:db8::7]:41234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:DB8:0::7', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,203.0.113.7:1 , 10.1.2.3:99', '203.0.113.7'],
    ['198.51.100.1, , 10.1.2.3,', '198.51.100.1'],
    ['10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['198.51.100.1, unknown', 'unknown'],
    ['198.51.100.1, unknown, 10.0.0.8', 'unknown'],
    ['', '10.0.0.1'],
    [' , ', '10.0.0.1'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['localhost', 'unknown'],
    ['203.0.113.7:x', 'unknown'],
    ['203.0.113.7:123456', 'unknown'],
    ['203.0.113', 'unknown'],
    ['0x7f.1', 'unknown'],
    ['203.0.113.007', 'unknown'],
    ['[203.0.113.7', 'unknown'],
    ['x'.repeat(300), 'unknown'],
    ['<script>', 'unknown'],
  ] as const) {
    test(`x-forwarded-for: ${sent.slice(0, 60)} → ${expected}`, () => {
      assert.equal(addressOf('10.0.0.1', sent), expected);
      assert.equal(addressOf('::ffff:10.0.0.1', sent), expected);
      if (expected !== '10.0.0.1') assert.equal(addressOf('2001:db8:ffff::1', sent), expected);
    });
  }

  test('the header of a peer that is not a trusted proxy is ignored', () => {
    assert.equal(addressOf('198.51.100.1', '203.0.113.7'), '198.51.100.1');
    assert.equal(addressOf('::ffff:198.51.100.1', '203.0.113.7'), '198.51.100.1');
    assert.equal(addressOf(undefined, '203.0.113.7'), 'unknown');
  });

  test('clients cannot choose their address, and the result is an address or "unknown"', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.ipV4(), fc.nat(99_999), (sent, last, port) => {
        fc.pre(!last.startsWith('10.'));
        // A trusted proxy appends the address from which it was called.
        assert.equal(addressOf('10.0.0.1', `${sent}, ${last}:${port}`), last);
        const alone = addressOf('10.0.0.1', sent);
        assert.ok(alone === 'unknown' || isIP(alone) !== 0, alone);
        assert.equal(addressOf('198.51.100.1', sent), '198.51.100.1');
      }),
    );
  });
});

onEachDatabase((database) => {
  test('the whole server uses one form of the address', async (t) => {
    const server = await bootServer(database, { settings: { TRUST_PROXY: '127.0.0.1' } });
    t.after(() => server.stop());
    const policies = [allowPolicy(server.accountId, ['api-tokens.read', 'audit-logs.read'])];
    const condition = { request_ip: { in: ['203.0.113.0/24', '2001:db8::/32'] } };
    const { json } = await server.call('POST', `${server.account}/tokens`, {
      body: { name: 'limited', policies, condition },
    });
    const { id, value } = json.result as { id: string; value: string };
    const from = async (address: string, path = '/tokens'): Promise<number> => {
      const headers = { 'x-forwarded-for': address };
      return (await server.call('GET', server.account + path, { token: value, headers })).status;
    };
    assert.equal(await from('203.0.113.7:41234'), 200);
    assert.equal(await from('[2001:db8::7]:41234'), 200);
    assert.equal(await from('203.0.114.7:41234'), 403);
    assert.equal(await from('unknown'), 403);
    assert.equal(await from('x'.repeat(300)), 403);
    // Reading members requires another permission, so that the refusal is in the audit log.
    assert.equal(await from('203.0.113.8:41234', '/members'), 403);

    const logged = server.logLines
      .map((line) => JSON.parse(line) as { msg: string; ip?: string })
      .filter(({ msg, ip }) => msg === 'request' && ip !== '127.0.0.1')
      .map(({ ip }) => ip);
    assert.deepEqual(
      new Set(logged),
      new Set(['203.0.113.7', '2001:db8::7', '203.0.114.7', 'unknown', '203.0.113.8']),
    );
    const { json: audit } = await server.call(
      'GET',
      `${server.account}/logs/audit?since=2020-01-01T00:00:00Z&before=2100-01-01T00:00:00Z`,
    );
    const rows = audit.result as { actor: { token_id?: string; ip_address: string } }[];
    const addresses = rows
      .filter(({ actor }) => actor.token_id === id)
      .map(({ actor }) => actor.ip_address);
    assert.ok(addresses.includes('203.0.113.8'), JSON.stringify(addresses));
    assert.ok(addresses.every((address) => address === 'unknown' || isIP(address) !== 0));
  });
});
