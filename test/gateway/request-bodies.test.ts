import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

const MIB = 1024 * 1024;

describe('request bodies of the gateway', () => {
  let server: TestServer;
  let upstream: Upstream;
  before(async () => {
    upstream = await startUpstream();
    server = await bootServer('sqlite', {
      settings: {
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        GATEWAY_BODIES_LIMIT_BYTES: String(MIB),
        GATEWAY_BODY_LIMIT_BYTES: String(2 * MIB),
        UPSTREAM_IDLE_TIMEOUT_MS: '20000',
      },
    });
  });
  after(async () => {
    await server.stop();
    await upstream.stop();
  });

  const complete = (model: string, bytes: number): Promise<Answer> => {
    const frame = { model: `openai/${model}`, messages: [{ role: 'user', content: '' }] };
    const [message] = frame.messages;
    if (message !== undefined) message.content = 'x'.repeat(bytes - JSON.stringify(frame).length);
    return request('POST', `${server.baseUrl}${server.account}/ai/v1/chat/completions`, {
      token: server.token,
      body: frame,
    });
  };

  test('one request may take all of the memory for bodies, and not a byte more', async () => {
    assert.equal((await complete('plain', MIB)).status, 200);
    const { status, code, headers } = await complete('plain', MIB + 1);
    assert.deepEqual([status, code, headers.get('retry-after')], [503, 1001, '1']);
  });

  test('what a request holds is free again when it is over; small ones always get in', async () => {
    const held = complete('streams', 700_000);
    await eventually('the provider has the body', async () => {
      return (await upstream.recorded()).at(-1)?.body.length === 700_000;
    });
    assert.equal((await complete('plain', 400_000)).status, 503);
    assert.equal((await complete('plain', 64 * 1024)).status, 200);
    await upstream.release();
    assert.equal((await held).status, 200);
    assert.equal((await complete('plain', 400_000)).status, 200);
  });
});
