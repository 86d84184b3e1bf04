import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRanges, isPublicAddress, parseAddressRange } from '../../src/lib/address-ranges.ts';

function ranges(...texts: string[]) {
  return texts.map((text) => parseAddressRange(text) ?? assert.fail(text));
}

test('only addresses of the public Internet', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1']) {
    assert.ok(isPublicAddress(address), address);
  }
  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '',
  ]) {
    assert.ok(!isPublicAddress(address), address);
  }
});

test('what is allowed besides, to the last bit', () => {
  const allowed = ranges('127.0.0.1', '10.1.0.0/16', 'fd00::/8', '::1');
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.255', 'fd12::1', '::1']) {
    assert.ok(isInRanges(address, allowed), address);
  }
  for (const address of ['127.0.0.2', '10.2.0.0', '10.0.255.255', 'fc00::1', '::2', '::']) {
    assert.ok(!isInRanges(address, allowed), address);
  }
  assert.ok(!isInRanges('localhost', ranges('0.0.0.0/0', '::/0')));
});

test('what is no range', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::1/129',
    'fe80::1%0',
  ]) {
    assert.equal(parseAddressRange(text), undefined, text);
  }
});
