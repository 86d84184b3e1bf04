import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Action, EVENT_STREAM, answer, event, head } from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import type { ScriptedBench } from './scripted.ts';
import {
  CLAUDE_IN,
  CLAUDE_OUT,
  COST,
  JSON_TYPE,
  type SpendBench,
  USAGE,
  completion,
  startSpendBench,
} from './spend-bench.ts';

function claude(usage: object): Action[] {
  const content = [{ type: 'text', text: 'hi' }];
  const body = { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn' };
  return answer(200, JSON.stringify({ ...body, usage }), JSON_TYPE);
}

onEachDatabase((database) => {
  let spend: SpendBench;
  let bench: ScriptedBench;
  before(async () => {
    spend = await startSpendBench(database);
    ({ bench } = spend);
  });
  after(() => spend.stop());

  test('an alias costs what the model costs that answers', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('our-alias', completion(USAGE));
    assert.equal((await spend.complete(gateway, 'our-alias')).status, 200);
    await spend.assertSpent(gateway, COST);
    assert.equal((await spend.lastLog(gateway)).usage_source, 'answer_model');
  });

  const nameless = () => completion(USAGE, { model: 'none-such' });

  test('a model without a known price counts at the highest price of its provider', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('none-such', nameless());
    assert.equal((await spend.complete(gateway, 'none-such')).status, 200);
    // The prices of o1-pro.
    await spend.assertSpent(gateway, 1_000 * 150e-6 + 2_000 * 600e-6);
    assert.equal((await spend.lastLog(gateway)).cost, undefined);
  });

  test('unpriced: refuse and allow', async () => {
    await bench.upstream.set('none-such', nameless());
    const refusing = await spend.createGateway({ unpriced: 'refuse' });
    const before = (await bench.upstream.requests('none-such')).length;
    const refused = await spend.complete(refusing, 'none-such');
    assert.deepEqual([refused.status, refused.json.error.code], [400, '2030']);
    assert.match(refused.json.error.message, /daily/);
    assert.equal((await bench.upstream.requests('none-such')).length, before);
    const allowing = await spend.createGateway({ unpriced: 'allow' });
    for (let calls = 0; calls < 3; calls++) {
      assert.equal((await spend.complete(allowing, 'none-such')).status, 200);
    }
    await eventually(
      'they are counted',
      async () => (await spend.ruleOf(allowing)).unpriced_calls === 3,
    );
    assert.equal(await spend.spentOn(allowing), 0);
    // What has a price after all is charged.
    await bench.upstream.set('our-alias', completion(USAGE));
    assert.equal((await spend.complete(allowing, 'our-alias')).status, 200);
    await spend.assertSpent(allowing, COST);
  });

  test('the service tier of the answer decides the price', async () => {
    for (const [tier, factor] of [
      ['default', 1],
      ['flex', 0.5],
      ['priority', 2],
      ['a-new-one', 2],
    ] as const) {
      const gateway = await spend.createGateway();
      await bench.upstream.set('gpt-4o', completion(USAGE, { service_tier: tier }));
      assert.equal((await spend.complete(gateway, 'gpt-4o', { service_tier: 'flex' })).status, 200);
      await spend.assertSpent(gateway, COST * factor);
      assert.ok(Math.abs((await spend.lastLog(gateway)).cost - COST * factor) < 1e-9);
    }
    // An answer that names no tier is in the requested one.
    for (const [tier, factor] of [
      ['flex', 1],
      ['auto', 1],
      ['priority', 2],
    ] as const) {
      const gateway = await spend.createGateway();
      await bench.upstream.set('gpt-4o', completion(USAGE));
      assert.equal((await spend.complete(gateway, 'gpt-4o', { service_tier: tier })).status, 200);
      await spend.assertSpent(gateway, COST * factor);
    }
    const tokens = { input_tokens: 1_000, output_tokens: 2_000 };
    const base = 1_000 * CLAUDE_IN + 2_000 * CLAUDE_OUT;
    for (const [extra, dollars] of [
      [{ service_tier: 'priority' }, base],
      [{ service_tier: 'batch' }, base / 2],
      [{ speed: 'fast' }, base * 6],
      [{ inference_geo: 'us' }, base * 1.1],
      [{ speed: 'fast', inference_geo: 'us' }, base * 6.6],
      [{ server_tool_use: { web_search_requests: 5 } }, base + 0.05],
    ] as const) {
      const gateway = await spend.createGateway();
      await bench.upstream.set('claude-sonnet-4-5', claude({ ...tokens, ...extra }));
      const { status } = await spend.complete(gateway, 'anthropic/claude-sonnet-4-5');
      assert.equal(status, 200);
      await spend.assertSpent(gateway, dollars);
    }
  });

  test('a count never decreases within a call', async () => {
    const gateway = await spend.createGateway();
    const usage = { input_tokens: 2_500, cache_read_input_tokens: 1_000, output_tokens: 1 };
    const message = { model: 'claude-sonnet-4-5', usage };
    const end = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 0, output_tokens: 15 },
    };
    await bench.upstream.set('claude-sonnet-4-5', [
      head(200, EVENT_STREAM) + event({ type: 'message_start', message }),
      event(end) + event({ type: 'message_stop' }),
    ]);
    const { status } = await spend.complete(gateway, 'anthropic/claude-sonnet-4-5', {
      stream: true,
    });
    assert.equal(status, 200);
    assert.equal((await spend.lastLog(gateway)).tokens_in, 3_500);
    await spend.assertSpent(gateway, 2_500 * CLAUDE_IN + 1_000 * 0.3e-6 + 15 * CLAUDE_OUT);
  });

  test('a price that the request names does not lower the listed one', async () => {
    const named = (price: number) => ({
      'cf-aig-custom-cost': JSON.stringify({ per_token_in: price, per_token_out: price }),
    });
    await bench.upstream.set('gpt-4o', completion(USAGE));
    await bench.upstream.set('none-such', nameless());
    const gateway = await spend.createGateway();
    for (const price of [0, 1]) await spend.complete(gateway, 'gpt-4o', {}, named(price));
    await spend.assertSpent(gateway, 2 * COST);
    assert.ok(Math.abs((await spend.lastLog(gateway)).cost - COST) < 1e-9);
    const trusting = await spend.createGateway({}, { trust_custom_cost: true });
    await spend.complete(trusting, 'gpt-4o', {}, named(0));
    await spend.assertSpent(trusting, COST);
    assert.equal((await spend.lastLog(trusting)).cost, 0);
    await spend.complete(trusting, 'gpt-4o', {}, named(0.001));
    await spend.assertSpent(trusting, COST + 3);
    const unpriced = await spend.createGateway();
    await spend.complete(unpriced, 'none-such', {}, named(0));
    await spend.assertSpent(unpriced, 1_000 * 150e-6 + 2_000 * 600e-6);
  });

  /** A form that uploads a megabyte of sound, with these models. */
  async function transcribe(gateway: string, ...models: string[]): Promise<Answer> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(1_000_000)]), 'speech.mp3');
    for (const model of models) form.append('model', model);
    const { server } = bench;
    const url = `${server.origin}/v1/${server.accountId}/${gateway}/openai/audio/transcriptions`;
    const headers = { 'cf-aig-authorization': `Bearer ${server.token}` };
    const response = await fetch(url, { method: 'POST', headers, body: form });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text) } as Answer;
  }

  test('speech is priced by its length, or by an estimate of it', async () => {
    const gateway = await spend.createGateway();
    const perSecond = 0.006 / 60;
    const told = { text: 'hello', usage: { type: 'duration', seconds: 90 } };
    await bench.upstream.set('transcriptions', answer(200, JSON.stringify(told), JSON_TYPE));
    assert.equal((await transcribe(gateway, 'whisper-1')).status, 200);
    await spend.assertSpent(gateway, 90 * perSecond);
    const untold = JSON.stringify({ text: 'hello' });
    await bench.upstream.set('transcriptions', answer(200, untold, JSON_TYPE));
    assert.equal((await transcribe(gateway, 'whisper-1')).status, 200);
    await eventually('it is charged', async () => (await spend.spentOn(gateway)) > 0.05);
    // A megabyte is less than half an hour in any common format.
    assert.ok((await spend.spentOn(gateway)) < 0.5);
    assert.equal((await spend.lastLog(gateway)).model, 'whisper-1');
  });

  test('a rule for models counts forms, and refuses those without one model', async () => {
    const filter = { mode: 'filter', values: ['whisper-1'] };
    const gateway = await spend.createGateway({ model: filter });
    const told = JSON.stringify({ text: 'hello', duration: 60 });
    await bench.upstream.set('transcriptions', answer(200, told, JSON_TYPE));
    assert.equal((await transcribe(gateway, 'whisper-1')).status, 200);
    await spend.assertSpent(gateway, 0.006);
    for (const models of [[], ['none-such', 'whisper-1'], ['a"b']]) {
      const refused = await transcribe(gateway, ...models);
      assert.deepEqual([refused.status, refused.json.error[0].code], [400, 2020]);
    }
  });
});
