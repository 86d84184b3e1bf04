import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { UniversalClient } from '../../gateway/universal-client.ts';
import { fixedBudgetsOf } from '../../../src/gateway/limits/spend-budget.ts';
import type { SpendRule } from '../../../src/gateway-admin/spend-rules.ts';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestServer, bootServer } from '../../support/server.ts';
import { CountingProvider, PRIORITY } from './counting-provider.ts';

/** One call of somebody who wants to pay less. */
const attack = fc.record({
  entry: fc.constantFrom(
    'chat',
    'responses',
    'messages',
    'gemini',
    'azure',
    'native',
    'alias',
    'universal',
    'websocket',
    'to-claude',
  ),
  isStream: fc.boolean(),
  isCompressed: fc.boolean(),
  out: fc.integer({ min: 1, max: 400 }),
  bound: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  isPriority: fc.boolean(),
  isBackground: fc.boolean(),
  hangs: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  /** When the client leaves. */
  leavesAfterMs: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined, freq: 2 }),
  customCost: fc.constantFrom(undefined, 0, 1e-12),
  choices: fc.constantFrom(undefined, undefined, 2),
  decoys: fc.array(
    fc.constantFrom(
      '"metadata":{"model":"none-such"}',
      '"user":"\\"model\\":\\"none-such\\""',
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"model":"none-such"}}}]',
      String.raw`"str\u0065am_options":{"include\u005fusage":false}`,
      '"stream_options":{"include_usage":false}',
      '"data_sources":null',
      '"max_output_tokens":1',
      '"model":"none-such"',
      '"stream":false',
    ),
    { maxLength: 2 },
  ),
});

export type Attack = typeof attack extends fc.Arbitrary<infer T> ? T : never;

/** An attack with the name under which the provider counts it. */
type NamedAttack = Attack & { caller: string };

/** The timeout of a request does not end a background call, so it does not hang. */
function withinTime(one: Attack): Attack {
  const isBackground = one.isBackground && one.entry === 'responses';
  return isBackground ? { ...one, hangs: false } : one;
}

// What is on its way when a client leaves: some events of up to eight tokens, at the price of Claude.
const USD_ON_ITS_WAY = (40 * 8 * 15) / 1e6;

const RULE: SpendRule = {
  id: 'all',
  limit: 1,
  windowSeconds: 86_400,
  technique: 'fixed',
  unpriced: 'estimate',
  metadata: {},
};

/** Nodes of one installation in front of a provider that counts what it serves. */
export class SpendBench {
  readonly provider = new CountingProvider();
  readonly nodes: TestServer[] = [];
  #calls = 0;

  static async start(database: TestDatabase): Promise<SpendBench> {
    const bench = new SpendBench();
    const { provider, nodes } = bench;
    await provider.start();
    const settings = {
      PROVIDER_OPENAI_BASE_URL: `${provider.origin}/v1`,
      PROVIDER_OPENAI_API_KEY: 'sk-openai',
      PROVIDER_ANTHROPIC_BASE_URL: `${provider.origin}/anthropic`,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: `${provider.origin}/v1beta`,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'AIza',
      PROVIDER_AZURE_OPENAI_BASE_URL: `${provider.origin}/openai`,
      PROVIDER_AZURE_OPENAI_API_KEY: 'azure',
    };
    const first = await bootServer(database, { settings });
    nodes.push(first);
    if (database === 'postgres')
      nodes.push(await bootServer(database, { settings, besides: first }));
    return bench;
  }

  async stop(): Promise<void> {
    for (const node of this.nodes.toReversed()) await node.stop();
    this.provider.stop();
  }

