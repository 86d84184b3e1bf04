import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSecret } from '../../src/lib/secrets.ts';
import { type TestServer, bootServer, request } from '../support/server.ts';

const RANDOM = 'Zq7Lw2Nc9Rt4Vb6Xm1Kd8Hs3Jf5Gp0YaUeIo';

let server: TestServer;
before(async () => {
  server = await bootServer('sqlite');
});
after(() => server.stop());

/** The path as the access log has it. */
async function loggedPath(path: string): Promise<string> {
  const { headers } = await request('GET', server.origin + path);
  const find = () =>
    server.logLines.find((line) => JSON.parse(line).reqId === headers.get('x-request-id'));
  // The line is written when the response is out, which may be after the client has read it.
  while (find() === undefined) await request('GET', `${server.origin}/healthz`);
  return JSON.parse(find() ?? '').path;
}

// Whoever mistakes where a credential belongs must not find it in the log.
const credentials: [string, string][] = [
  ['a token of ours', createSecret('lkat_')],
  ['a key of Google', `AIza${RANDOM.slice(0, 35)}`],
  ['a key of OpenAI', `sk-proj-${RANDOM}`],
  ['a signed token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${RANDOM}`],
];
for (const [whose, credential] of credentials) {
  test(`${whose} in an address stays out of the access log`, async () => {
    const gateway = `/v1/${server.accountId}/default/local`;
    assert.equal(await loggedPath(`${gateway}/${credential}/x`), `${gateway}/[redacted]/x`);
    assert.equal(await loggedPath(`${gateway}/x?key=${credential}`), `${gateway}/x`);
    assert.equal(await loggedPath(`/nowhere/%22${credential}%22`), '/nowhere/%22[redacted]%22');
    assert.equal(await loggedPath(`/%zz/${credential}`), '/%zz/[redacted]');
    assert.equal(server.logLines.join('').includes(credential), false);
  });
}

test('any other path is logged as it came', async () => {
  for (const path of ['/healthz', `/client/v4/accounts/${server.accountId}/tokens`, '/a%20b/ü~']) {
    assert.equal(await loggedPath(path), new URL(server.origin + path).pathname);
  }
});
