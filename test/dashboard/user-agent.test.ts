import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOf } from '../../dashboard/src/lib/user-agent.ts';

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

const cases: [userAgent: string, name: string, isHandHeld?: boolean][] = [
  [`${WINDOWS} ${KIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${WINDOWS} ${KIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge on Windows'],
  [`${WINDOWS} ${KIT} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera on Windows'],
  [
    `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/143.0.0.0 Safari/537.36`,
    'Chrome on ChromeOS',
  ],
  [`${ANDROID} ${KIT} Chrome/143.0.0.0 Mobile Safari/537.36`, 'Chrome on Android', true],
  [
    `${ANDROID} ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
    true,
  ],
  [
    `${IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
    true,
  ],
  [
    `${IPHONE} (KHTML, like Gecko) CriOS/143.0.0.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
    true,
  ],
  ['curl/8.9.1', 'curl 8.9.1'],
  ['node', 'node'],
  ['', 'Unknown program'],
  ['<b>no name</b>', 'Unknown program'],
];

for (const [userAgent, name, isHandHeld = false] of cases) {
  test(`${name}: ${userAgent.slice(0, 60)}`, () => {
    assert.deepEqual(deviceOf(userAgent), { name, isHandHeld });
  });
}