  get #server(): TestServer {
    const [server] = this.nodes;
    assert.ok(server);
    return server;
  }

  async createGateway(id: string, limit: number): Promise<void> {
    const rule = { id: RULE.id, limit, limitType: 'cost', window: RULE.windowSeconds };
    const body = gatewayBody(id, { spend_limits: { enabled: true, rules: [rule] } });
    const path = `${this.#server.account}/ai-gateway/gateways`;
    const { status, text } = await this.#server.call('POST', path, { body });
    assert.equal(status, 200, text);
  }

  /** What all nodes together have spent of the rule of a gateway, in US dollars. */
  async spentOn(id: string): Promise<number> {
    const path = `${this.#server.account}/ai-gateway/gateways/${id}/spend`;
    const reports = this.nodes.map(async (node) => {
      const { json } = await node.call('GET', path);
      return (json.result.rules[0].budgets[0]?.spent ?? 0) as number;
    });
    const leased = await this.#leasedOf(id);
    // Each node reports what is leased, less its own part of it that is not spent.
    const spent = (await Promise.all(reports)).reduce((sum, usd) => sum + usd, 0);
    return spent - (this.nodes.length - 1) * leased;
  }

  async #leasedOf(id: string): Promise<number> {
    const owner = { accountId: this.#server.accountId, id };
    const [budget] = fixedBudgetsOf(owner, { ...RULE });
    const row = await this.#server.app.database.read
      .selectFrom('quota_windows')
      .select('leased')
      .where('name', '=', budget?.name ?? '')
      .executeTakeFirst();
    return (row?.leased ?? 0) / 1e9;
  }

  /**
   * Sends so many attacks, some at a time and on all nodes, each caller on a gateway of its own. After each,
   * compares what is charged with what was served.
   * @throws AssertionError with the attack that is charged too little, or an ordinary call that is not
   *   charged exactly
   */
  async attack(name: string, count: number, parallel: number): Promise<void> {
    const next = fc.sample(attack, count).map(withinTime).values();
    await Promise.all(
      Array.from({ length: parallel }, async (_caller, index) => {
        const gateway = `${name}-${index}`;
        await this.createGateway(gateway, 1_000_000);
        let calls = index;
        let isQuiet = true;
        for (const one of next) {
          const node = this.nodes[calls++ % this.nodes.length] ?? this.#server;
          isQuiet = await this.#sendAndCompare(node, gateway, one, isQuiet);
        }
      }),
    );
  }

  /**
   * @param isQuiet nothing of the call before can still be charged
   * @returns whether this call was answered to its end
   */
  async #sendAndCompare(
    node: TestServer,
    gateway: string,
    one: Attack,
    isQuiet: boolean,
  ): Promise<boolean> {
    const caller = `${gateway}.${++this.#calls}`;
    const spentBefore = await this.spentOn(gateway);
    const status = await this.#send(node, gateway, { ...one, caller });
    // What is on its way to the provider arrives.
    if (status === undefined) await sleep(100);
    const calls = () => this.provider.callsOf(caller);
    let charged = 0;
    const isSound = async (): Promise<boolean> => {
      if (calls().some(({ isOver }) => !isOver)) return false;
      const served = calls().reduce((sum, { usd }) => sum + usd, 0);
      const onItsWay = calls().filter(({ isBrokenOff }) => isBrokenOff).length * USD_ON_ITS_WAY;
      charged = (await this.spentOn(gateway)) - spentBefore;
      const isOrdinary = isQuiet && status === 200 && !one.isBackground;
      if (isOrdinary && one.leavesAfterMs === undefined) return Math.abs(charged - served) < 1e-8;
      // What the call before has cost may be charged now.
      if (isQuiet && charged > highestCostOf(one) + 1e-9) return false;
      return charged >= served - onItsWay - 1e-9;
    };
    await eventually('all is charged that was served', isSound).catch((error: Error) => {
      const served = JSON.stringify(calls());
      assert.fail(`${error.message}: $${charged}, ${status}, ${served}, ${JSON.stringify(one)}`);
    });
    return status !== undefined;
  }

  /** Sends calls with a known bound until each node refuses, some at a time. */
  async useUp(gateway: string, parallel: number): Promise<number> {
    let refused = 0;
    const body = JSON.stringify({
      model: 'openai/gpt-4o',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'out:100' }],
    });
    await Promise.all(
      Array.from({ length: parallel }, async (_caller, index) => {
        const node = this.nodes[index % this.nodes.length] ?? this.#server;
        for (let calls = 0; calls < 1_000; calls++) {
          const response = await this.#rest(node, gateway, 'chat/completions', body, {});
          await response.arrayBuffer();
          if (response.status !== 429) continue;
          refused++;
          return;
        }
      }),
    );
    return refused;
  }

  #rest(
    node: TestServer,
    gateway: string,
    operation: string,
    body: string,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(`${node.baseUrl}${node.account}/ai/v1/${operation}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${node.token}`,
        'content-type': 'application/json',
        'cf-aig-gateway-id': gateway,
        ...headers,
      },
      body,
      ...(signal && { signal }),
    });
  }

  /** @returns the status of the answer; undefined: the client has left before */
  async #send(node: TestServer, gateway: string, parts: NamedAttack): Promise<number | undefined> {
    const { customCost, hangs, leavesAfterMs } = parts;
    const headers: Record<string, string> = {};
    if (customCost !== undefined) {
      const price = { per_token_in: customCost, per_token_out: customCost };
      headers['cf-aig-custom-cost'] = JSON.stringify(price);
    }
    if (hangs)
      Object.assign(headers, { 'cf-aig-request-timeout': '30', 'cf-aig-max-attempts': '2' });
    if (parts.entry === 'websocket') return this.#sendOverWebSocket(node, gateway, parts, headers);
    const abort = new AbortController();
    const leaving =
      leavesAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), leavesAfterMs);
    try {
      const response = await this.#call(node, gateway, parts, headers, abort.signal);
      const text = await response.text();
      const isExpected = [200, 400, 429, 504].includes(response.status);
      assert.ok(isExpected, `${response.status} ${text} ${JSON.stringify(parts)}`);
      return response.status;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return undefined;
    } finally {
      clearTimeout(leaving);
    }
  }

  #call(
    node: TestServer,
    gateway: string,
    parts: NamedAttack,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { entry, isCompressed } = parts;
    const rest = {
      chat: ['chat/completions', 'openai/gpt-4o'],
      alias: ['chat/completions', 'openai/our-alias'],
      'to-claude': ['chat/completions', 'anthropic/claude-sonnet-4-5'],
      responses: ['responses', 'openai/gpt-4o'],
      messages: ['messages', 'anthropic/claude-sonnet-4-5'],
    }[entry as string];
    if (rest !== undefined) {
      const [operation = '', model = ''] = rest;
      return this.#rest(node, gateway, operation, bodyOf(parts, model), headers, signal);
    }
    const verb = parts.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const [path, model] = {
      gemini: [`/google-ai-studio/v1beta/models/gemini-2.5-flash:${verb}`, undefined],
      azure: [
        '/azure-openai/res/our-deployment/chat/completions?api-version=2024-10-21',
        undefined,
      ],
      native: ['/openai/chat/completions', 'gpt-4o'],
      universal: ['', 'gpt-4o'],
    }[entry as 'gemini'] as [string, string | undefined];
    const text = bodyOf(parts, model);
    const isList = entry === 'universal';
    const body = isList
      ? `[{"provider":"openai","endpoint":"chat/completions","query":${text}}]`
      : text;
    const isZipped = isCompressed && !isList;
    return fetch(`${node.origin}/v1/${node.accountId}/${gateway}${path}`, {
      method: 'POST',
      headers: {
        'cf-aig-authorization': `Bearer ${node.token}`,
        'content-type': 'application/json',
        ...(isZipped && { 'content-encoding': 'gzip' }),
        ...headers,
      },
      body: isZipped ? new Uint8Array(gzipSync(body)) : body,
      signal,
    });
  }

  async #sendOverWebSocket(
    node: TestServer,
    gateway: string,
    parts: NamedAttack,
    headers: Record<string, string>,
  ): Promise<undefined> {
    const url = `${node.origin.replace('http', 'ws')}/v1/${node.accountId}/${gateway}`;
    const client = await UniversalClient.open(url, {
      'cf-aig-authorization': `Bearer ${node.token}`,
    });
    const query: unknown = JSON.parse(bodyOf({ ...parts, decoys: [] }, 'gpt-4o'));
    const step = { provider: 'openai', endpoint: 'chat/completions', headers, query };
    const answering = client.call(step).catch(() => {});
    const { leavesAfterMs = 5_000 } = parts;
    await Promise.race([answering, new Promise((resolve) => setTimeout(resolve, leavesAfterMs))]);
    client.webSocket.terminate();
  }
}

