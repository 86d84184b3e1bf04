import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gatewayErrors } from '../../src/gateway/gateway-errors.ts';
import { ProviderCallError } from '../../src/gateway/execution/provider-call-error.ts';
import { retryDelayMs } from '../../src/gateway/execution/retry.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Action,
  EVENT_STREAM,
  event,
  HANG,
  RESET,
  answer,
  completion,
  delta,
  head,
  message,
} from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, entryOf, startScripted } from './scripted.ts';
import { parseRetryAfter } from '../../src/lib/retry-after.ts';
import type { RetryPolicy } from '../../src/gateway-admin/gateways/gateway.ts';

const fine = answer(200, completion());
const failing = (status: number, headers: Record<string, string> = {}): Action[] =>
  answer(status, { error: { message: `says ${status}` } }, headers);
const upTo = (attempts: number, delayMs = 0): Record<string, string> => ({
  'cf-aig-max-attempts': String(attempts),
  'cf-aig-retry-delay': String(delayMs),
});

// Nothing here depends on the database.
describe('retries', () => {
  let bench: ScriptedBench;
  before(async () => {
    bench = await startScripted('sqlite');
  });
  after(() => bench.stop());

  const set: ScriptedBench['upstream']['set'] = (...args) => bench.upstream.set(...args);
  const complete: ScriptedBench['complete'] = (...args) => bench.complete(...args);

  async function calls(name: string): Promise<number> {
    return (await bench.upstream.requests(name)).length;
  }

  const lastLog = () => bench.lastLog();

  for (const status of [408, 429, 500, 502, 503, 504, 529]) {
    test(`after ${status}`, async () => {
      await set(`once-${status}`, failing(status), fine);
      const { status: got, json } = await complete(`once-${status}`, upTo(2));
      assert.deepEqual([got, json.choices[0].message.content], [200, 'hello']);
      assert.equal(await calls(`once-${status}`), 2);
      const log = await lastLog();
      assert.deepEqual(
        [log.status_code, log.success, log.attempts, log.tokens_in],
        [200, true, 2, 11],
      );
    });
  }

  const broken: [string, Action[]][] = [
    ['hung-up', []],
    ['reset', [RESET]],
    ['no-http', ['nonsense\r\n\r\n']],
    ['late', [HANG]],
    ['no-body', [head(200, { 'content-length': '9' }), RESET]],
  ];
  for (const [model, script] of broken) {
    test(`after a failure of the network: ${model}`, async () => {
      await set(model, script, fine);
      assert.equal((await complete(model, upTo(2))).status, 200);
      assert.equal(await calls(model), 2);
    });
  }

  for (const status of [400, 401, 403, 404, 409, 422]) {
    test(`not after ${status}, which passes as it is`, async () => {
      await set(`refused-${status}`, failing(status), fine);
      const { status: got, json } = await complete(`refused-${status}`, upTo(5));
      assert.deepEqual([got, json.error.message], [status, `says ${status}`]);
      assert.equal(await calls(`refused-${status}`), 1);
      assert.deepEqual([(await lastLog()).status_code, (await lastLog()).attempts], [status, 1]);
    });
  }

  test('not without being asked to', async () => {
    await set('unasked', failing(500), fine);
    assert.equal((await complete('unasked')).status, 500);
    assert.equal(await calls('unasked'), 1);
  });

  test('as often as allowed; the last failure passes as it is', async () => {
    await set('never', failing(500), failing(502), failing(503, { 'request-id': '3' }), fine);
    const { status, json, headers } = await complete('never', upTo(3));
    assert.deepEqual([status, json.error.message], [503, 'says 503']);
    assert.equal(headers.get('request-id'), '3');
    assert.equal(await calls('never'), 3);
    const [log, ...others] = await bench.logs();
    assert.deepEqual([log.status_code, log.attempts, log.success], [503, 3, false]);
    assert.equal(others.filter(({ model }) => model === 'never').length, 0);
  });

  test('five times at most, also when the network fails', async () => {
    await set('network', []);
    const { status, code } = await complete('network', upTo(5));
    assert.deepEqual([status, code], [502, 2005]);
    assert.equal(await calls('network'), 5);
    assert.equal((await lastLog()).attempts, 5);
  });

  test('for translated answers too', async () => {
    await set('claude', failing(529), [], answer(200, message('translated')));
    const { status, json } = await complete('anthropic/claude', upTo(3), { max_tokens: 5 });
    assert.deepEqual([status, json.choices[0].message.content], [200, 'translated']);
    await set('claude-short', [head(200, { 'content-length': '99' }), '{'], answer(200, message()));
    const short = await complete('anthropic/claude-short', upTo(2), { max_tokens: 5 });
    assert.equal(short.status, 200);
    assert.equal(await calls('claude-short'), 2);
  });

  test('not once the client has got anything', async () => {
    const chunked = { ...EVENT_STREAM, 'transfer-encoding': 'chunked' };
    const piece = `${delta('one').length.toString(16)}\r\n${delta('one')}\r\n`;
    await set('begun', [head(200, chunked), piece, RESET], fine);
    const { status, text } = await complete('begun', upTo(5), { stream: true });
    assert.deepEqual([status, text.includes('"2005"')], [200, true]);
    assert.equal(await calls('begun'), 1);
  });

  test('with the same body and headers each time', async () => {
    await set('same', failing(500), failing(500), fine);
    await complete('same', { ...upTo(3), 'x-own': '1' });
    const [first, ...others] = await bench.upstream.requests('same');
    assert.equal(others.length, 2);
    for (const { headers, body } of others) {
      assert.deepEqual([headers, body], [first?.headers, first?.body]);
    }
  });

  test('a provider is waited for as long as it asks for', async () => {
    await set('patience', failing(429, { 'retry-after-ms': '120', 'retry-after': '60' }), fine);
    assert.equal((await complete('patience', upTo(2))).status, 200);
    // A timer may be early by a millisecond.
    assert.ok((await lastLog()).duration >= 119);
  });

  test('a provider that is to be waited for longer than a minute is not', async () => {
    await set('busy', failing(429, { 'retry-after': '61' }), fine);
    const { status, headers } = await complete('busy', upTo(2));
    assert.deepEqual([status, headers.get('retry-after')], [429, '61']);
    assert.equal(await calls('busy'), 1);
  });

  test('many of them leave no warning behind', async (t) => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    await set('flaky', failing(500));
    const entries = Array.from({ length: 4 }, () => entryOf('openai', 'flaky'));
    assert.equal((await bench.callUniversal(entries, upTo(5, 1))).status, 500);
    assert.equal(await calls('flaky'), 20);
    assert.deepEqual(warnings, []);
  });

  describe('whose word counts', () => {
    test("the gateway's own, where the request says nothing; else the request's", async () => {
      await bench.createGateway('stubborn', { retry_max_attempts: 3, retry_delay: 0 });
      const call = (model: string, headers: Record<string, string> = {}): Promise<Answer> =>
        complete(model, { 'cf-aig-gateway-id': 'stubborn', ...headers });
      await set('by-gateway', failing(500));
      await call('by-gateway');
      assert.equal(await calls('by-gateway'), 3);
      await set('by-header', failing(500));
      await call('by-header', { 'cf-aig-max-attempts': '1' });
      assert.equal(await calls('by-header'), 1);
      await set('by-entry', failing(500));
      const entry = entryOf('openai', 'by-entry', { config: { maxAttempts: 2 } });
      await bench.callHost('POST', 'stubborn', {
        body: [entry],
        headers: { 'cf-aig-max-attempts': '4' },
      });
      assert.equal(await calls('by-entry'), 2);
    });
  });

  describe('the time to the first byte', () => {
    test('504/2006 when it is over, and the call is given up', async () => {
      await set('slow', [HANG]);
      const { status, code } = await complete('slow', { 'cf-aig-request-timeout': '40' });
      assert.deepEqual([status, code], [504, 2006]);
      await eventually('it is given up', async () =>
        Boolean((await bench.upstream.requests('slow'))[0]?.isAborted),
      );
    });

    test('a head without a byte is none: the call is made again', async () => {
      for (const [model, extra] of [
        ['only-head', {}],
        ['only-head-of-stream', { stream: true }],
      ] as const) {
        const type = 'stream' in extra ? EVENT_STREAM : {};
        await set(model, [head(200, type), HANG], fine);
        const headers = { ...upTo(2), 'cf-aig-request-timeout': '250' };
        const { status, text } = await complete(model, headers, extra);
        assert.deepEqual([status, text.includes('"content":"hello"')], [200, true]);
        assert.equal((await lastLog()).attempts, 2);
      }
    });

    test('nor is one of a translated stream', async () => {
      await set('claude-head', [head(200, EVENT_STREAM), HANG], answer(200, message()));
      const headers = { ...upTo(2), 'cf-aig-request-timeout': '250' };
      const extra = { max_tokens: 5, stream: true };
      assert.equal((await complete('anthropic/claude-head', headers, extra)).status, 200);
      assert.equal(await calls('claude-head'), 2);
    });

    test('it leaves what has begun in peace', async () => {
      await set('steady', [
        head(200, EVENT_STREAM),
        delta('one'),
        { waitMs: 400 },
        delta('two'),
        event('[DONE]'),
      ]);
      const headers = { 'cf-aig-request-timeout': '250' };
      const { text } = await complete('steady', headers, { stream: true });
      assert.equal(text, delta('one') + delta('two') + event('[DONE]'));
    });
  });

  test('a client that leaves while a call is waited for ends the matter: 499', async () => {
    await set('left', failing(503, { 'retry-after': '30' }), fine);
    const abort = new AbortController();
    const call = fetch(`${bench.server.baseUrl}${bench.server.account}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.server.token}`, ...upTo(5) },
      body: JSON.stringify({ model: 'openai/left', messages: MESSAGES }),
      signal: abort.signal,
    });
    await eventually('the first call is over', async () => (await calls('left')) === 1);
    abort.abort();
    await assert.rejects(call);
    await eventually('it is logged', async () => (await lastLog()).model === 'left');
    const log = await lastLog();
    assert.deepEqual([log.status_code, log.success, log.attempts], [499, false, 1]);
    assert.equal(await calls('left'), 1);
  });
});

