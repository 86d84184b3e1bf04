import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { bootServer } from '../support/server.ts';

const ECHOED = 'the prompt, echoed by a provider';

test('what a provider says instead of HTTP is not in the log of the server', async (t) => {
  const provider = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: none\r\n\r\n${ECHOED}`));
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  t.after(() => provider.close());
  const { port } = provider.address() as AddressInfo;
  const server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_BASE_URL: `http://127.0.0.1:${port}`,
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
    },
  });
  t.after(() => server.stop());

  const answer = await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
    body: { model: 'openai/model', messages: [] },
  });
  assert.equal(answer.status, 502);
  const reported = server.logLines.filter((line) => line.includes('the provider failed'));
  assert.equal(reported.length, 1);
  assert.match(reported.join(''), /HTTPParserError/);
  assert.equal(server.logLines.join('').includes(ECHOED), false);
});
