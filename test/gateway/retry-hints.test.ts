import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import {
  type Action,
  EVENT_STREAM,
  answer,
  completion,
  event,
  head,
} from '../support/scripted-upstream.ts';
import { type ScriptedBench, entryOf, startScripted } from './scripted.ts';

const QUOTA = {
  error: {
    message: 'You exceeded your quota.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
};
const retryInfo = (retryDelay: unknown): object => ({
  error: {
    code: 429,
    message: 'Quota exceeded.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  },
});

onEachDatabase((database) => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted(database);
  });
  after(() => bench.stop());

  /** Calls a model up to four times; its calls, the last status and the milliseconds that it took. */
  async function call(
    name: string,
    script: Action[][],
    extra: object = {},
  ): Promise<{ calls: number; status: number; tookMs: number; text: string }> {
    await bench.upstream.set(name, ...script);
    const startMs = performance.now();
    const { status, text } = await bench.complete(
      name,
      { 'cf-aig-max-attempts': '4', 'cf-aig-retry-delay': '1' },
      extra,
    );
    const tookMs = performance.now() - startMs;
    const calls = (await bench.upstream.requests(name)).length;
    return { calls, status, tookMs, text };
  }

  describe('a retry follows the hints of the provider', () => {
    test('an exhausted quota is permanent, in a body and as the first event', async () => {
      const refused = await call('quota', [answer(429, QUOTA)]);
      assert.deepEqual([refused.calls, refused.status], [1, 429]);
      assert.deepEqual(JSON.parse(refused.text), QUOTA);
      const within = await call('quota-200', [answer(200, QUOTA)]);
      assert.deepEqual([within.calls, within.status], [1, 429]);
      const streamed = await call('quota-stream', [[head(429, EVENT_STREAM), event(QUOTA)]], {
        stream: true,
      });
      assert.deepEqual([streamed.calls, streamed.status], [1, 429]);
    });

    test('another provider is asked all the same', async () => {
      await bench.upstream.set('no-quota', answer(429, QUOTA));
      await bench.upstream.set('spare', answer(200, completion('spare')));
      const { status, headers } = await bench.callUniversal([
        entryOf('openai', 'no-quota', { config: { maxAttempts: 3 } }),
        entryOf('groq', 'spare'),
      ]);
      assert.deepEqual([status, headers.get('cf-aig-step')], [200, '1']);
      assert.equal((await bench.upstream.requests('no-quota')).length, 1);
    });

    test('x-should-retry decides, whatever the status is', async () => {
      const refuse = (status: number, should: string): Action[] =>
        answer(status, { error: { message: 'm' } }, { 'x-should-retry': should });
      for (const [status, should, calls] of [
        [429, 'false', 1],
        [500, 'false', 1],
        [400, 'true', 4],
        [409, 'true', 4],
        [503, 'true', 4],
        [503, 'maybe', 4],
        [400, 'maybe', 1],
      ] as const) {
        const found = await call(`${status}-${should}`, [refuse(status, should)]);
        assert.deepEqual([found.calls, found.status], [calls, status], `${status} ${should}`);
      }
    });

    test('RetryInfo of Google is a wait', async () => {
      for (const [name, delay, waitMs] of [
        ['short', '0.25s', 250],
        ['none', 'soon', 0],
        ['wrong', 7, 0],
      ] as const) {
        const { calls, status, tookMs } = await call(`info-${name}`, [
          answer(429, retryInfo(delay)),
          answer(200, completion()),
        ]);
        assert.deepEqual([calls, status], [2, 200], name);
        assert.ok(tookMs >= waitMs - 5, `${name}: ${tookMs} ms`);
      }
      const long = await call('info-long', [answer(429, retryInfo('61s'))]);
      assert.deepEqual([long.calls, long.status], [1, 429]);
      const list = await call('info-list', [
        answer(429, [retryInfo('0.1s')]),
        answer(200, completion()),
      ]);
      assert.ok(list.calls === 2 && list.tookMs >= 95, `${list.tookMs} ms`);
    });

    test('a refusal without a hint is retried as before', async () => {
      for (const body of [{ error: { message: 'm' } }, 'slow down', '']) {
        assert.equal((await call('plain', [answer(429, body)])).calls % 4, 0);
      }
    });
  });

  describe('cf-aig-request-timeout', () => {
    const late = (waitMs: number): Action[] => [{ waitMs }, ...answer(200, completion())];
    const status = async (waitMs: number, timeoutMs: number): Promise<number> => {
      await bench.upstream.set('late', late(waitMs));
      const headers = { 'cf-aig-request-timeout': String(timeoutMs) };
      return (await bench.complete('late', headers)).status;
    };

    test('may be longer than the timeout of the server', async () => {
      // The server waits for 600 ms by itself.
      assert.equal(await status(1_500, 10_000), 200);
      await bench.upstream.set('late-body', [
        head(200, { 'content-type': 'application/json' }),
        { waitMs: 1_500 },
        JSON.stringify(completion()),
      ]);
      const headers = { 'cf-aig-request-timeout': '10000' };
      assert.equal((await bench.complete('late-body', headers)).status, 200);
    });

    test('or shorter', async () => {
      assert.equal(await status(400, 100), 504);
      assert.equal(await status(50, 400), 200);
    });
  });
});
