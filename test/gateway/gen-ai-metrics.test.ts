import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { answer } from '../support/scripted-upstream.ts';
import { request } from '../support/server.ts';
import {
  COST,
  JSON_TYPE,
  type SpendBench,
  USAGE,
  completion,
  startSpendBench,
} from './spend-bench.ts';

// Nothing here depends on the database.
describe('metrics of the calls of models', () => {
  let spend: SpendBench;
  before(async () => {
    spend = await startSpendBench('sqlite');
  });
  after(() => spend.stop());

  /** The value of a series whose labels include these, in any order. */
  async function valueOf(
    name: string,
    labels: Record<string, string>,
  ): Promise<number | undefined> {
    const { text } = await request('GET', `${spend.bench.server.origin}/metrics`);
    for (const [, found, inBraces = '', value] of text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)) {
      const isMatch = Object.entries(labels).every(([label, wanted]) =>
        inBraces.split(',').includes(`${label}="${wanted}"`),
      );
      if (found === name && isMatch) return Number(value);
    }
    return undefined;
  }

  const OF_CALL = {
    gen_ai_operation_name: 'chat',
    gen_ai_provider_name: 'openai',
    gen_ai_request_model: 'gpt-4o',
  };

  test('tokens, duration, time to the first chunk, cost and budget', async () => {
    const gateway = await spend.createGateway({ limit: 10 });
    await spend.bench.upstream.set('gpt-4o', completion(USAGE));
    for (let calls = 0; calls < 2; calls++) {
      assert.equal((await spend.complete(gateway, 'gpt-4o')).status, 200);
    }
    const tokens = (type: string) =>
      valueOf('gen_ai_client_token_usage_sum', { ...OF_CALL, gen_ai_token_type: type });
    await eventually('both are counted', async () => (await tokens('output')) === 4_000);
    assert.equal(await tokens('input'), 2_000);
    const counts = [
      'gen_ai_client_operation_duration_seconds_count',
      'gen_ai_client_operation_time_to_first_chunk_seconds_count',
    ];
    for (const name of counts) assert.equal(await valueOf(name, OF_CALL), 2, name);
    const cost = await valueOf('latchkey_gateway_cost_usd_total', {
      ...OF_CALL,
      usage_source: 'provider',
    });
    assert.ok(Math.abs((cost ?? 0) - 2 * COST) < 1e-9, String(cost));
    const rule = {
      account_id: spend.bench.server.accountId,
      gateway_id: gateway,
      rule_id: 'daily',
    };
    assert.equal(await valueOf('latchkey_gateway_budget_limit_usd', rule), 10);
    const left = (await valueOf('latchkey_gateway_budget_remaining_usd', rule)) ?? Number.NaN;
    assert.ok(left > 9.5 && left < 10, String(left));
  });

  test('refused calls, and failures by their status', async () => {
    const gateway = await spend.createGateway({ limit: 0.001 });
    await spend.bench.upstream.set('gpt-4o', answer(429, '{"error":{}}', JSON_TYPE));
    const refused = await spend.complete(gateway, 'gpt-4o', { max_tokens: 100_000 });
    assert.equal(refused.json.error.code, '2011');
    assert.equal(await valueOf('latchkey_gateway_spend_refused_total', { reason: 'limit' }), 1);
    await spend.complete(gateway, 'gpt-4o', { max_tokens: 1 });
    await eventually('it is counted', async () => {
      const labels = { ...OF_CALL, error_type: '429' };
      return (await valueOf('gen_ai_client_operation_duration_seconds_count', labels)) === 1;
    });
  });

  test('models that do not exist are no series of their own', async () => {
    const gateway = await spend.createGateway();
    await spend.bench.upstream.set('no-model', answer(404, '{"error":{}}', JSON_TYPE));
    await spend.complete(gateway, 'no-model');
    const name = 'gen_ai_client_operation_duration_seconds_count';
    await eventually('it is counted', async () => {
      const labels = { gen_ai_request_model: 'other', error_type: '404' };
      return (await valueOf(name, labels)) === 1;
    });
    assert.equal(await valueOf(name, { gen_ai_request_model: 'no-model' }), undefined);
  });
});