describe('how long to wait', () => {
  const policy = (backoff: RetryPolicy['backoff'], delayMs = 100): RetryPolicy => ({
    maxAttempts: 5,
    delayMs,
    backoff,
  });
  const rejected = (retryAfterMs?: number): ProviderCallError =>
    new ProviderCallError(gatewayErrors.tooManyRequests, {
      isSent: true,
      isRejection: true,
      retryAfterMs,
    });
  const waits = (of: RetryPolicy, failure = rejected()): (number | undefined)[] =>
    [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(of, attempt, failure));

  test('by the kind of backoff', () => {
    assert.deepEqual(waits(policy('constant')), [100, 100, 100, 100, undefined]);
    assert.deepEqual(waits(policy('linear')), [100, 200, 300, 400, undefined]);
    assert.deepEqual(waits(policy('exponential')), [100, 200, 400, 800, undefined]);
    assert.deepEqual(waits(policy('exponential', 0)), [0, 0, 0, 0, undefined]);
    assert.deepEqual(waits(policy('exponential', 5_000)), [
      5_000,
      10_000,
      20_000,
      40_000,
      undefined,
    ]);
  });

  test('at least as long as the provider asks for, up to a minute', () => {
    assert.deepEqual(waits(policy('linear'), rejected(250)), [250, 250, 300, 400, undefined]);
    assert.equal(retryDelayMs(policy('constant'), 1, rejected(60_000)), 60_000);
    assert.equal(retryDelayMs(policy('constant'), 1, rejected(60_001)), undefined);
  });

  test('what the provider asks for', () => {
    const nowMs = Date.UTC(2026, 0, 1);
    const cases: [Record<string, string>, number | undefined][] = [
      [{}, undefined],
      [{ 'retry-after': '2' }, 2_000],
      [{ 'retry-after': '0' }, 0],
      [{ 'retry-after': '1.5' }, 1_500],
      [{ 'retry-after-ms': '250' }, 250],
      [{ 'retry-after-ms': '250', 'retry-after': '2' }, 250],
      [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
      [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, 3_000],
      [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
      [{ 'retry-after': 'soon' }, undefined],
    ];
    for (const [headers, expected] of cases) {
      assert.equal(parseRetryAfter(headers, nowMs), expected, JSON.stringify(headers));
    }
  });
});
