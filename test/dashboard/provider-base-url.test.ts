import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBaseUrlFault } from '../../dashboard/src/lib/provider-base-url.ts';
import { readBaseUrl } from '../../src/gateway-admin/custom-providers/parse-base-url.ts';
import { parseAllowedTarget } from '../../src/lib/allowed-targets.ts';

const OWN_ORIGINS = ['https://latchkey.example.com'];

const TAKEN = [
  'https://models.example.com/v1',
  'https://models.example.com.',
  'https://models.example.com:8443/',
  'https://93.184.215.14/v1',
  'https://172.32.0.1/v1',
  'https://100.128.0.1',
  'https://[2606:4700:4700::1111]/v1',
];

/** Each with the entry by which an operator opens it. */
const OPENABLE: [url: string, entry: string][] = [
  ['http://models.example.com/v1', 'models.example.com'],
  ['http://models.example.com:8000/v1', 'models.example.com:8000'],
  ['https://localhost/v1', 'localhost'],
  ['https://box.localhost:8000', 'box.localhost:8000'],
  ['https://ollama:11434/v1', 'ollama:11434'],
  ['http://10.20.0.1/v1', '10.20.0.1'],
  ['http://127.0.0.1:8000', '127.0.0.1:8000'],
  ['https://192.168.0.7/v1', '192.168.0.7'],
  ['https://172.16.0.1/v1', '172.16.0.1'],
  ['https://100.64.0.1/v1', '100.64.0.1'],
  ['https://169.254.169.254/latest', '169.254.169.254'],
  ['https://0x7f000001/v1', '127.0.0.1'],
  ['https://224.0.0.1/v1', '224.0.0.1'],
  ['https://[::1]:8000/v1', '[::1]:8000'],
  ['https://[fd00::5]/v1', 'fd00::5'],
  ['https://[fe80::1]/v1', 'fe80::1'],
];

const REFUSED = [
  '',
  'models.example.com/v1',
  'ftp://models.example.com',
  'https://user:word@models.example.com',
  'https://models.example.com/#',
  'https://models.example.com:0/',
  'https://latchkey.example.com/v1',
];

/** What the server says where its operator has opened that. */
function isTaken(url: string, ...entries: string[]): boolean {
  const upstreamAllow = entries.map((entry) => {
    const target = parseAllowedTarget(entry);
    assert.ok(target, entry);
    return target;
  });
  return 'url' in readBaseUrl(url, { upstreamAllow, ownOrigins: () => OWN_ORIGINS });
}

describe('what is said of a base URL is what the server says', () => {
  for (const url of TAKEN) {
    test(`taken: ${url}`, () => {
      assert.deepEqual(findBaseUrlFault(url, OWN_ORIGINS), {});
      assert.equal(isTaken(url), true);
    });
  }

  for (const [url, expected] of OPENABLE) {
    test(`taken where the operator has opened it: ${url}`, () => {
      const { fault, doubt, entry } = findBaseUrlFault(url, OWN_ORIGINS);
      assert.equal(fault, undefined);
      assert.ok(doubt);
      assert.equal(entry, expected);
      assert.deepEqual([isTaken(url), isTaken(url, expected)], [false, true]);
    });
  }

  for (const url of REFUSED) {
    test(`never taken: ${url}`, () => {
      assert.ok(findBaseUrlFault(url, OWN_ORIGINS).fault);
      assert.equal(isTaken(url, 'models.example.com', 'latchkey.example.com'), false);
    });
  }
});
