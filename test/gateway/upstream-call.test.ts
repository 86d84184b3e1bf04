import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Agent, buildConnector } from 'undici';
import { ActiveCalls } from '../../src/gateway/execution/active-calls.ts';
import { HttpClientResponse } from '../../src/gateway/ingress/http-client-response.ts';
import { callUpstream } from '../../src/gateway/execution/upstream-call.ts';
import { startFileServer } from '../support/file-server.ts';

/** A provider whose connections come about only when they are let. */
async function slowToConnect(t: TestContext) {
  const server = await startFileServer(t);
  const paths: (string | undefined)[] = [];
  server.answer = (request, response) => {
    paths.push(request.url);
    response.end();
  };
  const connect = buildConnector({});
  const asked = Promise.withResolvers<void>();
  let permit = (): void => assert.fail('nobody asks for a connection');
  const connected = Promise.withResolvers<void>();
  const agent = new Agent({
    connect(options, callback) {
      asked.resolve();
      permit = () =>
        connect(options, (...result) => {
          callback(...(result as [null, Socket]));
          connected.resolve();
        });
    },
  });
  t.after(() => agent.destroy());
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return {
    asked: asked.promise,
    response,
    /** What has been asked for once there is a connection; the last one by the test itself. */
    async pathsAfterConnecting(): Promise<(string | undefined)[]> {
      permit();
      await connected.promise;
      const url = `http://127.0.0.1:${server.port}/last`;
      await (await fetch(url)).text();
      return paths;
    },
    call(firstByteTimeoutMs?: number) {
      const client = new HttpClientResponse(response);
      return callUpstream(
        agent,
        { origin: `http://127.0.0.1:${server.port}`, path: '/call', method: 'GET' },
        {
          client,
          call: new ActiveCalls().open(client, firstByteTimeoutMs),
          idleTimeoutMs: 1_000,
          maxHoldMs: 1_000,
          probe: () => undefined,
          accept: () => assert.fail('the response is not expected'),
          report: () => {},
        },
      );
    },
  };
}

test('a call that is too late before there is a connection is not made afterwards', async (t) => {
  const upstream = await slowToConnect(t);
  await assert.rejects(upstream.call(20), { code: 2006, isSent: false });
  assert.deepEqual(await upstream.pathsAfterConnecting(), ['/last']);
});

test('nor is that of a client that has left by then', async (t) => {
  const upstream = await slowToConnect(t);
  const calling = upstream.call();
  await upstream.asked;
  upstream.response.destroy();
  assert.deepEqual(await calling, { isClosed: true, isSent: false });
  assert.deepEqual(await upstream.pathsAfterConnecting(), ['/last']);
});