// US dollars for a million tokens: of the most expensive model of OpenAI, for a name that is no model's.
const HIGHEST_PRICE = { input: 150, output: 600 };
const PRICES: Partial<Record<Attack['entry'], { input: number; output: number }>> = {
  messages: { input: 3.75, output: 15 },
  'to-claude': { input: 3.75, output: 15 },
  gemini: { input: 1, output: 2.5 },
  azure: HIGHEST_PRICE,
  alias: HIGHEST_PRICE,
};
const GPT_4O = { input: 2.5, output: 10 };
const MAX_BODY_BYTES = 1_200;
const DEFAULT_OUTPUT = 4_096;

/** The highest cost by which a call may be estimated, in US dollars. */
function highestCostOf({ entry, choices, hangs }: Attack): number {
  const { input, output } = PRICES[entry] ?? GPT_4O;
  const attempts = hangs ? 2 : 1;
  const tokens = { in: MAX_BODY_BYTES / 3, out: DEFAULT_OUTPUT * (choices ?? 1) };
  return (attempts * PRIORITY * (tokens.in * input + tokens.out * output)) / 1e6;
}

/** A body that the provider takes, as somebody writes it who wants to be charged for another one. */
function bodyOf(parts: NamedAttack, model: string | undefined): string {
  const { caller, entry, out, bound, isStream, isPriority, isBackground, hangs, choices, decoys } =
    parts;
  const prompt = JSON.stringify(`caller:${caller} out:${out}${hangs ? ' mode:hang' : ''}`);
  if (entry === 'gemini') {
    const config = bound === undefined ? '' : `,"generationConfig":{"maxOutputTokens":${bound}}`;
    return `{"contents":[{"role":"user","parts":[{"text":${prompt}}]}]${config}}`;
  }
  const isMessages = entry === 'messages';
  const isResponses = entry === 'responses';
  const members = [
    ...(model === undefined ? [] : [`"model":${JSON.stringify(model)}`]),
    isResponses ? `"input":${prompt}` : `"messages":[{"role":"user","content":${prompt}}]`,
    ...(isStream && !(isResponses && isBackground) ? ['"stream":true'] : []),
    ...(isResponses && isBackground ? ['"background":true'] : []),
    ...(isPriority && !isMessages && entry !== 'to-claude' ? ['"service_tier":"priority"'] : []),
    ...(choices !== undefined && ['chat', 'native', 'azure', 'alias'].includes(entry) && !isStream
      ? [`"n":${choices}`]
      : []),
  ];
  if (isMessages) members.push(`"max_tokens":${bound ?? 400}`);
  else if (bound !== undefined)
    members.push(`"${isResponses ? 'max_output_tokens' : 'max_tokens'}":${bound}`);
  if (!isMessages && !isResponses && entry !== 'to-claude') members.unshift(...decoys);
  return `{${members.join(',')}}`;
}
