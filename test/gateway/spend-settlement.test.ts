import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import {
  AWAIT_RELEASE,
  EVENT_STREAM,
  HANG,
  answer,
  delta,
  event,
  head,
} from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf } from './scripted.ts';
import {
  CLAUDE_IN,
  CLAUDE_OUT,
  COST,
  JSON_TYPE,
  PER_IN,
  PER_OUT,
  SENTENCE,
  type SpendBench,
  USAGE,
  completion,
  startSpendBench,
} from './spend-bench.ts';

/** Sends a request and leaves once so many bytes of the answer have come. */
async function leaveAfter(
  { server }: ScriptedBench,
  bytes: number,
  { path, gateway, body }: { path: string; gateway: string; body: object },
): Promise<void> {
  const abort = new AbortController();
  const response = await fetch(`${server.baseUrl}${server.account}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'cf-aig-gateway-id': gateway,
    },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  const reader = response.body?.getReader();
  for (let seen = 0; seen < bytes;) seen += (await reader?.read())?.value?.length ?? bytes;
  abort.abort();
}

onEachDatabase((database) => {
  let spend: SpendBench;
  let bench: ScriptedBench;
  before(async () => {
    spend = await startSpendBench(database);
    ({ bench } = spend);
  });
  after(() => spend.stop());

  test("the provider's count is charged, whatever was reserved", async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('gpt-4o', completion(USAGE));
    for (const extra of [{}, { max_tokens: 100_000 }, { max_tokens: 1 }]) {
      assert.equal((await spend.complete(gateway, 'gpt-4o', extra)).status, 200);
    }
    await spend.assertSpent(gateway, 3 * COST);
    assert.equal((await spend.lastLog(gateway)).usage_source, 'provider');
  });

  test('an answer without usage is charged by an estimate, which is marked', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('gpt-4o', completion(undefined));
    assert.equal((await spend.complete(gateway, 'gpt-4o')).status, 200);
    const {
      usage_source: source,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
    } = await spend.lastLog(gateway);
    assert.equal(source, 'estimate');
    // The text has 900 bytes, and some 200 tokens.
    assert.ok(tokensIn > 5 && tokensIn < 100 && tokensOut >= 200 && tokensOut <= 310, tokensOut);
    await spend.assertSpent(gateway, tokensIn * PER_IN + tokensOut * PER_OUT);
    const path = `${bench.server.account}/ai-gateway/gateways/${gateway}/logs`;
    const filter = 'filters.key=usage_source&filters.operator=eq&filters.value=estimate';
    const found = await bench.server.call('GET', `${path}?${filter}`);
    assert.equal(found.json.result?.length, 1, found.text);
  });

  test('a stream that the client leaves costs what was sent', async () => {
    const gateway = await spend.createGateway();
    const chunks = 500;
    const text = Array.from({ length: chunks }, () => delta(SENTENCE)).join('');
    await bench.upstream.set('gpt-4o', [head(200, EVENT_STREAM), text, HANG]);
    await leaveAfter(bench, text.length, {
      path: '/ai/v1/chat/completions',
      gateway,
      body: { model: 'openai/gpt-4o', messages: MESSAGES, stream: true },
    });
    const log = await spend.lastLog(gateway);
    assert.deepEqual([log.status_code, log.usage_source], [499, 'estimate']);
    // A sentence has 10 tokens.
    assert.ok(
      log.tokens_out >= chunks * 10 && log.tokens_out <= chunks * 16,
      String(log.tokens_out),
    );
    await eventually(
      'it is charged',
      async () => (await spend.spentOn(gateway)) >= chunks * 10 * PER_OUT,
    );
  });

  test('a left stream costs what was sent, also beyond the limit of its request', async () => {
    const text = delta(SENTENCE).repeat(200);
    await bench.upstream.set('gpt-4o', [head(200, EVENT_STREAM), text, HANG]);
    // The 200 sentences have 2,000 tokens.
    for (const [limit, least, most] of [
      [0, 2_000, 3_100],
      [1, 2_000, 3_100],
      [1_000, 2_000, 3_100],
      [2_000, 2_000, 2_000],
      [4_000, 2_000, 3_100],
    ] as const) {
      const gateway = await spend.createGateway();
      await leaveAfter(bench, text.length, {
        path: '/ai/v1/chat/completions',
        gateway,
        body: { model: 'openai/gpt-4o', messages: MESSAGES, stream: true, max_tokens: limit },
      });
      const { tokens_out: tokensOut } = await spend.lastLog(gateway);
      assert.ok(tokensOut >= least && tokensOut <= most, `${limit}: ${tokensOut}`);
    }
  });

  test('a Claude stream that the client leaves costs what was sent', async () => {
    const gateway = await spend.createGateway();
    const usage = { input_tokens: 4_000, output_tokens: 1 };
    const start = { type: 'message_start', message: { model: 'claude-sonnet-4-5', usage } };
    const part = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: SENTENCE },
    };
    const text = event(start, 'message_start') + event(part, 'content_block_delta').repeat(300);
    await bench.upstream.set('claude-sonnet-4-5', [head(200, EVENT_STREAM), text, HANG]);
    await leaveAfter(bench, text.length * 0.9, {
      path: '/ai/v1/messages',
      gateway,
      body: {
        model: 'anthropic/claude-sonnet-4-5',
        max_tokens: 64_000,
        messages: MESSAGES,
        stream: true,
      },
    });
    const least = 4_000 * CLAUDE_IN + 270 * 10 * CLAUDE_OUT;
    await eventually('it is charged', async () => (await spend.spentOn(gateway)) >= least);
    const spent = await spend.spentOn(gateway);
    assert.ok(spent <= 4_000 * CLAUDE_IN + 300 * 25 * CLAUDE_OUT, String(spent));
  });

  test('a call that times out is charged for each attempt that was sent', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('gpt-4o', [HANG]);
    const timeout = { 'cf-aig-request-timeout': '50', 'cf-aig-max-attempts': '3' };
    const { status } = await spend.complete(gateway, 'gpt-4o', { max_tokens: 1_000 }, timeout);
    assert.equal(status, 504);
    const { usage_source: source, tokens_out: tokensOut, cost } = await spend.lastLog(gateway);
    assert.deepEqual([source, tokensOut], ['estimate', 1_000]);
    assert.ok(cost >= 3_000 * PER_OUT && cost < 3_200 * PER_OUT, String(cost));
    await spend.assertSpent(gateway, cost);
  });

  test('what no provider has seen, or refused, costs nothing', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('gpt-4o', answer(400, '{"error":{"message":"no"}}', JSON_TYPE));
    assert.equal((await spend.complete(gateway, 'gpt-4o')).status, 400);
    // Nothing listens where this provider should be.
    assert.equal((await spend.complete(gateway, 'mistral/mistral-large-latest')).status, 502);
    await eventually('both are logged', async () => (await bench.logs(gateway)).length === 2);
    for (const log of await bench.logs(gateway)) {
      assert.deepEqual([log.cost, log.usage_source], [undefined, null]);
    }
    assert.equal(await spend.spentOn(gateway), 0);
  });

  test('a call is refused when it may cost more than is left', async () => {
    await bench.upstream.set('gpt-4o', completion({ prompt_tokens: 20, completion_tokens: 100 }));
    // The messages have some 30 tokens at most.
    const gateway = await spend.createGateway({ limit: 0.1 });
    const fits = await spend.complete(gateway, 'gpt-4o', { max_tokens: 9_900 });
    assert.equal(fits.status, 200);
    assert.equal(fits.headers.get('cf-aig-budget-limit'), '0.1');
    assert.ok(Number(fits.headers.get('cf-aig-budget-remaining')) < 0.001);
    assert.ok(Number(fits.headers.get('cf-aig-budget-reset')) > 0);
    const tooLarge = await spend.complete(gateway, 'gpt-4o', { max_tokens: 10_001 });
    assert.deepEqual([tooLarge.status, tooLarge.json.error.code], [429, '2011']);
    assert.match(
      tooLarge.json.error.message,
      /"daily": the call may cost more than the remaining \$0\.09\d+/,
    );
    assert.equal(tooLarge.headers.get('cf-aig-budget-rule'), 'daily');
    assert.equal(tooLarge.headers.get('cf-aig-budget-limit'), '0.1');
    // A call without a bound of its own is let in while something is left.
    assert.equal((await spend.complete(gateway, 'gpt-4o')).status, 200);
    const dear = { max_tokens: 4_000, service_tier: 'priority' };
    assert.equal((await spend.complete(gateway, 'gpt-4o', dear)).status, 200);
    const choices = { max_tokens: 4_000, n: 3 };
    assert.equal((await spend.complete(gateway, 'gpt-4o', choices)).status, 429);
  });

  test('calls that cost nothing show what is left of the budget', async () => {
    const remaining = ({ headers }: Answer): [string | null, string | null] => [
      headers.get('cf-aig-budget-limit'),
      headers.get('cf-aig-budget-remaining'),
    ];
    const gateway = await spend.createGateway({ limit: 0.1 }, { cache_ttl: 600 });
    await bench.upstream.set('counted', answer(200, '{"input_tokens":9}', JSON_TYPE));
    const count = (): Promise<Answer> =>
      bench.callHost('POST', `${gateway}/anthropic/v1/messages/count_tokens`, {
        body: { model: 'counted', messages: MESSAGES },
      });
    // The first call to this gateway: the node asks the database.
    assert.deepEqual(remaining(await count()), ['0.1', '0.100000']);

    await bench.upstream.set('gpt-4o', completion(USAGE));
    const asked = { max_tokens: 3_000 };
    assert.equal((await spend.complete(gateway, 'gpt-4o', asked)).status, 200);
    await spend.assertSpent(gateway, COST);
    const hit = await spend.complete(gateway, 'gpt-4o', asked);
    assert.equal(hit.headers.get('cf-aig-cache-status'), 'HIT');
    const left = ['0.1', (0.1 - COST).toFixed(6)];
    assert.deepEqual(remaining(hit), left);
    assert.ok(Number(hit.headers.get('cf-aig-budget-reset')) > 0);
    assert.deepEqual(remaining(await count()), left);

    const unlimited = await spend.createGateway({ model: { mode: 'filter', values: ['other'] } });
    const { headers } = await bench.callHost('GET', `${unlimited}/openai/models`);
    assert.equal(headers.get('cf-aig-budget-limit'), null);
  });

  test('calls that are under way count with what they may cost', async () => {
    const gateway = await spend.createGateway({ limit: 1 });
    const [first, ...rest] = completion({ prompt_tokens: 20, completion_tokens: 100 });
    await bench.upstream.set('gpt-4o', [AWAIT_RELEASE, first ?? '', ...rest]);
    const before = (await bench.upstream.requests('gpt-4o')).length;
    const calls = Array.from({ length: 6 }, () =>
      spend.complete(gateway, 'gpt-4o', { max_tokens: 30_000 }),
    );
    await eventually(
      'three are let in',
      async () => (await bench.upstream.requests('gpt-4o')).length === before + 3,
    );
    let isOver = false;
    const answered = Promise.all(calls).then((answers) => {
      isOver = true;
      return answers;
    });
    await eventually('they are answered', async () => {
      await bench.upstream.release();
      return isOver;
    });
    const statuses = (await answered)
      .map(({ status }) => status)
      .toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429]);
    // The rest of what they had reserved is free again.
    await bench.upstream.set('gpt-4o', completion({ prompt_tokens: 20, completion_tokens: 100 }));
    assert.equal((await spend.complete(gateway, 'gpt-4o', { max_tokens: 90_000 })).status, 200);
  });

  test('calls of which nobody reports the usage are refused under a spend limit', async () => {
    const gateway = await spend.createGateway();
    const allowing = await spend.createGateway({ unpriced: 'allow' });
    const free = await spend.createGateway({ enabled: false });
    for (const [path, body] of [
      ['openai/fine_tuning/jobs', { model: 'gpt-4o', training_file: 'file-1' }],
      ['openai/threads/thread_1/runs', { assistant_id: 'asst_1' }],
      ['openai/realtime/client_secrets', {}],
      ['openai/responses', { model: 'gpt-4o', input: 'hi', background: 'yes' }],
      ['groq/batches', { input_file_id: 'file-1' }],
    ] as const) {
      const name = path.split('/').at(-1) ?? '';
      await bench.upstream.set(name, answer(200, '{"id":"job-1"}', JSON_TYPE));
      await bench.upstream.set('gpt-4o', answer(200, '{"id":"job-1"}', JSON_TYPE));
      const call = (id: string) => bench.callHost('POST', `${id}/${path}`, { body });
      const refused = await call(gateway);
      assert.deepEqual([refused.status, refused.json.error[0].code], [400, 2027], path);
      for (const id of [allowing, free]) assert.equal((await call(id)).status, 200, path);
    }
    // A rule that does not apply refuses nothing. That of a model does, as a file names the models.
    const ofGroq = await spend.createGateway({ provider: { mode: 'filter', values: ['groq'] } });
    const ofModel = await spend.createGateway({ model: { mode: 'filter', values: ['gpt-5'] } });
    const statuses = [ofGroq, ofModel].map(async (id) => {
      const body = { input_file_id: 'file-1', model: 'gpt-4o' };
      return (await bench.callHost('POST', `${id}/openai/batches`, { body })).status;
    });
    assert.deepEqual(await Promise.all(statuses), [200, 400]);
    const polled = await bench.callHost('GET', `${gateway}/openai/batches`);
    assert.equal(polled.status, 200);
  });

  test('each step of a universal request is charged by itself', async () => {
    const gateway = await spend.createGateway();
    await bench.upstream.set('gpt-4o', completion(USAGE));
    await bench.upstream.set('gpt-4o-mini', [HANG]);
    const { status } = await bench.callHost('POST', gateway, {
      body: [
        { ...entryOf('openai', 'gpt-4o-mini'), config: { requestTimeout: 50 } },
        entryOf('openai', 'gpt-4o'),
      ],
    });
    assert.equal(status, 200);
    await eventually('both are logged', async () => (await bench.logs(gateway)).length === 2);
    const costs = (await bench.logs(gateway)).map(({ cost }) => cost as number);
    assert.ok(
      costs.every((cost) => cost > 0),
      String(costs),
    );
    await spend.assertSpent(
      gateway,
      costs.reduce((sum, cost) => sum + cost, 0),
    );
  });
});
