import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConnectionTarget,
  isNamed,
  isOpened,
  parseAllowedTarget,
} from '../../src/lib/allowed-targets.ts';

function targets(...texts: string[]) {
  return texts.map((text) => parseAllowedTarget(text) ?? assert.fail(text));
}

const to = (host: string, port = 443, address = host): ConnectionTarget => ({
  host,
  address,
  port,
});

test('what is no target', () => {
  for (const text of [
    '',
    ':80',
    'host:',
    'host:0',
    'host:65536',
    'host:http',
    'host:80:90',
    'http://host',
    'host/path',
    'user@host',
    'ho st',
    '-host',
    'host-',
    'a..b',
    '.host',
    'höst',
    '127.1',
    '0x7f000001',
    '2130706433',
    '10.0.0.0/33',
    '10.0.0.0/8:80',
    '::1:80:x',
    'fe80::1%0',
    '[fe80::1%0]:80',
    '[::1]:0',
    `${'a.'.repeat(126)}ab`,
  ]) {
    assert.equal(parseAllowedTarget(text), undefined, text);
  }
});

test('a host may have any address, and a port', () => {
  const allowed = targets('ollama.internal:11434', 'my_service', 'Files.Example.');
  for (const target of [
    to('ollama.internal', 11_434, '10.0.0.5'),
    to('my_service', 80, '127.0.0.1'),
    to('my_service', 1, 'fd00::1'),
    to('files.example', 443, '169.254.169.254'),
  ]) {
    assert.ok(isOpened(target, allowed), target.host);
  }
  for (const target of [
    to('ollama.internal', 11_435, '10.0.0.5'),
    to('sub.ollama.internal', 11_434, '10.0.0.5'),
    to('internal', 11_434, '10.0.0.5'),
    to('my-service', 80, '127.0.0.1'),
    to('10.0.0.5', 11_434),
  ]) {
    assert.ok(!isOpened(target, allowed), target.host);
  }
  assert.ok(!isOpened(to('ollama.internal', 1, '8.8.8.8'), allowed));
  assert.ok(!isOpened(to('ollama.internal', 1, 'ollama.internal'), allowed));
  assert.ok(!isOpened(to('8.8.8.8', 1), allowed));
  assert.ok(isNamed('my_service', 1, allowed));
  assert.ok(!isNamed('10.0.0.5', 1, targets('10.0.0.5')));
});

test('an address may have a port, a range is open on all', () => {
  const allowed = targets(
    '10.0.0.5:8080',
    '[fd00::1]:8080',
    '192.168.0.0/16',
    '[::1]',
    '127.0.0.1',
  );
  for (const [host, port] of [
    ['10.0.0.5', 8_080],
    ['fd00::1', 8_080],
    ['192.168.3.4', 1],
    ['::1', 65_535],
    ['127.0.0.1', 80],
  ] as const) {
    assert.ok(isOpened(to(host, port), allowed), host);
  }
  for (const [host, port] of [
    ['10.0.0.5', 8_081],
    ['10.0.0.6', 8_080],
    ['fd00::1', 80],
    ['fd00::2', 8_080],
  ] as const) {
    assert.ok(!isOpened(to(host, port), allowed), host);
  }
});
