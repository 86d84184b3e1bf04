import assert from 'node:assert/strict';
import type { Clock } from '../../src/lib/clock.ts';
import type { TestDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Action, answer } from '../support/scripted-upstream.ts';
import type { Answer, Json } from '../support/server.ts';
import { type ScriptedBench, startScripted } from './scripted.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };
// Prices of gpt-4o in US dollars for a token.
export const PER_IN = 2.5e-6;
export const PER_OUT = 10e-6;
// Of claude-sonnet-4-5.
export const CLAUDE_IN = 3e-6;
export const CLAUDE_OUT = 15e-6;
/** A text of 10 tokens. */
export const SENTENCE = 'The quick brown fox jumps over the lazy dog. ';

export const USAGE = { prompt_tokens: 1_000, completion_tokens: 2_000 };
/** The cost of this usage of gpt-4o. */
export const COST = 1_000 * PER_IN + 2_000 * PER_OUT;

/** A whole chat completion of 900 bytes of text. */
export function completion(usage: object | undefined, further: object = {}): Action[] {
  const choices = [{ index: 0, message: { role: 'assistant', content: SENTENCE.repeat(20) } }];
  const body = { id: 'c', object: 'chat.completion', model: 'gpt-4o', choices, usage, ...further };
  return answer(200, JSON.stringify(body), JSON_TYPE);
}

/** A server with scripted providers and gateways with one spend rule each, called `daily`. */
export interface SpendBench {
  bench: ScriptedBench;
  /** @returns the id of a new gateway; by default its rule limits nothing */
  createGateway(rule?: object, fields?: object): Promise<string>;
  complete(
    gateway: string,
    model: string,
    extra?: object,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  ruleOf(gateway: string): Promise<Json>;
  spentOn(gateway: string): Promise<number>;
  assertSpent(gateway: string, dollars: number): Promise<void>;
  lastLog(gateway: string): Promise<Json>;
  stop(): Promise<void>;
}

export async function startSpendBench(database: TestDatabase, clock?: Clock): Promise<SpendBench> {
  const bench = await startScripted(database, {
    settings: { UPSTREAM_HEADERS_TIMEOUT_MS: '20000', UPSTREAM_IDLE_TIMEOUT_MS: '20000' },
    ...(clock && { clock }),
  });
  let gateways = 0;
  const spend: SpendBench = {
    bench,
    async createGateway(rule = {}, fields = {}) {
      const id = `g${++gateways}`;
      const whole = { id: 'daily', limit: 1_000_000, limitType: 'cost', window: 86_400, ...rule };
      const limits = { enabled: true, rules: [whole] };
      await bench.createGateway(id, { spend_limits: limits, ...fields });
      return id;
    },
    complete: (gateway, model, extra = {}, headers = {}) =>
      bench.complete(model, { 'cf-aig-gateway-id': gateway, ...headers }, extra),
    async ruleOf(gateway) {
      const { server } = bench;
      const path = `${server.account}/ai-gateway/gateways/${gateway}/spend`;
      return (await server.call('GET', path)).json.result.rules[0];
    },
    spentOn: async (gateway) => (await spend.ruleOf(gateway)).budgets[0]?.spent ?? 0,
    async assertSpent(gateway, dollars) {
      let spent = Number.NaN;
      await eventually(`$${dollars} are charged`, async () => {
        spent = await spend.spentOn(gateway);
        return Math.abs(spent - dollars) < 1e-9;
      }).catch((error: Error) => assert.fail(`${error.message}: $${spent}`));
    },
    async lastLog(gateway) {
      await eventually('it is logged', async () => (await bench.logs(gateway)).length > 0);
      return (await bench.logs(gateway))[0];
    },
    stop: () => bench.stop(),
  };
  return spend;
}
