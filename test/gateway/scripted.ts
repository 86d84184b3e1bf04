import assert from 'node:assert/strict';
import type { Clock } from '../../src/lib/clock.ts';
import type { TestDatabase } from '../support/databases.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import {
  type Answer,
  type CallOptions,
  type Json,
  type TestServer,
  bootServer,
  request,
} from '../support/server.ts';
import { gatewayBody, gatewayUpdate } from './gateway-bodies.ts';

export const MESSAGES = [{ role: 'user', content: 'hello' }];

/** One provider call of a universal request. */
export interface Entry {
  provider: string;
  endpoint: string;
  query: unknown;
  headers?: Record<string, string>;
  config?: Record<string, unknown>;
}

/**
 * A server whose providers `openai`, `groq`, `anthropic` and `workers-ai` are one scripted upstream,
 * all but the first below a path of their own; `mistral` is not there, and `xai` does not speak TLS.
 */
export interface ScriptedBench {
  server: TestServer;
  upstream: ScriptedUpstream;
  /** A chat completion over the REST API. */
  complete(model: string, headers?: Record<string, string>, extra?: object): Promise<Answer>;
  /** Any path of the gateway host. */
  callHost(method: string, path: string, options?: CallOptions): Promise<Answer>;
  callUniversal(entries: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates or changes a gateway. */
  createGateway(id: string, fields?: object): Promise<void>;
  updateGateway(id: string, fields?: object): Promise<void>;
  /** Log rows, newest first. */
  logs(gatewayId?: string): Promise<Json[]>;
  /** The newest log row of the gateway `default`. */
  lastLog(): Promise<Json>;
  /** A chat completion whose provider has the Anthropic API. */
  translate(model: string, extra?: object): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startScripted(
  database: TestDatabase,
  {
    settings = {},
    clock,
    dataDir,
  }: { settings?: Record<string, string>; clock?: Clock; dataDir?: string } = {},
): Promise<ScriptedBench> {
  const upstream = await startScriptedUpstream();
  const server = await bootServer(database, {
    settings: {
      PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1`,
      PROVIDER_OPENAI_API_KEY: 'sk-openai',
      PROVIDER_GROQ_BASE_URL: `${upstream.origin}/groq`,
      PROVIDER_GROQ_API_KEY: 'sk-groq',
      PROVIDER_ANTHROPIC_BASE_URL: `${upstream.origin}/anthropic`,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
      PROVIDER_WORKERS_AI_BASE_URL: `${upstream.origin}/workers-ai`,
      PROVIDER_WORKERS_AI_API_KEY: 'sk-workers',
      PROVIDER_MISTRAL_BASE_URL: 'http://127.0.0.1:1',
      PROVIDER_XAI_BASE_URL: upstream.origin.replace('http:', 'https:'),
      UPSTREAM_HEADERS_TIMEOUT_MS: '600',
      UPSTREAM_IDLE_TIMEOUT_MS: '600',
      ...settings,
    },
    ...(clock === undefined ? {} : { clock }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  const credential = { 'cf-aig-authorization': `Bearer ${server.token}` };
  const gateways = `${server.account}/ai-gateway/gateways`;
  const bench: ScriptedBench = {
    server,
    upstream,
    complete: (model, headers = {}, extra = {}) =>
      server.call('POST', `${server.account}/ai/v1/chat/completions`, {
        headers,
        body: {
          model: model.includes('/') ? model : `openai/${model}`,
          messages: MESSAGES,
          ...extra,
        },
      }),
    callHost: (method, path, { headers, ...options } = {}) =>
      request(method, `${server.origin}/v1/${server.accountId}/${path}`, {
        ...options,
        headers: { ...credential, ...headers },
      }),
    callUniversal: (entries, headers = {}) =>
      bench.callHost('POST', 'default', { body: entries, headers }),
    async createGateway(id, fields = {}) {
      const body = gatewayBody(id, fields);
      const { status, text } = await server.call('POST', gateways, { body });
      assert.equal(status, 200, text);
    },
    async updateGateway(id, fields = {}) {
      const body = gatewayUpdate(fields);
      const { status, text } = await server.call('PUT', `${gateways}/${id}`, { body });
      assert.equal(status, 200, text);
    },
    async logs(gatewayId = 'default') {
      return (await server.call('GET', `${gateways}/${gatewayId}/logs?per_page=50`)).json.result;
    },
    lastLog: async () => (await bench.logs())[0],
    translate: (model, extra = {}) =>
      bench.complete(`anthropic/${model}`, {}, { max_tokens: 10, ...extra }),
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
  await bench.createGateway('default');
  return bench;
}

/** An entry of a universal request for a chat completion. */
export function entryOf(provider: string, model: string, rest: Partial<Entry> = {}): Entry {
  return { provider, endpoint: 'chat/completions', query: { model, messages: MESSAGES }, ...rest };
}
