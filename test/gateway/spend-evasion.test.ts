import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { eventually } from '../support/eventually.ts';
import { type Json, type TestServer, bootServer, request } from '../support/server.ts';
import { gatewayBody } from './gateway-bodies.ts';

const DEAR = 'gpt-4o';
const USAGE = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 };
const CHAT = 'chat/completions';

/** A provider that understands whatever any provider may, and counts what it has served. */
class LenientProvider {
  /** Calls of the dear model. */
  served = 0;
  /** Streams of the dear model whose usage nobody asked for. */
  uncounted = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        let body = Buffer.concat(chunks);
        if (incoming.headers['content-encoding'] === 'gzip') {
          const { gunzipSync } = await import('node:zlib');
          body = gunzipSync(body);
        }
        const path = decodeURIComponent(incoming.url ?? '').replaceAll(/\/+/g, '/');
        let asked: Json;
        try {
          asked = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
        } catch {
          asked = undefined;
        }
        if (asked?.model !== DEAR || !/\/completions\/?(?:\?|$)/.test(path)) {
          response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{}}');
          return;
        }
        this.served++;
        const isStream = asked.stream === true || asked.stream === 1 || asked.stream === 'true';
        const id = { id: 'c', created: 1, model: DEAR };
        if (!isStream) {
          const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' } }];
          const answer = { ...id, object: 'chat.completion', choices, usage: USAGE };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(answer));
          return;
        }
        const tells = asked.stream_options?.include_usage === true;
        if (!tells) this.uncounted++;
        const chunk = { ...id, object: 'chat.completion.chunk' };
        const events = [
          { ...chunk, choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] },
          ...(tells ? [{ ...chunk, choices: [], usage: USAGE }] : []),
        ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${events.join('')}data: [DONE]\n\n`);
      })();
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A body as an attacker writes it: members in some order, some of them decoys. */
const member = fc.oneof(
  fc.constantFrom(
    '"model":"none-such"',
    String.raw`"mod\u0065l":"none-such"`,
    '"metadata":{"model":"none-such"}',
    '"tools":[{"type":"function","function":{"name":"f","parameters":{"model":"none-such"}}}]',
    '"user":"\\"model\\":\\"none-such\\""',
    '"stream":true',
    '"stream":false',
    String.raw`"str\u0065am":true`,
    '"stream":1',
    '"stream":"true"',
    '"data_sources":null',
    '"data_sources":[]',
    '"stream_options":{}',
    '"stream_options":null',
    '"stream_options":[]',
    '"stream_options":{"include_usage":false}',
    '"stream_options":{"include_usage":0}',
    '"stream_options":{"include_usage":true,"include_usage":false}',
    String.raw`"stream_options":{"include\u005fusage":false}`,
    String.raw`"stream\u005foptions":{"include_usage":null}`,
  ),
);
const space = fc.constantFrom('', ' ', '\n\t', ' '.repeat(70_000));
const attack = fc.record({
  members: fc.array(member, { maxLength: 4 }),
  position: fc.nat(4),
  model: fc.constantFrom('"model"', String.raw`"m\u006fdel"`),
  space,
  prefix: fc.constantFrom('', ' ', '\uFEFF'),
  isCompressed: fc.boolean(),
  entry: fc.constantFrom('rest', 'native', 'compat', 'universal'),
  path: fc.constantFrom(CHAT, `${CHAT}/`, `${CHAT}?a=b`, 'chat/%63ompletions', 'chat//completions'),
  contentType: fc.constantFrom(
    'application/json',
    'application/json;charset=utf-8',
    'text/plain',
    'audio/mpeg',
  ),
});

type Attack = typeof attack extends fc.Arbitrary<infer T> ? T : never;

describe('a caller that hides which model it uses, or that it streams', () => {
  const provider = new LenientProvider();
  let server: TestServer;
  before(async () => {
    server = await bootServer('sqlite', {
      settings: {
        PROVIDER_OPENAI_BASE_URL: await provider.start(),
        PROVIDER_OPENAI_API_KEY: 'sk-test',
      },
    });
  });
  after(async () => {
    await server.stop();
    provider.stop();
  });

  async function createGateway(id: string, rule: object = {}): Promise<void> {
    const whole = { limit: 1_000_000, limitType: 'cost', window: 86_400, ...rule };
    const body = gatewayBody(id, { spend_limits: { enabled: true, rules: [whole] } });
    const { status, text } = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
      body,
    });
    assert.equal(status, 200, text);
  }

  const spentOn = async (id: string): Promise<number> => {
    const path = `${server.account}/ai-gateway/gateways/${id}/spend`;
    const { rules } = (await server.call('GET', path)).json.result;
    return rules[0].budgets[0]?.spent ?? 0;
  };

  const credential = () => ({ 'cf-aig-authorization': `Bearer ${server.token}` });
  const hostUrl = (gateway: string, path: string): string =>
    `${server.origin}/v1/${server.accountId}/${gateway}/${path}`;

  async function send(gateway: string, parts: Attack): Promise<number> {
    const { entry, isCompressed, path, contentType } = parts;
    const name = entry === 'native' || entry === 'universal' ? DEAR : `openai/${DEAR}`;
    const members = [...parts.members, '"messages":[{"role":"user","content":"hi"}]'];
    members.splice(parts.position, 0, `${parts.model}${parts.space}:"${name}"`);
    const text = `${parts.prefix}{${members.join(',')}}`;
    const headers = {
      'content-type': contentType,
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    };
    const body = isCompressed ? gzipSync(text) : text;
    if (entry === 'rest') {
      const url = `${server.baseUrl}${server.account}/ai/v1/${CHAT}`;
      const sent = { ...headers, 'cf-aig-gateway-id': gateway };
      return (await request('POST', url, { token: server.token, headers: sent, body })).status;
    }
    if (entry === 'universal') {
      const list = `[{"provider":"openai","endpoint":${JSON.stringify(path)},"query":${text.trim()}}]`;
      const sent = { ...credential(), 'content-type': 'application/json' };
      return (await request('POST', hostUrl(gateway, ''), { headers: sent, body: list })).status;
    }
    const below = entry === 'native' ? `openai/${path}` : `compat/${CHAT}`;
    const sent = { ...credential(), ...headers };
    return (await request('POST', hostUrl(gateway, below), { headers: sent, body })).status;
  }

  test('is charged for every call that the provider has served, or refused before it', async () => {
    for (const [id, rule] of [
      ['all-models', {}],
      ['one-model', { model: { mode: 'filter', values: [DEAR] } }],
    ] as const) {
      await createGateway(id, rule);
      // An honest call shows the price of one call.
      const honest = { model: `openai/${DEAR}`, messages: [{ role: 'user', content: 'hi' }] };
      await server.call('POST', `${server.account}/ai/v1/${CHAT}`, {
        headers: { 'cf-aig-gateway-id': id },
        body: honest,
      });
      await eventually('it is charged', async () => (await spentOn(id)) > 0);
      const price = await spentOn(id);
      await fc.assert(
        fc.asyncProperty(attack, async (parts) => {
          const { served: servedBefore, uncounted: uncountedBefore } = provider;
          const spentBefore = await spentOn(id);
          const status = await send(id, parts);
          const served = provider.served - servedBefore;
          assert.ok(status < 500, String(status));
          assert.equal(provider.uncounted, uncountedBefore, 'a stream without usage');
          if (served === 0) return;
          await eventually(`${served} calls are charged`, async () => {
            const charged = (await spentOn(id)) - spentBefore;
            return charged > price * served * 0.999;
          });
        }),
        { numRuns: 200 },
      );
    }
  });

  test('an honest body passes unchanged, whatever else it has', async () => {
    await createGateway('honest');
    const seen = provider.served;
    const body = `{ "n" : 1.0, "model":"${DEAR}","big":12345678901234567890,"messages":[] }`;
    const url = hostUrl('honest', `openai/${CHAT}`);
    const headers = { ...credential(), 'content-type': 'application/json' };
    assert.equal((await request('POST', url, { headers, body })).status, 200);
    assert.equal(provider.served, seen + 1);
    const twice = await request('POST', url, {
      headers,
      body: `{"model":"${DEAR}","model":"${DEAR}"}`,
    });
    assert.equal(twice.status, 400);
    assert.match(twice.text, /2020/);
  });
});
