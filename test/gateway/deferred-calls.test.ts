import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { EVENT_STREAM, RESET, answer, event, head } from '../support/scripted-upstream.ts';
import type { Answer, Json } from '../support/server.ts';
import { JSON_TYPE, PER_IN, PER_OUT, type SpendBench, startSpendBench } from './spend-bench.ts';

// Of claude-haiku-4-5, US dollars for a token.
const HAIKU_IN = 1e-6;
const HAIKU_OUT = 5e-6;

const USAGE = { input_tokens: 2_000, input_tokens_details: {}, output_tokens: 30_000 };
const COST = 2_000 * PER_IN + 30_000 * PER_OUT;

onEachDatabase((database) => {
  const clock = new ManualClock();
  let spend: SpendBench;
  let calls = 0;
  before(async () => {
    spend = await startSpendBench(database, clock);
  });
  after(() => spend.stop());

  const reply = (body: object, status = 200) => answer(status, JSON.stringify(body), JSON_TYPE);
  const newId = (prefix: string): string => `${prefix}_${++calls}`;
  const pending = async (gateway: string): Promise<Json[]> =>
    spend.bench.server.app.database.read
      .selectFrom('gateway_deferred_calls')
      .selectAll()
      .where('gateway_id', '=', gateway)
      .execute();
  const isStored = (gateway: string) =>
    eventually('it is stored', async () => (await pending(gateway)).length === 1);
  const isSettled = (gateway: string) =>
    eventually('it is settled', async () => {
      clock.advance(10_000);
      return (await pending(gateway)).length === 0;
    });
  const requestCount = async (key: string): Promise<number> =>
    (await spend.bench.upstream.requests(key)).length;

  /** Begins a background response. */
  const respond = async (gateway: string, id: string, extra: object = {}): Promise<Answer> => {
    const { bench } = spend;
    const { upstream } = bench;
    await upstream.set('gpt-4o', reply({ id, object: 'response', status: 'queued', usage: null }));
    await upstream.set(id, reply({ id, status: 'in_progress', usage: null }));
    const body = { model: 'gpt-4o', input: 'hi', background: true, ...extra };
    return bench.callHost('POST', `${gateway}/openai/responses`, { body });
  };

  test('a background response is charged when it ends', async () => {
    const { upstream } = spend.bench;
    const gateway = await spend.createGateway();
    const id = newId('resp');
    assert.equal((await respond(gateway, id)).status, 200);
    await isStored(gateway);
    // The default output, until the usage is known.
    const estimate = await spend.spentOn(gateway);
    assert.ok(estimate > 4_096 * PER_OUT && estimate < 4_200 * PER_OUT, String(estimate));
    const [stored] = await pending(gateway);
    assert.ok(!JSON.stringify(stored).includes('sk-openai'));
    const first = await spend.lastLog(gateway);
    assert.deepEqual([first.cost, first.usage_source], [undefined, null]);
    // It goes on while the provider works.
    await eventually('its state is read', async () => {
      clock.advance(10_000);
      return (await requestCount(id)) > 1;
    });
    assert.equal((await pending(gateway)).length, 1);
    await upstream.set(id, reply({ id, status: 'completed', model: 'gpt-4o', usage: USAGE }));
    await isSettled(gateway);
    await spend.assertSpent(gateway, COST);
    await eventually(
      'its end is logged',
      async () => (await spend.bench.logs(gateway)).length === 2,
    );
    const log = await spend.lastLog(gateway);
    assert.deepEqual(
      [log.path, log.tokens_in, log.tokens_out, log.usage_source, log.token_id],
      [`v1/responses/${id}`, 2_000, 30_000, 'provider', first.token_id],
    );
    assert.ok(Math.abs(log.cost - COST) < 1e-9);
    const [polled] = await upstream.requests(id);
    assert.ok(polled?.headers.includes('Bearer sk-openai'));
  });

  test('what was estimated too high is returned, in sliding windows too', async () => {
    const cheap = { input_tokens: 10, input_tokens_details: {}, output_tokens: 100 };
    for (const technique of ['fixed', 'sliding']) {
      const gateway = await spend.createGateway({ technique, window: 86_400 * 30 });
      const id = newId('resp');
      await respond(gateway, id, { max_output_tokens: 50_000 });
      await isStored(gateway);
      assert.ok((await spend.spentOn(gateway)) >= 50_000 * PER_OUT);
      await spend.bench.upstream.set(id, reply({ id, status: 'completed', usage: cheap }));
      await isSettled(gateway);
      await spend.assertSpent(gateway, 10 * PER_IN + 100 * PER_OUT);
    }
  });

  test('a response whose usage stays unknown keeps its estimate', async () => {
    for (const end of [reply({ id: 'x', status: 'failed', usage: null }), reply({}, 404)]) {
      const gateway = await spend.createGateway();
      const id = newId('resp');
      await respond(gateway, id);
      await isStored(gateway);
      const estimate = await spend.spentOn(gateway);
      await spend.bench.upstream.set(id, end);
      await isSettled(gateway);
      await spend.assertSpent(gateway, estimate);
      await eventually(
        'its end is logged',
        async () => (await spend.bench.logs(gateway)).length === 2,
      );
      assert.equal((await spend.lastLog(gateway)).usage_source, 'estimate');
    }
  });

  test('a provider that fails is asked again, for a day', async () => {
    const gateway = await spend.createGateway();
    const id = newId('resp');
    await respond(gateway, id);
    await isStored(gateway);
    const estimate = await spend.spentOn(gateway);
    await spend.bench.upstream.set(id, reply({}, 500));
    await eventually('it is asked', async () => {
      clock.advance(60_000);
      return (await requestCount(id)) >= 2;
    });
    assert.equal((await pending(gateway)).length, 1);
    clock.advance(26 * 3_600_000);
    await isSettled(gateway);
    // Its window may be over.
    assert.ok((await spend.spentOn(gateway)) <= estimate);
  });

  test('a client that leaves a background call at once is charged', async () => {
    const { bench } = spend;
    const gateway = await spend.createGateway();
    const id = newId('resp');
    const created = { type: 'response.created', response: { id, status: 'queued', usage: null } };
    const stream = [head(200, EVENT_STREAM), event(created, 'response.created')];
    await bench.upstream.set('gpt-4o', [...stream, { waitMs: 300 }]);
    await bench.upstream.set(id, reply({ id, status: 'completed', usage: USAGE }));
    const leaving = async (leaveAfterMs: number): Promise<void> => {
      const abort = AbortSignal.timeout(leaveAfterMs);
      await fetch(`${bench.server.baseUrl}${bench.server.account}/ai/v1/responses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.server.token}`,
          'content-type': 'application/json',
          'cf-aig-gateway-id': gateway,
          'cf-aig-request-timeout': '1',
        },
        body: JSON.stringify({
          model: 'openai/gpt-4o',
          input: 'hi',
          background: true,
          stream: true,
        }),
        signal: abort,
      })
        .then((response) => response.text())
        .catch(() => {});
    };
    await leaving(30);
    await isStored(gateway);
    await isSettled(gateway);
    await spend.assertSpent(gateway, COST);
  });

  test('a response is not deleted before it is settled', async () => {
    const { bench } = spend;
    const { upstream } = bench;
    const gateway = await spend.createGateway();
    // Another gateway of the same account, without a limit.
    const other = await spend.createGateway({ enabled: false });
    const id = newId('resp');
    await respond(gateway, id);
    const path = `openai/responses/${id}`;
    const encoded = `openai/response%73/${id}`;
    for (const from of [`${gateway}/${path}`, `${other}/${path}`, `${other}/${encoded}`]) {
      const refused = await bench.callHost('DELETE', from);
      assert.deepEqual([refused.status, refused.json.error[0].code], [400, 2028]);
    }
    await upstream.set(id, reply({ id, status: 'cancelled', usage: USAGE }));
    assert.equal((await bench.callHost('DELETE', `${other}/${path}`)).status, 200);
    assert.equal((await pending(gateway)).length, 0);
    await spend.assertSpent(gateway, COST);
    // It is another one's, or none.
    assert.equal((await bench.callHost('DELETE', `${other}/${path}`)).status, 200);
  });

  test('a batch of OpenAI is charged at its own price when it ends', async () => {
    const { bench } = spend;
    const { upstream } = bench;
    const gateway = await spend.createGateway();
    for (const [end, dollars] of [
      [
        {
          status: 'completed',
          request_counts: { completed: 2 },
          model: 'gpt-4o-2024-08-06',
          usage: USAGE,
        },
        COST / 2,
      ],
      [{ status: 'failed', request_counts: { completed: 0 }, usage: null }, 0],
    ] as const) {
      const before = await spend.spentOn(gateway);
      const id = newId('batch');
      const zeros = { input_tokens: 0, input_tokens_details: {}, output_tokens: 0 };
      await upstream.set('batches', reply({ id, status: 'validating', usage: zeros }));
      await upstream.set(id, reply({ id, status: 'in_progress', usage: zeros }));
      const body = { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' };
      const { status } = await bench.callHost('POST', `${gateway}/openai/batches`, { body });
      assert.equal(status, 200);
      await isStored(gateway);
      await upstream.set(id, reply({ id, ...end }));
      await isSettled(gateway);
      await spend.assertSpent(gateway, before + dollars);
    }
  });

  test('a message batch is charged by its results', async () => {
    const { bench } = spend;
    const { upstream } = bench;
    const gateway = await spend.createGateway();
    const id = newId('msgbatch');
    await upstream.set('batches', reply({ id, processing_status: 'in_progress' }));
    await upstream.set(id, reply({ id, processing_status: 'in_progress' }));
    const params = { model: 'claude-haiku-4-5', max_tokens: 9, messages: [] };
    const body = { requests: [{ custom_id: 'a', params }] };
    const { status, text } = await bench.callHost(
      'POST',
      `${gateway}/anthropic/v1/messages/batches`,
      {
        body,
      },
    );
    assert.equal(status, 200, text);
    await isStored(gateway);
    const usage = { input_tokens: 1_000, output_tokens: 5_000 };
    const message = { id: 'm', model: 'claude-haiku-4-5', content: [], usage };
    const results = [
      { custom_id: 'a', result: { type: 'succeeded', message } },
      { custom_id: 'b', result: { type: 'errored', error: {} } },
      { custom_id: 'c', result: { type: 'succeeded', message } },
    ];
    const lines = results.map((result) => JSON.stringify(result)).join('\n');
    await upstream.set('results', answer(200, lines, { 'content-type': 'application/x-jsonl' }));
    await upstream.set(id, reply({ id, processing_status: 'ended' }));
    await isSettled(gateway);
    await spend.assertSpent(gateway, 1_000 * HAIKU_IN + 5_000 * HAIKU_OUT);
    await eventually(
      'its end is logged',
      async () => (await spend.bench.logs(gateway)).length === 2,
    );
    const { tokens_in: tokensIn, tokens_out: tokensOut } = await spend.lastLog(gateway);
    assert.deepEqual([tokensIn, tokensOut], [2_000, 10_000]);
  });

  test('calls of a deleted gateway are forgotten, and so is their credential', async () => {
    const { server } = spend.bench;
    const gateway = await spend.createGateway();
    await respond(gateway, newId('resp'));
    await isStored(gateway);
    const path = `${server.account}/ai-gateway/gateways/${gateway}`;
    assert.equal((await server.call('DELETE', path)).status, 200);
    assert.equal((await pending(gateway)).length, 0);
  });

  test('a gateway has a bounded number of pending calls', async () => {
    const { server } = spend.bench;
    const gateway = await spend.createGateway();
    const owner = { account_id: server.accountId, gateway_id: gateway, provider: 'openai' };
    const far = { sealed: '', created_at: clock.now(), next_poll_at: 1e15 };
    const insert = (from: number, until: number) =>
      server.app.database.transaction(async (tx) => {
        for (let start = from; start < until; start += 500) {
          const length = Math.min(500, until - start);
          const rows = Array.from({ length }, (_row, index) => {
            const id = `${gateway}-${start + index}`;
            return { ...owner, ...far, id, external_id: id };
          });
          await tx.insertInto('gateway_deferred_calls').values(rows).execute();
        }
      });
    await insert(0, 9_999);
    assert.equal((await respond(gateway, newId('resp'))).status, 200);
    await eventually('it is stored', async () => (await pending(gateway)).length === 10_000);
    const refused = await respond(gateway, newId('resp'));
    assert.deepEqual([refused.status, refused.json.error[0].code], [429, 2029]);
  });

  test('a call that no server can decrypt is dropped with its estimate', async () => {
    const gateway = await spend.createGateway();
    await respond(gateway, newId('resp'));
    await isStored(gateway);
    const estimate = await spend.spentOn(gateway);
    await spend.bench.server.app.database.transaction((tx) =>
      tx
        .updateTable('gateway_deferred_calls')
        .set({ sealed: 'v1.AAAA' })
        .where('gateway_id', '=', gateway)
        .execute(),
    );
    await isSettled(gateway);
    await spend.assertSpent(gateway, estimate);
  });

  test('an answer that breaks off before it names the response is charged by an estimate', async () => {
    const gateway = await spend.createGateway();
    const body = { model: 'gpt-4o', input: 'hi', background: true };
    await spend.bench.upstream.set('gpt-4o', [head(200, JSON_TYPE), '{"id":"resp_h', RESET]);
    const call = spend.bench.callHost('POST', `${gateway}/openai/responses`, { body });
    await call.catch(() => {});
    await eventually(
      'it is charged',
      async () => (await spend.spentOn(gateway)) >= 4_096 * PER_OUT,
    );
    assert.equal((await pending(gateway)).length, 0);
  });
});
