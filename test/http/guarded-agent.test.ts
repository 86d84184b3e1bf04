import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { ForbiddenAddressError, createGuardedAgent } from '../../src/http/guarded-agent.ts';
import { parseAddressRange } from '../../src/lib/address-ranges.ts';
import { startFileServer } from '../support/file-server.ts';

const TIMEOUT_MS = 5_000;

function agentThatMay(t: TestContext, ...texts: string[]) {
  const allowed = texts.map((text) => parseAddressRange(text) ?? assert.fail(text));
  const agent = createGuardedAgent(allowed, TIMEOUT_MS);
  t.after(() => agent.destroy());
  return agent;
}

test('a private address gets no connection, however it is named', async (t) => {
  const files = await startFileServer(t);
  const dispatcher = agentThatMay(t);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
  ]) {
    await assert.rejects(
      request(`http://${host}:${files.port}/`, { dispatcher }),
      ForbiddenAddressError,
      host,
    );
  }
  assert.equal(files.connections, 0);
});

test('the allowed ones do, by address and by name', async (t) => {
  const files = await startFileServer(t);
  files.answer = (_request, response) => response.end('hello');
  const dispatcher = agentThatMay(t, '127.0.0.1');
  for (const host of ['127.0.0.1', 'localhost']) {
    const { statusCode, body } = await request(`http://${host}:${files.port}/`, { dispatcher });
    assert.deepEqual([statusCode, await body.text()], [200, 'hello']);
  }
});

test('a name without an address is no answer', async (t) => {
  const dispatcher = agentThatMay(t, '127.0.0.1');
  await assert.rejects(request('http://nobody.invalid/', { dispatcher }), {
    syscall: 'getaddrinfo',
  });
});
