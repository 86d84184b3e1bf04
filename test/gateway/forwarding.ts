import type { TestDatabase } from '../support/databases.ts';
import { type Answer, type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { type RecordedRequest, type Upstream, startUpstream } from '../support/upstream-process.ts';

export const MESSAGES = [{ role: 'user', content: 'hello' }];

/** A server that forwards to a provider in a process of its own, with short timeouts. */
export interface ForwardingBench {
  server: TestServer;
  upstream: Upstream;
  /** Address of the chat completions of the REST API. */
  completions: string;
  /** Address of the provider on the gateway host. */
  native: string;
  complete(model: string, headers?: Record<string, string>): Promise<Answer>;
  callNative(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** What the provider was sent last. */
  lastRecorded(): Promise<RecordedRequest>;
  /** The newest log row. */
  lastLog(): Promise<Json>;
  stop(): Promise<void>;
}

export async function startForwarding(database: TestDatabase): Promise<ForwardingBench> {
  const upstream = await startUpstream();
  const server = await bootServer(database, {
    settings: {
      PROVIDER_OPENAI_BASE_URL: `${upstream.baseUrl}/`,
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
      UPSTREAM_HEADERS_TIMEOUT_MS: '700',
      UPSTREAM_IDLE_TIMEOUT_MS: '700',
      GATEWAY_BODY_LIMIT_BYTES: '4096',
    },
  });
  const completions = `${server.baseUrl}${server.account}/ai/v1/chat/completions`;
  const native = `${server.origin}/v1/${server.accountId}/default/openai`;
  const complete: ForwardingBench['complete'] = (model, headers = {}) =>
    request('POST', completions, {
      token: server.token,
      headers,
      body: { model: `openai/${model}`, messages: MESSAGES },
    });
  // The gateway "default" appears at its first use.
  await complete('plain');
  return {
    server,
    upstream,
    completions,
    native,
    complete,
    callNative: (method, path, options = {}) =>
      request(method, `${native}/${path}`, {
        body: options.body,
        headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...options.headers },
      }),
    lastRecorded: () => upstream.lastSent(),
    async lastLog() {
      const path = `${server.account}/ai-gateway/gateways/default/logs?per_page=1`;
      return (await server.call('GET', path)).json.result[0];
    },
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
}
